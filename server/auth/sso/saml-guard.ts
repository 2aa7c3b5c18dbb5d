import { APIError } from 'better-auth/api'

export const ACS_PREFIX = '/sso/saml2/sp/acs/'

/** All algorithms of a regular SAML response: SHA-2 signatures, canonicalization without comments, the enveloped signature. */
const SIGNATURE_ALGORITHMS = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512',
  'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  'http://www.w3.org/2001/10/xml-exc-c14n#',
])

/** How often a regular response has each of these elements at most, under any namespace prefix. */
const ELEMENT_COUNTS: Record<string, number> = {
  Response: 1,
  Assertion: 1,
  EncryptedAssertion: 0,
  Signature: 2,
  Subject: 1,
  NameID: 1,
  SubjectConfirmation: 1,
  Object: 0,
}

/**
 * Throws 400 for a SAML response that two XML parsers could read differently, or that uses broken algorithms.
 * The single sign-on plugin accepts SHA-1 for responses sent by POST and reads a response with several
 * parsers. Checks the text of the document, because any parser could itself be deceived.
 */
export function refuseUnsafeSaml(body: unknown): void {
  const encoded =
    body !== null && typeof body === 'object' && 'SAMLResponse' in body ? body.SAMLResponse : null
  if (typeof encoded !== 'string') throw unsafeResponse('is missing')
  // Base64 decoders differ in which characters they ignore, so only strict base64 is accepted.
  const compact = encoded.replace(/\s+/g, '')
  if (!/^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact))
    throw unsafeResponse('is not base64')
  const xml = decodeUtf8(Buffer.from(compact, 'base64'))
  const problem = samlProblem(xml)
  if (problem !== null) throw unsafeResponse(problem)
}

function samlProblem(xml: string): string | null {
  const document = xml.replace(
    /^<\?xml version="1\.0"(?: encoding="utf-8")?(?: standalone="(?:yes|no)")?\s*\?>/i,
    '',
  )
  // XML allows no NUL. Without this check a document in UTF-16 would pass: its bytes are valid UTF-8, and the patterns below match none of
  // its elements.
  if (/[^\P{Cc}\t\n\r]/u.test(document)) return 'contains a control character'
  // A comment splits a text, for example an e-mail address, into pieces of which a parser may read only the
  // first. A DOCTYPE can redefine the document.
  if (/<[!?]/.test(document)) return 'contains a comment, a processing instruction, CDATA or a DOCTYPE'
  for (const [name, max] of Object.entries(ELEMENT_COUNTS))
    if (document.matchAll(new RegExp(`<(?:[^\\s<>/]*:)?${name}[\\s/>]`, 'g')).toArray().length > max)
      return `contains more than ${max} ${name}`
  for (const [, , algorithm = ''] of document.matchAll(/\bAlgorithm\s*=\s*(["'])(.*?)\1/gs))
    if (!SIGNATURE_ALGORITHMS.has(algorithm)) return `uses ${algorithm}, which is not accepted`
  return null
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw unsafeResponse('is not UTF-8')
  }
}

const unsafeResponse = (problem: string) =>
  new APIError('BAD_REQUEST', { code: 'UNSAFE_SAML_RESPONSE', message: `The SAML response ${problem}.` })

import { APIError } from 'better-auth/api'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refuseUnsafeSaml } from './saml-guard.ts'

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const signature = (method = RSA_SHA256, digest = SHA256) =>
  `<ds:Signature><ds:SignatureMethod Algorithm="${method}"/><ds:DigestMethod Algorithm='${digest}'/></ds:Signature>`
const subject =
  '<saml:Subject><saml:NameID>ada@acme.com</saml:NameID><saml:SubjectConfirmation>' +
  '<saml:SubjectConfirmationData NotOnOrAfter="x"/></saml:SubjectConfirmation></saml:Subject>'
const response = (inner = '', signed = signature()) =>
  `<samlp:Response ID="r">${signed}<saml:Assertion ID="a">${signature()}${subject}</saml:Assertion>${inner}</samlp:Response>`

const post = (xml: string | Buffer) => refuseUnsafeSaml({ SAMLResponse: Buffer.from(xml).toString('base64') })
const refuses = (send: () => void, problem: string) =>
  assert.throws(send, (error) => {
    assert.ok(error instanceof APIError, String(error))
    assert.deepEqual(
      [error.status, error.body?.code, error.body?.message],
      ['BAD_REQUEST', 'UNSAFE_SAML_RESPONSE', `The SAML response ${problem}.`],
    )
    return true
  })

describe('the guard before the parsers of a SAML response', () => {
  test('a regular SAML response is accepted, with or without a signature of the response and with an XML declaration', () => {
    post(response())
    post(response('', ''))
    for (const head of ['<?xml version="1.0"?>', '<?xml version="1.0" encoding="UTF-8" standalone="no" ?>'])
      post(`${head}${response()}`)
  })

  test('a SAML response in base64 with line breaks, as some providers post it, is accepted', () => {
    const encoded = Buffer.from(response()).toString('base64')
    refuseUnsafeSaml({ SAMLResponse: encoded.replace(/(.{76})/g, '$1\r\n') })
  })

  test('a SAML sign-in request without a SAML response in its body is refused', () => {
    for (const body of [undefined, null, 'text', {}, { SAMLResponse: 7 }, { SAMLResponse: ['x'] }, []])
      refuses(() => refuseUnsafeSaml(body), 'is missing')
  })

  test('a SAML response whose base64 text decoders could read differently is refused', () => {
    for (const text of ['', ' ', 'YQ', 'YQ=', 'YR=======', 'YQ==YQ==', 'Y-_x', 'YQ==!', '=YQ=', 'YWJj\0'])
      refuses(() => refuseUnsafeSaml({ SAMLResponse: text }), 'is not base64')
  })

  test('a SAML response that is not UTF-8 is refused', () => {
    refuses(() => post(Buffer.from([0x3c, 0xff, 0x3e])), 'is not UTF-8')
  })

  test('a SAML response with a control character, as in UTF-16, is refused, because parsers treat it differently', () => {
    const problem = 'contains a control character'
    refuses(() => post(Buffer.from(response(), 'utf16le')), problem)
    for (const character of ['\0', '\x08', '\v', '\x1f', '\x85'])
      refuses(() => post(response(`<saml:Asser${character}tion/>`)), problem)
    post(response('\t\r\n'))
  })

  test('a SAML response with a comment, a processing instruction, CDATA or a DOCTYPE is refused: parsers read them differently', () => {
    const problem = 'contains a comment, a processing instruction, CDATA or a DOCTYPE'
    const hidden = [
      response('<!-- x -->'),
      response('<?x y?>'),
      response('<![CDATA[x]]>'),
      `<!DOCTYPE x>${response()}`,
      response().replace('ada@acme.com', 'ceo@acme.com<!---->.evil.test'),
      ` <?xml version="1.0"?>${response()}`,
      `<?xml version="1.0"?><?xml version="1.0"?>${response()}`,
      `<?xml version="1.1"?>${response()}`,
      `<?xml version="1.0" encoding="utf-7"?>${response()}`,
      `\ufeff<?xml version="1.0"?>${response()}`,
    ]
    for (const xml of hidden) refuses(() => post(xml), problem)
  })

  test('a SAML response with a second assertion, subject or name id is refused, whatever its namespace prefix', () => {
    const counts: [string, number][] = [
      ['Response', 1],
      ['Assertion', 1],
      ['Subject', 1],
      ['NameID', 1],
      ['SubjectConfirmation', 1],
    ]
    for (const [name, max] of counts)
      for (const form of [`<${name}/>`, `<evil:${name}>`, `<${name}\n x="y">`, `<a.b-c:${name}\t/>`])
        refuses(() => post(response(form)), `contains more than ${max} ${name}`)
    refuses(() => post(response(signature())), 'contains more than 2 Signature')
    refuses(() => post(response('<ds:Object/>')), 'contains more than 0 Object')
    refuses(() => post(response('<saml:EncryptedAssertion>')), 'contains more than 0 EncryptedAssertion')
  })

  test('SAML elements such as AssertionIDRef or NameIDPolicy do not count as an extra assertion or name id', () => {
    post(
      response(
        '<saml:AssertionIDRef/><x:MyAssertion/><NameIDPolicy/><SignatureValue>a</SignatureValue></Assertion>',
      ),
    )
  })

  test('a SAML response with an algorithm outside the accepted list is refused, in any element and attribute notation', () => {
    const sha1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
    const comments = 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments'
    for (const algorithm of [sha1, comments, '', ` ${SHA256}`, 'http://www.w3.org/2001/04/xmlenc#sha25&#54;'])
      refuses(() => post(response('', signature(algorithm))), `uses ${algorithm}, which is not accepted`)
    for (const form of [`Algorithm = '${sha1}'`, `Algorithm\n=\n"${sha1}"`, `x:Algorithm="${sha1}"`])
      refuses(() => post(response(`<ds:Transform ${form}/>`)), `uses ${sha1}, which is not accepted`)
  })
})

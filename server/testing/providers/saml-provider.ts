import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inflateRawSync } from 'node:zlib'
import { SignedXml } from 'xml-crypto'

export interface SamlAssertionFields {
  email: string
  nameId: string
  issuer: string
  /** The id of the authentication request; null leaves it out. */
  inResponseTo: string | null
  audience: string | null
  recipient: string
  destination: string
  notBefore: Date
  notOnOrAfter: Date
  assertionId: string
  status: string
  signature: string
  digest: string
  key: string
  /** The signed element; null leaves the signature out. */
  signs: 'Assertion' | 'Response' | null
  /** `before` changes the XML before signing, `after` changes the signed XML. */
  after: (xml: string) => string
  before: (xml: string) => string
}

const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const EXC_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

/**
 * Starts a SAML identity provider that signs in the person that the test sets. The provider's page submits the SAML response automatically.
 */
export async function openSamlProvider() {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', origin)
    const { SAMLResponse, RelayState } = provider.respond(url.href, provider.target)
    const field = (name: string, value: string) => `<input type="hidden" name="${name}" value="${value}">`
    response.writeHead(200, { 'content-type': 'text/html' }).end(
      `<!doctype html><title>Sign-in</title><form method="post" action="${provider.target.acsUrl}">
       ${field('SAMLResponse', SAMLResponse)}${field('RelayState', RelayState)}</form>
       <script>document.forms[0].submit()</script>`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = {
    origin,
    entityId: `${origin}/metadata`,
    cert: SAML_CERTIFICATE,
    person: 'ada@acme.test',
    /** The service to which the provider's page posts its response. */
    target: { acsUrl: '' as string | null, entityId: '' as string | null },
    /** Returns the form fields that respond to this authentication request. */
    respond(
      url: string,
      target: { acsUrl: string | null; entityId: string | null },
      changes: Partial<SamlAssertionFields> = {},
    ) {
      const { searchParams } = new URL(url)
      const request = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
      const now = Date.now()
      const acsUrl = target.acsUrl ?? ''
      const facts: SamlAssertionFields = {
        email: provider.person,
        nameId: provider.person,
        issuer: provider.entityId,
        inResponseTo: /\bID="([^"]+)"/.exec(request)?.[1] ?? '',
        audience: target.entityId,
        recipient: acsUrl,
        destination: acsUrl,
        notBefore: new Date(now - 5_000),
        notOnOrAfter: new Date(now + 300_000),
        assertionId: `_a${now}${Math.random().toString(36).slice(2)}`,
        status: 'urn:oasis:names:tc:SAML:2.0:status:Success',
        signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
        digest: SHA256,
        key: KEY,
        signs: 'Assertion',
        after: (xml) => xml,
        before: (xml) => xml,
        ...changes,
      }
      const xml = facts.after(signResponse(facts.before(responseOf(facts)), facts))
      return {
        SAMLResponse: Buffer.from(xml).toString('base64'),
        RelayState: searchParams.get('RelayState') ?? '',
      }
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
  return provider
}

function responseOf(facts: SamlAssertionFields): string {
  const at = new Date().toISOString()
  const to = facts.inResponseTo === null ? '' : ` InResponseTo="${facts.inResponseTo}"`
  const audience =
    facts.audience === null
      ? ''
      : `<saml:AudienceRestriction><saml:Audience>${facts.audience.replace('&', '&amp;')}</saml:Audience></saml:AudienceRestriction>`
  const attribute = (name: string, value: string) =>
    `<saml:Attribute Name="${name}" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic"><saml:AttributeValue xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">${value}</saml:AttributeValue></saml:Attribute>`
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r${facts.assertionId}" Version="2.0" IssueInstant="${at}" Destination="${facts.destination}"${to}><saml:Issuer>${facts.issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${facts.status}"/></samlp:Status><saml:Assertion ID="${facts.assertionId}" Version="2.0" IssueInstant="${at}"><saml:Issuer>${facts.issuer}</saml:Issuer><saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${facts.nameId}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${facts.notOnOrAfter.toISOString()}" Recipient="${facts.recipient}"${to}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${facts.notBefore.toISOString()}" NotOnOrAfter="${facts.notOnOrAfter.toISOString()}">${audience}</saml:Conditions><saml:AuthnStatement AuthnInstant="${at}" SessionIndex="${facts.assertionId}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>${attribute('email', facts.email)}${attribute('displayName', 'Ada Lovelace')}</saml:AttributeStatement></saml:Assertion></samlp:Response>`
}

function signResponse(xml: string, { signs, signature, digest, key }: SamlAssertionFields): string {
  if (signs === null) return xml
  const signer = new SignedXml({
    privateKey: key,
    signatureAlgorithm: signature,
    canonicalizationAlgorithm: EXC_C14N,
  })
  const xpath = `//*[local-name(.)='${signs}']`
  signer.addReference({ xpath, digestAlgorithm: digest, transforms: [ENVELOPED, EXC_C14N] })
  signer.computeSignature(xml, {
    location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' },
    prefix: 'ds',
  })
  return signer.getSignedXml()
}

/** The provider's key pair, made for these tests because Node cannot issue a certificate. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQCy5MJtTDpWzA7q
Tde2I9S2k8b2Fys3N8yvHR6I59/0N4NzrE8VwMsq/QN4BKSRIemY9OtLEpw9EF4Q
imyDVxlE5B9Xy7N1SPGKJ67z3djI2w2ndFyJsF0lvSXQGV+WXnE452eibsuko05q
ycE/ORySUwZPFjVF6l0cfwMuRbpiwTlCiyduxExLCwN2/+rkB0zDW2FiOF9XFlOh
pO+0dqDINTBnEgp4cq5U4O1gL63qawwKYnhZQObnLTHkim/JMbj910J7QC1p438o
IsxUQ59am6WcnxV9yRBA8/r+2xteAvVsjb/Oca/4TXtIgyZJgcnHrpF4Al6Q/hG7
xYXobEJjAgMBAAECggEAB+FCKk2pY8C1hwm1MmyWu7umc2BcVKBx0VYueHoCstht
0VQ70cnP6TS8HgxDo+pGm/3euL3x5Px4Iuopkwmz6AV/gbe93gZcMAXTPnfSoGj7
9jVV0/F8Cqr2zqd76aB/IHlTn6N9hY2Rvpar1CPh/RTsQTg7Ug6GLziYlkWJIFmE
NJo1JlmGsBX+vur08PKrRCIhflOGhC1fsc1Sng+ru2vQohU1aZ/SLPgGNQUSH/83
I3+VRX84kng2EHRdATIuYCpCiVHeR7tkQoPGgVmGKi0omYoabW6BEyrT72t4U5wB
FTzCyr75TisL5WDkFfy/5vFLsPDQFOjxjey1X7hskQKBgQDxxo5W68Myrct6yOMU
dZErGtT0L+pFA6b+SYORqKk78mJSjNgX9ffZ79ogzOGMmT5OvZ+PjSX8pLZXZX0z
YRVPa20Y4t7275as0YYqawzid3vRP0LCpOgEJL9YProOBo7/BFub22qK3H9N+s1b
/dVA8s2tLdUCFR+6LfDXZ/hRCQKBgQC9ax8TrpCuB8LxfPX/k+O2G1Srr3Nr7Z69
SBPj47uT4HnWNJh8V+cHAp+CsOjauL4kqs6G9MuUYCvwvEMh66gQA36a6BtUMQUt
ugTrKNqh4EwcVK+8Nf/VYlw6LzgkLLWX6+ZYh/jm/YY95fki2UBu7MFdK2FTbHSk
sBtkdIdPCwKBgQCrlQwDJ8IZvzk+5D4zkNP7UUl8Gl0ZqWPj5uwWfSnNP1ED4Kyj
JI5G/m9BA+W10DNl0jDgwX0J9SLqlz3pLqbe/BAqryco/BNkhjW++MXmGoGmmEya
skluV13sFGgZ+BGXbdJNo8PS1HUMNEd1V4j2VNoeYv5eQfuIN35KgKC7cQKBgEXs
gndgjLZB1TwSVjl33aq/Ih2S0jf4aw4Syozo57jqN+/UUKouRPG4jSvQpNUBN+gP
SdhWC8UFT5M53EpsVQk8UQNcRaJpyjCcJ+6rkTIKu+4FcS44fO3HtqYgAkiQXKTt
h4YNA9w5oNG+0J6Ftpx8N9FuDyqdsd2NyT7nKYALAoGBANPijWGuQYMATW1l489p
0/u/TB/vDnnXJBM30LFwZi1+wYwxLzLRgxvrrosHuEdaKBdkpIDsId4kQ1wjoqDg
c1Z4Tjq8Bc2CYhTPN71CRybfzlI+tPWn1/OHHBbGcOsETj4ouHEHArgH2INMCaV3
S5yZ40BVa5sdMzZWBBVlGsbP
-----END PRIVATE KEY-----`

export const SAML_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIDEzCCAfugAwIBAgIUUpm18Pqi5fMSZMQTwlhiX85t8b0wDQYJKoZIhvcNAQEL
BQAwGDEWMBQGA1UEAwwNc2FtbCBzdGFuZC1pbjAgFw0yNjExMjYwNTE0NTRaGA8y
MTI2MTEwMjA1MTQ1NFowGDEWMBQGA1UEAwwNc2FtbCBzdGFuZC1pbjCCASIwDQYJ
KoZIhvcNAQEBBQADggEPADCCAQoCggEBALLkwm1MOlbMDupN17Yj1LaTxvYXKzc3
zK8dHojn3/Q3g3OsTxXAyyr9A3gEpJEh6Zj060sSnD0QXhCKbINXGUTkH1fLs3VI
8YonrvPd2MjbDad0XImwXSW9JdAZX5ZecTjnZ6Juy6SjTmrJwT85HJJTBk8WNUXq
XRx/Ay5FumLBOUKLJ27ETEsLA3b/6uQHTMNbYWI4X1cWU6Gk77R2oMg1MGcSCnhy
rlTg7WAvreprDApieFlA5uctMeSKb8kxuP3XQntALWnjfygizFRDn1qbpZyfFX3J
EEDz+v7bG14C9WyNv85xr/hNe0iDJkmByceukXgCXpD+EbvFhehsQmMCAwEAAaNT
MFEwHQYDVR0OBBYEFJXgrT3RVJec4CwmylUHT+ywTktPMB8GA1UdIwQYMBaAFJXg
rT3RVJec4CwmylUHT+ywTktPMA8GA1UdEwEB/wQFMAMBAf8wDQYJKoZIhvcNAQEL
BQADggEBAGjbT09lNE8agc+C3E8MjdYk2LrCbEscmvStg1UkHfnVqcoP0xCWEwAC
Ek23RaBV/Fm5siqLWc/FuLRrrq8UtcTIL/WexYhZE0e9sK+gxRkX488qgjkwc9lb
1TF/ZLKjkUxJUCS9RL4oY1kDU+NTh8UG34cAlcaWMhvi1Dis83gepR++Cbxr6klA
3gad1PuM9+YEhSuBFTSDYKZqjiOAovMrPHK5iwyyXITeWl9QJlyd6ZRCsy/bdfUk
lpk9SZcBIr5wJ6wd62xvDAlVBy+jLxh/uYffs2nyYdbMltnwRdSFm2fQknoPJvLN
DfDckmi9niF84jKe3nNCHWk5heBcLrE=
-----END CERTIFICATE-----`

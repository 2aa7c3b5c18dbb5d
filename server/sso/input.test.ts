import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '../http/errors.ts'
import { SAML_CERTIFICATE } from '../testing/providers/saml-provider.ts'
import { readCertificates, readDomains } from './input.ts'

const refuses = (read: () => unknown, message: string) =>
  assert.throws(read, (error) => {
    assert.ok(error instanceof ApiError, String(error))
    assert.deepEqual([error.code, error.message], ['invalid_request', message])
    return true
  })
const refusedDomain = (text: string) =>
  refuses(
    () => readDomains(text),
    `domain: must be e-mail domains like acme.com, not ${JSON.stringify(text.trim())}`,
  )

describe('the domains of an identity provider', () => {
  test('a list of SSO domains is returned in ASCII and lower case, each domain once and in the given order', () => {
    assert.deepEqual(readDomains(' Acme.com,mail.acme.com , ACME.COM'), ['acme.com', 'mail.acme.com'])
    assert.deepEqual(readDomains('münchen.de, xn--mnchen-3ya.de'), ['xn--mnchen-3ya.de'])
    assert.deepEqual(readDomains('shop.co.uk,shop.github.io'), ['shop.co.uk', 'shop.github.io'])
  })

  test('a public suffix is refused as an SSO domain, because no single organization owns it', () => {
    for (const text of ['com', 'co.uk', 'github.io']) refusedDomain(text)
  })

  test('a name that cannot be the domain of an e-mail address is refused as an SSO domain', () => {
    for (const text of [
      '',
      'localhost',
      'acme..com',
      '.acme.com',
      'acme.com.',
      '-acme.com',
      `${'a'.repeat(64)}.com`,
      '"acme".com',
    ])
      refusedDomain(text)
  })

  test('an IP address is refused as an SSO domain in every form that a URL allows', () => {
    for (const text of ['1.2.3.4', '127.1', '0x7f.1', '2130706433', '[::1]']) refusedDomain(text)
  })

  test('a string of which a URL parser would read only a part is refused as an SSO domain and not shortened to that part', () => {
    for (const rest of ['/x', '\\x', '?x', '#x', ':80', '@x', '%2ex', '*', ' x'])
      refusedDomain(`acme.com${rest}`)
    for (const text of ['%61cme.com', 'https://acme.com', 'ada@acme.com', '*.acme.com']) refusedDomain(text)
  })

  test('a list of SSO domains with an empty entry or with more than ten different domains is refused', () => {
    refuses(() => readDomains('acme.com,'), 'domain: must be e-mail domains like acme.com, not ""')
    const domains = Array.from({ length: 11 }, (_, n) => `d${n}.com`)
    assert.equal(readDomains(domains.slice(1).join()).length, 10)
    assert.equal(readDomains(`${domains.slice(1).join()},d1.com`).length, 10)
    refuses(() => readDomains(domains.join()), 'domain: must have at most 10 domains')
  })
})

describe('the certificates of an identity provider', () => {
  test('one or several SSO certificates are returned as PEM without the text around them', () => {
    const pem = `${SAML_CERTIFICATE.trim()}\n`
    assert.deepEqual(readCertificates(SAML_CERTIFICATE), [pem])
    assert.deepEqual(readCertificates([`Certificate of Acme\n${pem}`, pem.replaceAll('\n', '\r\n')]), [
      pem,
      pem,
    ])
  })

  test('a string that is not a certificate is refused as an SSO certificate, even in a list with a valid certificate', () => {
    const refused = 'samlConfig.cert: must be an X.509 certificate as PEM'
    for (const cert of [
      '',
      'x',
      '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
      [SAML_CERTIFICATE, 'x'],
    ])
      refuses(() => readCertificates(cert), refused)
  })
})

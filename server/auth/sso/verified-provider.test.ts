import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emailDomain } from './verified-provider.ts'

test('the domain of an e-mail address is returned in ASCII and in small letters', () => {
  assert.equal(emailDomain('ada@acme.com'), 'acme.com')
  assert.equal(emailDomain(' Ada.L+x@ACME.com '), 'acme.com')
  assert.equal(emailDomain('ada@münchen.de'), 'xn--mnchen-3ya.de')
  assert.equal(emailDomain("o'neil@mail.acme.com"), 'mail.acme.com')
})

test('a text that is no plain e-mail address has no domain', () => {
  const texts = [
    '',
    'ada',
    '@acme.com',
    'ada@',
    'a@b@acme.com',
    'ada@ acme.com',
    '"a@evil.test"@acme.com',
    'Ada <ada@acme.com>',
    'a,b@acme.com',
  ]
  for (const text of texts) assert.equal(emailDomain(text), null, text)
})

test('an address whose domain only begins with a proven one has no domain', () => {
  for (const rest of [
    '/evil.test',
    '\\.evil.test',
    '?evil.test',
    '#evil.test',
    ':80',
    '%2eevil.test',
    '(evil.test)',
    ',b@evil.test',
    ';x',
    '>',
    '[1.2.3.4]',
  ])
    assert.equal(emailDomain(`ada@acme.com${rest}`), null, rest)
  assert.equal(emailDomain('ada@%61cme.com'), null)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emailDomain } from './verified-provider.ts'

test('the domain of an e-mail address is returned in ASCII and in lower case', () => {
  assert.equal(emailDomain('ada@acme.com'), 'acme.com')
  assert.equal(emailDomain(' Ada.L+x@ACME.com '), 'acme.com')
  assert.equal(emailDomain('ada@münchen.de'), 'xn--mnchen-3ya.de')
  assert.equal(emailDomain("o'neil@mail.acme.com"), 'mail.acme.com')
})

test('no domain is returned for a text that is not a plain e-mail address', () => {
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

test('no domain is returned for an address whose domain contains a character, such as / or %, that a URL parser treats specially', () => {
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

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseUserAgent, shortAddress } from './user-agent.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

describe('reading a User-Agent', () => {
  const cases: [string, string, string | null, string | null][] = [
    ['Chrome', `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`, 'Chrome', 'Linux'],
    [
      'Edge, which also names Chrome and Safari,',
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
      'Edge',
      'Windows',
    ],
    [
      'Safari on a phone, which also names Mac OS,',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari',
      'iPhone',
    ],
    [
      'Chrome on Android, which also names Linux,',
      `Mozilla/5.0 (Linux; Android 15; Pixel 9) ${WEBKIT} Chrome/140.0.0.0 Mobile Safari/537.36`,
      'Chrome',
      'Android',
    ],
    [
      'Firefox',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0',
      'Firefox',
      'macOS',
    ],
    ['a script', 'curl/8.5.0', 'curl', null],
    ['an unknown browser', 'Mozilla/5.0 (Haiku) Something', null, null],
  ]
  for (const [name, userAgent, program, system] of cases)
    test(`the User-Agent of ${name} is read as ${program ?? 'no program'} on ${system ?? 'no system'}`, () =>
      assert.deepEqual(parseUserAgent(userAgent), { program, system }))

  test('a missing User-Agent has neither a program nor a system', () => {
    assert.deepEqual(parseUserAgent(null), { program: null, system: null })
    assert.deepEqual(parseUserAgent(''), { program: null, system: null })
  })

  test('the program of a User-Agent has at most 40 characters and never contains markup', () => {
    assert.equal(parseUserAgent('x'.repeat(500)).program?.length, 40)
    assert.equal(parseUserAgent('<b>hello</b>').program, null)
  })
})

test('an IPv6 address is shown in its shortest form, and any other text is unchanged', () => {
  assert.equal(shortAddress('203.0.113.7'), '203.0.113.7')
  assert.equal(shortAddress('2001:0db8:0000:0000:0000:0000:0000:0001'), '2001:db8::1')
  assert.equal(shortAddress('not: an address'), 'not: an address')
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Hostname, zonesAbove } from './hostname.ts'

describe('host names', () => {
  test('a host name is normalized to lower-case punycode without a trailing dot', () => {
    assert.equal(Hostname.parse(' App.Example.COM. '), 'app.example.com')
    assert.equal(Hostname.parse('bücher.example'), 'xn--bcher-kva.example')
  })

  for (const bad of [
    '',
    'localhost',
    'https://app.example.com',
    'app.example.com/path',
    'app.example.com:8080',
    'me@example.com',
    '*.example.com',
    '192.0.2.1',
    '0x7f.1',
    'a..example.com',
    '-a.example.com',
    'a_b.example.com',
    `${'a'.repeat(64)}.example.com`,
    `${'abcdefg.'.repeat(40)}com`,
    'exa mple.com',
    'a\u0000b.example.com',
  ]) {
    test(`the host name ${JSON.stringify(bad.slice(0, 30))} is refused as a custom domain`, () => {
      assert.equal(Hostname.safeParse(bad).success, false)
    })
  }

  test('the possible DNS zones of a host name are the name and its parent domains, the longest first, but no top-level domain', () => {
    assert.deepEqual(zonesAbove('a.b.example.com'), ['a.b.example.com', 'b.example.com', 'example.com'])
  })
})

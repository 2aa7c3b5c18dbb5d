import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { canonicalAllowedIps } from './allowed-ips.ts'

describe('the list of allowed addresses', () => {
  const canonicalOne = (entry: string, own: string) => canonicalAllowedIps([entry], own)

  test('entries of the IP allowlist are normalized, and the host bits of a CIDR range are cleared', () => {
    const spellings: [string, string, string][] = [
      ['10.1.2.3/8', '10.0.0.0/8', '10.9.9.9'],
      ['192.0.2.7', '192.0.2.7', '192.0.2.7'],
      ['192.0.2.7/32', '192.0.2.7', '192.0.2.7'],
      ['0.0.0.0/0', '0.0.0.0/0', '192.0.2.7'],
      ['2001:DB8:0:0:0:0:0:1/32', '2001:db8::/32', '2001:db8:ffff::9'],
      ['2001:db8::1/128', '2001:db8::1', '2001:db8::1'],
      ['fe80::1/10', 'fe80::/10', 'fe80::2'],
      ['::ffff:10.1.2.3', '10.1.2.3', '10.1.2.3'],
      ['::ffff:10.1.2.3/104', '10.0.0.0/8', '10.200.0.1'],
      ['::FFFF:0a01:0203/128', '10.1.2.3', '10.1.2.3'],
      ['::/0', '::/0', '2001:db8::1'],
    ]
    for (const [given, kept, own] of spellings) assert.deepEqual(canonicalOne(given, own), [kept], given)
  })

  test('the IP allowlist contains each entry once, in the given order', () => {
    const given = [
      '10.0.0.0/8',
      '192.0.2.1',
      '10.255.0.1/8',
      '::ffff:192.0.2.1',
      '2001:db8::/64',
      '2001:db8:0::/64',
    ]
    assert.deepEqual(canonicalAllowedIps(given, '192.0.2.1'), ['10.0.0.0/8', '192.0.2.1', '2001:db8::/64'])
  })

  test('the IP allowlist may be empty', () => {
    assert.deepEqual(canonicalAllowedIps([], '192.0.2.1'), [])
  })

  test('an IP allowlist that excludes the person who sets it is refused, even when it allows the whole other IP family', () => {
    for (const entry of ['10.0.0.0/8', '::/0', '192.0.2.2', '192.0.2.2/31'])
      assert.throws(
        () => canonicalOne(entry, '192.0.2.1'),
        /^ApiError: allowedIps: must contain .*192\.0\.2\.1$/,
        entry,
      )
  })

  test('an entry of the IP allowlist that is not a valid address or CIDR range is refused with an error that names it', () => {
    const wrong = [
      '',
      ' ',
      '10.1',
      '0x7f.1',
      '010.0.0.1',
      '256.0.0.1',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '10.0.0.0/08',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '10.0.0.0/255.0.0.0',
      ' 10.0.0.1',
      '10.0.0.1:80',
      '[::1]',
      'fe80::1%eth0',
      '::1/129',
      ':::',
      '2001:db8::1::1',
      'localhost',
      '*',
      '10.0.0.*',
      '10.0.0.1-10.0.0.9',
      '10.0.0.1, 10.0.0.2',
    ]
    for (const entry of wrong)
      assert.throws(
        () => canonicalAllowedIps(['192.0.2.1', entry], '192.0.2.1'),
        /^ApiError: allowedIps\.1: /,
        entry,
      )
  })
})

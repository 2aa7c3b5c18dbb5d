import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AddressSet } from '../lib/ip.ts'
import { clientAddress } from './address.ts'

const nobody: string[] = []
const proxies = ['10.0.0.0/8', '127.0.0.1', 'fd00::/8']
const addressFrom = (peer: string | undefined, header: Record<string, string>, trusted = proxies) =>
  clientAddress(peer, new Headers(header), trusted)

const SPOOFS: Record<string, string>[] = [
  { 'x-forwarded-for': '198.51.100.1' },
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-for': '::1' },
  { 'x-forwarded-for': '10.0.0.1, 10.0.0.2' },
  { 'x-forwarded-for': '198.51.100.1, 127.0.0.1' },
  { 'x-forwarded-for': '' },
  { 'x-forwarded-for': ',' },
  { 'x-forwarded-for': 'unknown' },
  { forwarded: 'for=198.51.100.1' },
  { forwarded: 'for="[2001:db8::1]:80";proto=https;by=127.0.0.1' },
  { 'x-real-ip': '198.51.100.1' },
  { 'cf-connecting-ip': '198.51.100.1' },
  { 'true-client-ip': '198.51.100.1' },
  { 'x-client-ip': '198.51.100.1' },
  { 'x-cluster-client-ip': '198.51.100.1' },
  { 'fly-client-ip': '198.51.100.1' },
  { 'x-slipway-client-ip': '198.51.100.1' },
  { 'x-forwarded': '198.51.100.1' },
  { via: '1.1 198.51.100.1' },
  { 'x-forwarded-for': '198.51.100.1', 'x-real-ip': '198.51.100.1', forwarded: 'for=198.51.100.1' },
]

describe('the client address cannot be spoofed', () => {
  test('forwarding headers are ignored when the peer is not a trusted proxy, whether or not trusted proxies are configured', () => {
    for (const header of SPOOFS) {
      for (const trusted of [nobody, proxies]) {
        assert.equal(addressFrom('203.0.113.7', header, trusted), '203.0.113.7', JSON.stringify(header))
        assert.equal(addressFrom('2001:db8::7', header, trusted), '2001:db8::7', JSON.stringify(header))
      }
    }
  })

  // `X-Forwarded-For` headers as they arrive behind trusted proxies. The first proxy has appended the address
  // of the client, 203.0.113.7, and each further proxy has appended the address of the proxy before it.
  const BEHIND_ONE_PROXY = [
    '198.51.100.1, 203.0.113.7',
    '127.0.0.1, 203.0.113.7',
    '10.0.0.1, 203.0.113.7',
    '10.0.0.1, 10.0.0.2, 203.0.113.7',
    'unknown, 203.0.113.7',
    '_hidden, 203.0.113.7',
    ', 203.0.113.7',
    '203.0.113.7',
    ' 203.0.113.7 ',
    '203.0.113.7:443',
    '::ffff:203.0.113.7',
    '::FFFF:203.0.113.7',
    '::ffff:cb00:7107',
    '[::ffff:203.0.113.7]:443',
    '"198.51.100.1", 203.0.113.7',
    '198.51.100.1\t,\t203.0.113.7',
    '0x7f.1, 203.0.113.7',
    '2130706433, 203.0.113.7',
    '198.51.100.1, 203.0.113.7, 10.1.2.3',
    '198.51.100.1, 203.0.113.7, 10.1.2.3, 127.0.0.1',
  ]
  for (const header of BEHIND_ONE_PROXY) {
    test(`behind trusted proxies the last untrusted X-Forwarded-For entry is the client address: ${JSON.stringify(header)}`, () => {
      assert.equal(addressFrom('10.0.0.9', { 'x-forwarded-for': header }), '203.0.113.7')
    })
  }

  test('X-Forwarded-For is read from right to left up to a malformed entry, and the last valid address is the client address', () => {
    for (const bad of [
      'unknown',
      '',
      '10.1',
      '0x0a.1',
      '010.0.0.1',
      '1.2.3.4.5',
      '203.0.113.7;',
      '203.0.113.7 x',
      '[::1',
      ':80',
    ]) {
      assert.equal(addressFrom('10.0.0.9', { 'x-forwarded-for': `203.0.113.7, ${bad}` }), '10.0.0.9', bad)
      assert.equal(
        addressFrom('10.0.0.9', { 'x-forwarded-for': `203.0.113.7, ${bad}, 10.0.0.8` }),
        '10.0.0.8',
        bad,
      )
    }
  })

  test('several X-Forwarded-For headers in one request are read as one list', () => {
    const headers = new Headers()
    headers.append('x-forwarded-for', '198.51.100.1')
    headers.append('x-forwarded-for', '203.0.113.7')
    assert.equal(clientAddress('10.0.0.9', headers, proxies), '203.0.113.7')
  })

  test("when a trusted proxy sends no X-Forwarded-For header, the proxy's address is the client address", () => {
    assert.equal(addressFrom('10.0.0.9', {}), '10.0.0.9')
  })

  test('the address of a peer has the same form whether the socket reports it as an IPv4 or an IPv4-mapped IPv6 address', () => {
    assert.equal(addressFrom('::ffff:203.0.113.7', {}), '203.0.113.7')
    assert.equal(addressFrom('::ffff:10.0.0.9', { 'x-forwarded-for': '203.0.113.7' }), '203.0.113.7')
    assert.equal(addressFrom('fe80::1%eth0', {}), 'fe80::1')
    assert.equal(addressFrom('2001:DB8:0:0:0:0:0:7', {}), '2001:db8::7')
    assert.equal(addressFrom('fd00::9', { 'x-forwarded-for': '[2001:DB8::7]:443' }), '2001:db8::7')
    assert.equal(addressFrom(undefined, { 'x-forwarded-for': '203.0.113.7' }), '0.0.0.0')
    assert.equal(addressFrom('', {}), '0.0.0.0')
  })

  test('a list of trusted proxies with an entry that is neither an address nor a CIDR range is refused', () => {
    for (const entry of [
      '10.1',
      'proxy.lan',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      'fe80::1%eth0',
      '',
    ]) {
      assert.throws(() => new AddressSet([entry]), /neither an address nor a CIDR/, entry)
    }
  })
})

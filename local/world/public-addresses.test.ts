import assert from 'node:assert/strict'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { isIP } from 'node:net'
import { describe, test } from 'node:test'
import { ownAddresses, publicAddress, unreachableCause } from './public-addresses.ts'

const PRIVATE = /^Apps reach public addresses only/

describe('which addresses an app can reach', () => {
  test('apps can reach public addresses, even those next to the private ranges', async () => {
    const hosts = [
      '1.1.1.1',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
      '128.0.0.0',
      '169.253.255.255',
      '169.255.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '192.0.1.0',
      '192.167.255.255',
      '192.169.0.0',
      '198.17.255.255',
      '198.20.0.0',
      '223.255.255.255',
      '[2606:4700:4700::1111]',
      '[2001:db8::1]',
      '[2003::1]',
    ]
    for (const host of hosts) {
      assert.equal(await unreachableCause(host), null, host)
      assert.equal(await publicAddress(host), host.replaceAll(/[[\]]/g, ''), host)
    }
  })

  test('an address of this machine or of a private network cannot be reached, in any notation', async () => {
    const hosts = [
      '0.0.0.0',
      '0.255.255.255',
      '10.0.0.0',
      '10.255.255.255',
      '100.64.0.1',
      '127.0.0.1',
      '127.255.255.254',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.8',
      '192.168.1.1',
      '198.19.255.255',
      '224.0.0.1',
      '255.255.255.255',
      '[::]',
      '[::1]',
      '[::ffff:10.0.0.1]',
      '[::ffff:a9fe:a9fe]',
      '[::127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[64:ff9b:1::a00:1]',
      '[2002:7f00:1::1]',
      '[fd00::1]',
      '[fe80::1]',
      '[fec0::1]',
      '[ff02::1]',
      'localhost',
    ]
    for (const host of hosts) {
      assert.match((await unreachableCause(host)) ?? '', PRIVATE, host)
      assert.equal(await publicAddress(host), null, host)
    }
  })

  test('an address of a network interface of this machine cannot be reached', async () => {
    const addresses = ownAddresses()
    assert.ok(addresses.length > 0)
    for (const cidr of addresses) {
      const [address = '', bits] = cidr.split('/')
      assert.equal(bits, isIP(address) === 4 ? '32' : '128', cidr)
      assert.match((await unreachableCause(address)) ?? '', PRIVATE, cidr)
    }
  })

  test('a public address of a network interface of this machine cannot be reached', async (t) => {
    const addresses = ['203.0.113.5', '2606:4700::5']
    t.mock.method(os, 'networkInterfaces', () => ({
      eth0: addresses.map((address) => ({ address, family: isIP(address) === 4 ? 'IPv4' : 'IPv6' })),
    }))
    // The tested module imports `networkInterfaces` by name, so its binding must be updated too.
    syncBuiltinESMExports()
    const causes = await Promise.all(addresses.map(unreachableCause))
    t.mock.restoreAll()
    syncBuiltinESMExports()
    for (const cause of causes) assert.match(cause ?? '', PRIVATE)
    assert.deepEqual(await Promise.all(addresses.map(unreachableCause)), [null, null])
  })

  test('looking up a host name without an address returns no public address and that cause', async () => {
    for (const host of ['no-such-host.invalid', ''])
      assert.deepEqual(
        [await unreachableCause(host), await publicAddress(host)],
        ['The host name has no address.', null],
        host,
      )
  })
})

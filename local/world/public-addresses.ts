import { BlockList, isIPv6 } from 'node:net'
import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'

const PRIVATE_RANGES = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const
/**
 * `64:ff9b:1::/48` (RFC 8215) and `2002::/16` (6to4) contain IPv4 addresses, private ones included. Does not contain `::ffff:0:0/96`.
 * `BlockList` compares addresses of that range with the IPv4 ranges too. It also compares every IPv4 address with the ranges below, so such
 * an entry would block all IPv4 addresses.
 */
const PRIVATE_V6 = [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const

/** The addresses of this machine, as CIDRs. Some may be public, so the check for private ranges would not refuse them. */
export function ownAddresses(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
  return addresses.map(({ address, family }) => `${address}/${family === 'IPv4' ? 32 : 128}`)
}

function privateAddresses(): BlockList {
  const list = new BlockList()
  for (const [net, prefix] of PRIVATE_RANGES) list.addSubnet(net, prefix, 'ipv4')
  for (const [net, prefix] of PRIVATE_V6) list.addSubnet(net, prefix, 'ipv6')
  // This machine may have a public address, which apps and pages in the browser must not reach.
  for (const cidr of ownAddresses()) {
    const [address = ''] = cidr.split('/')
    list.addAddress(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return list
}

const addressesOf = (host: string) => lookup(host.replace(/^\[|\]$/g, ''), { all: true }).catch(() => [])

/** Returns whether all addresses are public: a host with public and private addresses is a DNS rebinding attack. */
function arePublic(addresses: LookupAddress[]): boolean {
  const list = privateAddresses()
  return addresses.every(({ address, family }) => !list.check(address, family === 6 ? 'ipv6' : 'ipv4'))
}

/** Resolves a host. Returns null when the host has no address or a private address. */
export async function publicAddress(host: string): Promise<string | null> {
  const addresses = await addressesOf(host)
  return arePublic(addresses) ? (addresses[0]?.address ?? null) : null
}

/** Returns why no request of an app can reach a host, or null when all its addresses are public. */
export async function unreachableCause(host: string): Promise<string | null> {
  const addresses = await addressesOf(host)
  if (addresses.length === 0) return 'The host name has no address.'
  if (arePublic(addresses)) return null
  return 'Apps reach public addresses only: not this machine, not its private network.'
}

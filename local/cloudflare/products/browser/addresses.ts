import { BlockList, isIPv6 } from 'node:net'
import { lookup } from 'node:dns/promises'
import { ownAddresses } from '../../runtime/egress.ts'

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
const PRIVATE_V6 = [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const

function privateAddresses(): BlockList {
  const list = new BlockList()
  for (const [net, prefix] of PRIVATE_RANGES) list.addSubnet(net, prefix, 'ipv4')
  for (const [net, prefix] of PRIVATE_V6) list.addSubnet(net, prefix, 'ipv6')
  // This machine may have a public address, which must not be reachable for pages either.
  for (const cidr of ownAddresses()) {
    const [address = ''] = cidr.split('/')
    list.addAddress(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return list
}

/** Resolves a host. Returns null when it has no address or a private one. */
export async function publicAddress(host: string): Promise<string | null> {
  const list = privateAddresses()
  const found = await lookup(host.replace(/^\[|\]$/g, ''), { all: true }).catch(() => [])
  const isPublic = ({ address, family }: { address: string; family: number }) =>
    !list.check(address, family === 6 ? 'ipv6' : 'ipv4')
  // One private address is enough to reject the host: a host with public and private addresses is a DNS rebinding attack.
  return found.length > 0 && found.every(isPublic) ? (found[0]?.address ?? null) : null
}

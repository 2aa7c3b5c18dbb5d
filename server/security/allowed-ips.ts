import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { invalid } from '../http/errors.ts'
import { AddressSet, readRange } from '../lib/ip.ts'

/**
 * Normalizes a list for storage and comparison: host bits are cleared, IPv4-mapped IPv6 becomes IPv4, IPv6 is compressed, each entry is
 * listed once. Throws 400 for a list without `own`, the caller's address, because such a list would lock the caller out.
 */
export function canonicalAllowedIps(entries: readonly string[], own: string): string[] {
  const list = [...new Set(entries.map(canonicalEntry))]
  if (list.length > 0 && !new AddressSet(list).has(own))
    throw invalid('allowedIps', `must contain the address you are calling from, ${own}`)
  return list
}

function canonicalEntry(text: string, index: number): string {
  const range = readRange(text)
  if (range === null)
    throw invalid(`allowedIps.${index}`, 'must be an address or a range, like 192.0.2.7 or 2001:db8::/32')
  const isV4 = isIP(range.address) === 4
  if (range.prefix === (isV4 ? 32 : 128)) return range.address
  const cidr = `${range.address}/${range.prefix}`
  const network = isV4 ? ipaddr.IPv4.networkAddressFromCIDR(cidr) : ipaddr.IPv6.networkAddressFromCIDR(cidr)
  return `${network.toString()}/${range.prefix}`
}

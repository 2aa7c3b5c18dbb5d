import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { AddressSet, normalAddress, readRange } from './ip.ts'

/** Returns the reason why a connection must not be made, or null when it may. */
export type AddressPolicy = (target: { host: string; port: number; address: string }) => string | null

/** Error messages name this setting, so that the operator finds it. */
export const ALLOW_SETTING = 'SLIPWAY_OUTBOUND_ALLOW'

/**
 * Private ranges, such as the operator's own network. A connection to such a range is allowed when the operator lists
 * the host, address or range.
 */
const PRIVATE_RANGES: Record<string, string> = {
  private: 'private',
  carrierGradeNat: 'shared',
  loopback: 'loopback',
  uniqueLocal: 'private',
}

/** Cloud metadata services, which return credentials to every caller. They are allowed only by their exact address. */
const METADATA_ADDRESSES = new Set([
  '169.254.169.254',
  'fd00:ec2::254',
  'fd20:ce::254',
  '100.100.100.200',
  '168.63.129.16',
])

/**
 * Returns the policy for the destinations that the operator allows (`allow`). An entry may be a host, an address, a
 * range or an origin, and allows the private addresses that it covers. A link-local or metadata address is allowed only
 * by an entry of exactly this address. Other ranges that are not public, such as multicast, are never allowed.
 */
export function addressPolicy(allow: readonly string[]): AddressPolicy {
  const ranges = allow.filter((entry) => readRange(entry) !== null)
  const exact = new Set(ranges.filter((entry) => isIP(entry) !== 0).map((entry) => normalAddress(entry)))
  const origins = new Set(allow.filter((entry) => entry.includes('://')).map(hostAndPort))
  const hosts = new Set(allow.filter((entry) => !entry.includes('://')).map(hostName))
  const listed = new AddressSet(ranges)

  return ({ host, port, address: text }) => {
    const address = normalAddress(text)
    if (address === null) return `${host} has no usable address.`
    const isName = isIP(host) === 0
    // The message must not reveal what a name resolves to inside this network.
    const hidden = `${host} is not public, so Slipway does not connect to it`
    const neverAllowed = (kind: string) =>
      isName ? `${hidden}.` : `${address} is a ${kind} address, to which Slipway never connects.`
    const notAllowed = (kind: string, entry: string) =>
      `${isName ? hidden : `${address} is a ${kind} address`}: add ${entry} to ${ALLOW_SETTING} if Slipway may connect to it.`

    const range = rangeOf(address)
    if (METADATA_ADDRESSES.has(address) || range === 'linkLocal') {
      const kind = METADATA_ADDRESSES.has(address) ? 'cloud metadata' : 'link-local'
      if (exact.has(address)) return null
      return isName ? neverAllowed(kind) : notAllowed(kind, address)
    }
    if (range === 'unicast') return null
    const kind = PRIVATE_RANGES[range]
    if (kind === undefined) return neverAllowed(range)
    if (hosts.has(host) || origins.has(`${host}:${port}`) || listed.has(address)) return null
    return notAllowed(kind, isName ? host : address)
  }
}

/**
 * Returns why a URL that a person entered is refused, or null. Resolves no host name: a name is checked at each
 * connection instead, because it may resolve to another address later.
 */
export function addressRefusal(text: string, allow: readonly string[]): string | null {
  const url = new URL(text)
  const host = hostName(url.hostname)
  const address = host === 'localhost' ? '127.0.0.1' : host
  if (isIP(address) === 0) return null
  return addressPolicy(allow)({ host, port: portOf(url), address })
}

/** Normalizes a host for comparison: lower case, no brackets, no trailing dot. */
export function hostName(host: string): string {
  const bare = host.toLowerCase().replace(/\.$/, '')
  return normalAddress(bare) ?? bare
}

function rangeOf(address: string): string {
  const parsed = ipaddr.parse(address)
  // The deprecated IPv4-compatible form ::a.b.c.d, which the library treats as public (RFC 4291, 2.5.5.1).
  const isCompatible =
    parsed.kind() === 'ipv6' &&
    parsed
      .toByteArray()
      .slice(0, 12)
      .every((byte) => byte === 0)
  const range = parsed.range()
  return isCompatible && range === 'unicast' ? 'reserved' : range
}

function hostAndPort(origin: string): string {
  const url = new URL(origin)
  return `${hostName(url.hostname)}:${portOf(url)}`
}

/** Returns the port of a URL, or the default of its scheme. */
export const portOf = (url: { port: string; protocol: string }): number =>
  Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

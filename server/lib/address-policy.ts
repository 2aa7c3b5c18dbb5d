import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { AddressSet, normalAddress, readRange } from './ip.ts'

/** Returns why the connection must not be made; null when it may. */
export type AddressPolicy = (target: { host: string; port: number; address: string }) => string | null

/** Named in messages, so that the operator finds it. */
export const ALLOW_SETTING = 'SLIPWAY_OUTBOUND_ALLOW'

/** Allowed by listing the host, the address or a range: the networks of a self-hoster. */
const PRIVATE: Record<string, string> = {
  private: 'private',
  carrierGradeNat: 'shared',
  loopback: 'loopback',
  uniqueLocal: 'private',
}

/** Cloud metadata services, which return credentials to any caller; allowed only by the exact address. */
const METADATA = new Set([
  '169.254.169.254',
  'fd00:ec2::254',
  'fd20:ce::254',
  '100.100.100.200',
  '168.63.129.16',
])

/**
 * Compiles the policy: private addresses are allowed for a listed host, address, range or origin; link-local
 * and metadata addresses for the exact address only; special addresses never.
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
    const hidden = `${host} is not public, so it is not reachable from here`
    const never = (kind: string) =>
      isName ? `${hidden}.` : `${address} is a ${kind} address, which is never connected to.`
    const refused = (kind: string, entry: string) =>
      `${isName ? hidden : `${address} is a ${kind} address`}: add ${entry} to ${ALLOW_SETTING} if Slipway may connect to it.`

    const range = rangeOf(address)
    if (METADATA.has(address) || range === 'linkLocal') {
      const kind = METADATA.has(address) ? 'cloud metadata' : 'link-local'
      if (exact.has(address)) return null
      return isName ? never(kind) : refused(kind, address)
    }
    if (range === 'unicast') return null
    const kind = PRIVATE[range]
    if (kind === undefined) return never(range)
    if (hosts.has(host) || origins.has(`${host}:${port}`) || listed.has(address)) return null
    return refused(kind, isName ? host : address)
  }
}

/**
 * Returns why an address that a person entered would be refused, judged by its text alone. Other names are
 * checked at each connection, because what they resolve to may change.
 */
export function refusalOf(text: string, allow: readonly string[]): string | null {
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
  // ::a.b.c.d, the deprecated v4-compatible form, which the library treats as public (RFC 4291, 2.5.5.1).
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

/** The scheme's default when the address names none. */
export const portOf = (url: { port: string; protocol: string }): number =>
  Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

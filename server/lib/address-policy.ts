import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { AddressSet, normalAddress, readRange } from './ip.ts'

/** Answers why a connection must not be made, or null when it may. */
export type AddressPolicy = (target: { host: string; port: number; address: string }) => string | null

/** The setting by which the operator opens private addresses. */
export const ALLOW_SETTING = 'SLIPWAY_OUTBOUND_ALLOW'

/** Opened by listing the host, the address or a range: what a self-hoster's own network consists of. */
const PRIVATE: Record<string, string> = {
  private: 'private',
  carrierGradeNat: 'shared',
  loopback: 'loopback',
  uniqueLocal: 'private',
}

/** Where clouds hand credentials to whoever asks; opened only by the exact address. */
const METADATA = new Set([
  '169.254.169.254',
  'fd00:ec2::254',
  'fd20:ce::254',
  '100.100.100.200',
  '168.63.129.16',
])

/**
 * Compiles the two tiers: private addresses open for a listed host, address, range or origin; link-local and
 * metadata addresses for the exact address only; everything that is not a place of its own never.
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
    // What a name leads to inside this network is not for the person who typed it in.
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
 * Why an address that somebody typed in would be refused, as far as its text alone tells. Other names are judged
 * whenever a connection is made, because what they resolve to may change.
 */
export function refusalOf(text: string, allow: readonly string[]): string | null {
  const url = new URL(text)
  const host = hostName(url.hostname)
  const address = host === 'localhost' ? '127.0.0.1' : host
  if (isIP(address) === 0) return null
  return addressPolicy(allow)({ host, port: portOf(url), address })
}

/** A host as it is compared: lower case, without brackets and the root's trailing dot. */
export function hostName(host: string): string {
  const bare = host.toLowerCase().replace(/\.$/, '')
  return normalAddress(bare) ?? bare
}

function rangeOf(address: string): string {
  const parsed = ipaddr.parse(address)
  // ::a.b.c.d, the abandoned v4-compatible form, which the library takes for public (RFC 4291, 2.5.5.1).
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

/** The port of an address, the scheme's own when none is named. */
export const portOf = (url: { port: string; protocol: string }): number =>
  Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

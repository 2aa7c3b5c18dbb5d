import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Normalizes an address for comparison and storage: IPv4-mapped IPv6 becomes IPv4, IPv6 is compressed and in
 * lower case. Removes port, brackets and zone id. Returns null for text that `net.isIP` refuses (short, octal
 * and hex forms).
 */
export function normalAddress(text: string): string | null {
  const bare = withoutPort(text.trim()).replace(/%.*$/, '')
  return isIP(bare) === 0 ? null : ipaddr.process(bare).toString()
}

function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)
  if (bracketed) return bracketed[1] ?? ''
  return /^[\d.]+:\d{1,5}$/.test(text) ? text.slice(0, text.indexOf(':')) : text
}

/** A list of addresses and ranges, compiled for many look-ups. */
export class AddressSet {
  // One list for each IP version: in a common list `::/0` would also match IPv4 addresses.
  readonly #ipv4Addresses = new BlockList()
  readonly #ipv6Addresses = new BlockList()

  /** Throws on an entry that is neither an address nor a CIDR. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const range = readRange(entry)
      if (range === null) throw new Error(`${JSON.stringify(entry)} is neither an address nor a CIDR`)
      const family = isIP(range.address) === 4 ? 'ipv4' : 'ipv6'
      this.#listOf(family).addSubnet(range.address, range.prefix, family)
    }
  }

  /** `address` must have the form that `normalAddress` returns. */
  has(address: string): boolean {
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    return this.#listOf(family).check(address, family)
  }

  #listOf(family: 'ipv4' | 'ipv6'): BlockList {
    return family === 'ipv4' ? this.#ipv4Addresses : this.#ipv6Addresses
  }
}

/** Parses an address or CIDR range; IPv4-mapped IPv6 ranges become IPv4. Returns null for other text. */
export function readRange(text: string): { address: string; prefix: number } | null {
  const [address = '', prefixText, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || rest.length > 0) return null
  const width = version === 4 ? 32 : 128
  if (prefixText !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefixText)) return null
  const prefix = prefixText === undefined ? width : Number(prefixText)
  if (prefix > width) return null
  const isMapped = version === 6 && ipaddr.IPv6.parse(address).isIPv4MappedAddress() && prefix >= 96
  if (isMapped) return { address: ipaddr.process(address).toString(), prefix: prefix - 96 }
  return { address: ipaddr.parse(address).toString(), prefix }
}

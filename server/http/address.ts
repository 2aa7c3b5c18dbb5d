import { AddressSet, normalAddress } from '../lib/ip.ts'

/** The address for a peer that has no address, because its socket is closed or a Unix socket. No allowlist contains it. */
export const UNKNOWN_ADDRESS = '0.0.0.0'

/**
 * Returns the client's address. Reads `X-Forwarded-For` only when the peer is a trusted proxy. Reads it from right to
 * left, up to the first address that is not a trusted proxy, because a client can forge the entries left of that
 * address. Similar headers are ignored, because no proxy overwrites all of them.
 */
export function clientAddress(
  socketAddress: string | undefined,
  headers: Headers,
  trustedProxies: readonly string[],
): string {
  const trusted = addressSetOf(trustedProxies)
  let last = (socketAddress && normalAddress(socketAddress)) || UNKNOWN_ADDRESS
  const hops = headers.get('x-forwarded-for')?.split(',') ?? []
  while (trusted.has(last)) {
    const hop = hops.pop()
    const address = hop === undefined ? null : normalAddress(hop)
    if (address === null) break
    last = address
  }
  return last
}

// The compiled lists of trusted proxies. The configured list never changes, so it is compiled once.
const compiledLists = new WeakMap<readonly string[], AddressSet>()

function addressSetOf(entries: readonly string[]): AddressSet {
  const known = compiledLists.get(entries) ?? new AddressSet(entries)
  compiledLists.set(entries, known)
  return known
}

/**
 * The maximum number of compiled allowlists in the cache. They are cached, because compiling one takes longer than
 * checking an address.
 */
const CACHED_LISTS_MAX = 1000
const setCache = new Map<string, AddressSet>()

/**
 * Returns whether an organization's IP allowlist contains this address, which must have the form that `clientAddress`
 * returns.
 */
export function isListed(address: string, entries: readonly string[]): boolean {
  const name = entries.join(' ')
  const list = setCache.get(name) ?? new AddressSet(entries)
  // Inserted again at the end, so that the first entry is the least recently used.
  setCache.delete(name)
  setCache.set(name, list)
  if (setCache.size > CACHED_LISTS_MAX) for (const oldest of setCache.keys().take(1)) setCache.delete(oldest)
  return list.has(address)
}

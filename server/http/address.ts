import { AddressSet, normalAddress } from '../lib/ip.ts'

/** Stands for a peer without an address (a closed or unix socket); no allow-list ever names it. */
export const UNKNOWN_ADDRESS = '0.0.0.0'

/**
 * The client's address. `X-Forwarded-For` is read only when the peer is a trusted proxy, from right to left over
 * trusted addresses: every entry further left was written by somebody we do not know. Other headers of this kind
 * are ignored, since no proxy overwrites all of them.
 */
export function clientAddress(
  socketAddress: string | undefined,
  headers: Headers,
  trustedProxies: readonly string[],
): string {
  const trusted = compiled(trustedProxies)
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

// The configured list never changes; it is compiled at its first use.
const lists = new WeakMap<readonly string[], AddressSet>()

function compiled(entries: readonly string[]): AddressSet {
  const known = lists.get(entries) ?? new AddressSet(entries)
  lists.set(entries, known)
  return known
}

/** Policies whose list is kept compiled, which takes longer than asking it. */
const KEPT_LISTS = 1000
const kept = new Map<string, AddressSet>()

/** Whether an organization's list names this address, which is in the form `clientAddress` answers. */
export function isListed(address: string, entries: readonly string[]): boolean {
  const name = entries.join(' ')
  const list = kept.get(name) ?? new AddressSet(entries)
  // Put back at the end: the first one is the one not asked for longest.
  kept.delete(name)
  kept.set(name, list)
  if (kept.size > KEPT_LISTS) for (const oldest of kept.keys().take(1)) kept.delete(oldest)
  return list.has(address)
}

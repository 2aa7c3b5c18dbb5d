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

import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, fetch as undiciFetch } from 'undici'

/**
 * Resolves names under `.localhost`, which Node does not resolve although curl and browsers do. The local
 * emulation of Cloudflare serves each app under such a name.
 */
export const lookupWithLocalhost: LookupFunction = (hostname, options, callback) => {
  if (hostname !== 'localhost' && !hostname.endsWith('.localhost')) return lookup(hostname, options, callback)
  if (options.all === true) return callback(null, [{ address: '127.0.0.1', family: 4 }])
  callback(null, '127.0.0.1', 4)
}

const cloudAgent = new Agent({
  connect: { lookup: lookupWithLocalhost },
  // Short: a restart of the local Cloudflare emulation would leave dead connections in the pool, and an open
  // connection would keep a test process from exiting.
  keepAliveTimeout: 4_000,
})

/**
 * `fetch` that also reaches `*.localhost` hosts. Used for Cloudflare, its local emulation and the apps in
 * both.
 */
export const cloudFetch = (url: string, init: NonNullable<Parameters<typeof undiciFetch>[1]> = {}) =>
  undiciFetch(url, { ...init, dispatcher: cloudAgent })

/** The response of undici, whose type differs from the global one. Its body must be read or cancelled, or the connection is never released. */
export type CloudResponse = Awaited<ReturnType<typeof cloudFetch>>

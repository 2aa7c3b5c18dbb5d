import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, fetch as undiciFetch } from 'undici'

/** Node does not resolve names under .localhost (curl and browsers do), and all apps of the local cloud use them. */
export const lookupWithLocalhost: LookupFunction = (hostname, options, callback) => {
  if (hostname !== 'localhost' && !hostname.endsWith('.localhost')) return lookup(hostname, options, callback)
  if (options.all === true) return callback(null, [{ address: '127.0.0.1', family: 4 }])
  callback(null, '127.0.0.1', 4)
}

const agent = new Agent({
  connect: { lookup: lookupWithLocalhost },
  // Short, so that a restarted stand-in is not called through a dead socket and an idle socket does not hold
  // a test open.
  keepAliveTimeout: 4_000,
})

/** `fetch` that also reaches `*.localhost` hosts: for the provider, the local cloud and its apps. */
export const cloudFetch = (url: string, init: NonNullable<Parameters<typeof undiciFetch>[1]> = {}) =>
  undiciFetch(url, { ...init, dispatcher: agent })

/**
 * The response of undici, whose type differs from the global one. The body has to be read or cancelled, or
 * its connection stays taken.
 */
export type CloudResponse = Awaited<ReturnType<typeof cloudFetch>>

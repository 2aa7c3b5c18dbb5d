import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, fetch as undiciFetch } from 'undici'

// Node resolves no name under .localhost (curl and browsers do), and every app of the local cloud lives there.
const lookupWithLocalhost: LookupFunction = (hostname, options, callback) => {
  if (hostname !== 'localhost' && !hostname.endsWith('.localhost')) return lookup(hostname, options, callback)
  if (options.all === true) return callback(null, [{ address: '127.0.0.1', family: 4 }])
  callback(null, '127.0.0.1', 4)
}

const agent = new Agent({
  connect: { lookup: lookupWithLocalhost },
  // A stopped stand-in must not be met again through a dead socket, and an idle one must not hold a test open.
  keepAliveTimeout: 4_000,
})

/** `fetch` that reaches `*.localhost` hosts too: for the provider, the local cloud and the apps on it. */
export const cloudFetch = (url: string, init: NonNullable<Parameters<typeof undiciFetch>[1]> = {}) =>
  undiciFetch(url, { ...init, dispatcher: agent })

export type CloudResponse = Awaited<ReturnType<typeof cloudFetch>>

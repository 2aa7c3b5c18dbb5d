import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, fetch as undiciFetch } from 'undici'
import { limitBody, RESPONSE_BYTES_MAX } from '../lib/limit-body.ts'

/**
 * Resolves host names under `.localhost`, which Node does not resolve although curl and browsers do. The local
 * emulator of Cloudflare serves each app under such a name.
 */
export const lookupWithLocalhost: LookupFunction = (hostname, options, callback) => {
  if (hostname !== 'localhost' && !hostname.endsWith('.localhost')) return lookup(hostname, options, callback)
  if (options.all === true) return callback(null, [{ address: '127.0.0.1', family: 4 }])
  callback(null, '127.0.0.1', 4)
}

const cloudAgent = new Agent({
  connect: { lookup: lookupWithLocalhost },
  // Short for two reasons. After a restart of Cloudflare's local emulator, old connections leave the pool soon. And
  // open connections do not keep a test process from exiting.
  keepAliveTimeout: 4_000,
})

/**
 * A `fetch` that also reaches hosts under `.localhost`. It is used for Cloudflare, for its local emulator and for the
 * apps that either of them runs. The body of the response fails after `bytesMax` bytes, because the workers of an
 * organization's account may send anything.
 */
export const cloudFetch = async (
  url: string,
  { bytesMax = RESPONSE_BYTES_MAX, ...init }: CloudRequestInit = {},
) => limitBody(await undiciFetch(url, { ...init, dispatcher: cloudAgent }), bytesMax)

type CloudRequestInit = NonNullable<Parameters<typeof undiciFetch>[1]> & {
  /** `Infinity` for a body that is passed on to the client and not read into memory. */
  bytesMax?: number | undefined
}

/**
 * A response of undici, whose type differs from the global `Response`. Its body must be read or cancelled, or the
 * connection is never released.
 */
export type CloudResponse = Awaited<ReturnType<typeof cloudFetch>>

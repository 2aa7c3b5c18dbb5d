import { AsyncLocalStorage } from 'node:async_hooks'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { outboundFetch } from '../../lib/outbound.ts'

const PROVIDER_MS_MAX = 10_000
const PROVIDER_BYTES_MAX = 1024 * 1024

/** Requests of the auth library to identity providers, whose addresses the admins of organizations enter. */
export interface ProviderFetch {
  /** Runs `work`, whose requests with the global `fetch` reach public addresses only and are limited in time and size. */
  run<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

const currentFetch = new AsyncLocalStorage<typeof fetch>()
let isInstalled = false

/**
 * Replaces the global `fetch`, because the single sign-on plugin reads tokens, keys and user info with it and accepts no other function.
 * Outside of `run` the global `fetch` works as before.
 */
function installOnce(): void {
  if (isInstalled) return
  isInstalled = true
  const globalFetch = globalThis.fetch
  globalThis.fetch = (input, init) => (currentFetch.getStore() ?? globalFetch)(input, init)
}

export function openProviderFetch(
  { outboundAllow, trustedIdpOrigins }: Pick<Config, 'outboundAllow' | 'trustedIdpOrigins'>,
  log: Logger,
): ProviderFetch {
  installOnce()
  const outbound = outboundFetch({
    allow: [...outboundAllow, ...trustedIdpOrigins],
    totalTimeoutMs: PROVIDER_MS_MAX,
    maxBytes: PROVIDER_BYTES_MAX,
  })
  const fetchWhole: typeof fetch = async (input, init) => {
    try {
      const response = await outbound(input, init)
      return new Response(response.body && (await response.arrayBuffer()), response)
    } catch (error) {
      // The query and the body are left out, because they can have secrets.
      const url = URL.parse(input instanceof Request ? input.url : input)
      log.info(
        { err: error, url: url && url.origin + url.pathname },
        'a request to an identity provider failed',
      )
      // The plugin ends the sign-in with an error for this status. An error thrown here would become a server error.
      return new Response(null, { status: 502 })
    }
  }
  return { run: (work) => currentFetch.run(fetchWhole, work), close: outbound.close }
}

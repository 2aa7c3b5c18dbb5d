import type { ProviderId } from '../types.gen.ts'
import { callConnect } from './rpc-client.ts'
import type { Connection } from './types.ts'

export type { Connection } from './types.ts'

/** The accounts of people at other services. The app sends requests with them but never sees a token or a key. */
export interface ServerConnect {
  /**
   * Sends a request with this person's credential. `path` is relative to the service's API. Bodies may have 5 MiB, and redirects are not
   * followed. Throws `conflict` when the person must first link the service, or link it again.
   */
  fetch(userId: string, provider: ProviderId, path: string, init?: RequestInit): Promise<Response>
  /** Null when not linked. `broken` means that the person must link the service again. */
  status(userId: string, provider: ProviderId): Promise<Connection['status'] | null>
}

export const connect: ServerConnect = {
  async fetch(userId, provider, path, init) {
    // `Request` converts every kind of body to bytes. Its address is not used: the live worker builds the real address.
    const { method, headers, body } = new Request('https://app.invalid', init)
    const bytes = body === null ? null : await new Response(body).arrayBuffer()
    const request = { method, path, headers: [...headers], body: bytes }
    return callConnect('fetch', { userId, provider, request })
  },
  status: (userId, provider) => callConnect('status', { userId, provider }),
}

import type { ProviderId } from '../types.gen.ts'
import { callConnect } from './rpc-client.ts'
import type { Connection } from './types.ts'

/** The accounts that people have elsewhere. The app uses them and never sees a token or a key. */
export interface ServerConnect {
  /**
   * Sends a request as this person: `path` is below the API of the service, up to 5 MiB, redirects are not followed. Throws
   * `conflict` when the person has not linked the service, or has to do it again.
   */
  fetch(userId: string, provider: ProviderId, path: string, init?: RequestInit): Promise<Response>
  /** Null: not linked. `broken`: the person has to link it again. */
  status(userId: string, provider: ProviderId): Promise<Connection['status'] | null>
}

export const connect: ServerConnect = {
  async fetch(userId, provider, path, init) {
    // Turns every kind of body into bytes. The address is not used: the live worker decides where the request goes.
    const { method, headers, body } = new Request('https://app.invalid', init)
    const bytes = body === null ? null : await new Response(body).arrayBuffer()
    const request = { method, path, headers: [...headers], body: bytes }
    return callConnect('fetch', { userId, provider, request })
  },
  status: (userId, provider) => callConnect('status', { userId, provider }),
}

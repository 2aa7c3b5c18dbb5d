import type { ResultMethod } from '../kernel/calls.ts'

/** A service that an app wants its people to connect, as `app.json` declares it. */
export interface ProviderSpec {
  id: string
  scopes?: string[] | undefined
}

/** A person's connection to a service. `broken`: it has to be made again. */
export interface Connection {
  provider: string
  status: 'linked' | 'broken'
  /** ISO 8601. */
  linkedAt: string
}

/** What became of a connection that was unlinked: it is gone here in any case. */
export interface Unlinked {
  /** False: the service did not agree, or has no address for it; the person ends the access in its settings. */
  revoked: boolean
}

/** A request for the other service; the live worker adds the address of its API and the credential. */
export interface OutgoingRequest {
  method: string
  path: string
  headers: [name: string, value: string][]
  body: ArrayBuffer | null
}

/** Calls of the app's worker about connections. Methods are added, never changed: older releases call them. */
export interface ConnectCalls {
  list: { ask: { session: string }; answer: Connection[] }
  /** Returns where the browser goes to agree. */
  start: {
    ask: { session: string; provider: string; scopes: string[] | null; origin: string; returnTo: string }
    answer: { url: string }
  }
  /** Returns where the browser goes after it came back. */
  finish: { ask: { session: string; provider: string; state: string; code: string }; answer: { to: string } }
  saveKey: { ask: { session: string; provider: string; key: string }; answer: Connection }
  unlink: { ask: { session: string; provider: string }; answer: Unlinked }
  /** Null: not connected. */
  status: { ask: { userId: string; provider: string }; answer: Connection['status'] | null }
  fetch: { ask: { userId: string; provider: string; request: OutgoingRequest }; answer: Response }
}

/** What the app's worker may call. The method is not called `connect`: every binding has one of that name, which opens a socket. */
export interface ConnectBinding {
  connections: ResultMethod<ConnectCalls>
}

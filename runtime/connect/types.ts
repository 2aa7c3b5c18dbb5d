import type { ResultMethod } from '../kernel/calls.ts'

export interface ProviderSpec {
  id: string
  scopes?: string[] | undefined
}

/** A person's connection to a service. `broken`: the person has to link it again. */
export interface Connection {
  provider: string
  status: 'linked' | 'broken'
  /** ISO 8601. */
  linkedAt: string
}

/** The result of unlinking. The app has forgotten the connection in any case. */
export interface Unlinked {
  /** False when the service did not agree or cannot be told; the person ends the access in its settings. */
  revoked: boolean
}

/** The live worker adds the address of the API and the credential. */
export interface OutgoingRequest {
  method: string
  path: string
  headers: [name: string, value: string][]
  body: ArrayBuffer | null
}

/** Calls of the app's worker about connections. Methods are added, never changed: older releases call them. */
export interface ConnectCalls {
  list: { ask: { session: string }; answer: Connection[] }
  /** Returns the address at the provider where the person agrees. */
  start: {
    ask: { session: string; provider: string; scopes: string[] | null; origin: string; returnTo: string }
    answer: { url: string }
  }
  /** Returns where the browser goes after the provider. */
  finish: { ask: { session: string; provider: string; state: string; code: string }; answer: { to: string } }
  saveKey: { ask: { session: string; provider: string; key: string }; answer: Connection }
  unlink: { ask: { session: string; provider: string }; answer: Unlinked }
  /** Null: not connected. */
  status: { ask: { userId: string; provider: string }; answer: Connection['status'] | null }
  fetch: { ask: { userId: string; provider: string; request: OutgoingRequest }; answer: Response }
}

/** Not called `connect`: every binding has a method of that name, which opens a socket. */
export interface ConnectBinding {
  connections: ResultMethod<ConnectCalls>
}

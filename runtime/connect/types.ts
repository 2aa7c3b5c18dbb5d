import type { ResultMethod } from '../kernel/objects/calls.ts'
import type { JsonText } from '../kernel/json-text.ts'

declare module '../kernel/objects/calls.ts' {
  interface LiveBindings {
    connect: ConnectBinding
  }
}

declare module '../auth/objects/one-time.ts' {
  interface OneTimePayloads {
    connect: JsonText<PendingConnection>
  }
}

declare module '../kernel/manifest.ts' {
  interface Manifest {
    providers?: ProviderSpec[] | undefined
  }
}

export interface ProviderSpec {
  id: string
  scopes?: string[] | undefined
}

/** A person's connection to a service. `broken` means that the person must link the service again. */
export interface Connection {
  provider: string
  status: 'linked' | 'broken'
  /** An ISO 8601 timestamp. */
  linkedAt: string
}

/** The result of unlinking. The app deletes the connection in every case. */
export interface UnlinkResult {
  /** False when the service did not confirm the revocation. The person can end the access in the service's own settings. */
  revoked: boolean
}

/** A request to a service. The live worker adds the API's address and the credential. */
export interface OutgoingRequest {
  method: string
  path: string
  headers: [name: string, value: string][]
  body: ArrayBuffer | null
}

/**
 * RPC calls about connections. The app's worker sends them to the live worker, which stores the connections. Deployed older releases still
 * send these calls, so add calls but never change or remove one.
 */
export interface ConnectCalls {
  list: { ask: { session: string }; answer: Connection[] }
  /** Returns the address of the provider's consent page. */
  start: {
    ask: { session: string; provider: string; scopes: string[] | null; origin: string; returnTo: string }
    answer: { url: string }
  }
  /** Returns the address to open after the provider's page. */
  finish: { ask: { session: string; provider: string; state: string; code: string }; answer: { to: string } }
  /** The handler validates `key`, which comes unchecked from a request. */
  saveKey: { ask: { session: string; provider: string; key: unknown }; answer: Connection }
  unlink: { ask: { session: string; provider: string }; answer: UnlinkResult }
  /** Null when not connected. */
  status: { ask: { userId: string; provider: string }; answer: Connection['status'] | null }
  fetch: { ask: { userId: string; provider: string; request: OutgoingRequest }; answer: Response }
}

/**
 * The RPC method is not named `connect`, because every binding has a built-in method of that name, which
 * opens a socket.
 */
export interface ConnectBinding {
  connections: ResultMethod<ConnectCalls>
}

/** The state of linking an account, stored while the person is at the service. */
export interface PendingConnection {
  provider: string
  verifier: string
  redirectUri: string
  /** The connection is made for this person, and only in the session that started it. */
  userId: string
  sessionId: string
  returnTo: string
}

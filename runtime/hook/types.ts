import type { ReleaseMethod } from '../kernel/objects/calls.ts'

declare module '../kernel/objects/calls.ts' {
  interface LiveBindings {
    hook: HookBinding
  }
}

declare module '../kernel/manifest.ts' {
  interface Manifest {
    hooks?: HookSpec[] | undefined
  }
}

export type HookScheme = 'standard' | 'stripe' | 'github' | 'slack' | 'shopify' | 'slipway' | 'token' | 'hmac'

export interface HookSpec {
  name: string
  scheme: HookScheme
  /** The collection that stores the endpoint's messages. */
  collection: string
  /** A file of `server/jobs/` that is run for each message. */
  handler?: string | undefined
}

export interface HookEvent {
  /** The id of the message's record. */
  id: string
  endpoint: string
  /** The sender's id of the message; a hash of the body when the sender gives none. */
  deliveryId: string
  /** An ISO 8601 timestamp. */
  receivedAt: string
  /** Header names in lower case. Contains only headers that describe the kind of message, never a signature or a credential. */
  headers: Record<string, string>
  /** The parsed value of a JSON body; otherwise the text. */
  body: unknown
}

/** A message as it was received, not yet verified. */
export interface RawMessage {
  headers: Record<string, string>
  bytes: ArrayBuffer
}

export interface HookCalls {
  /** `spec` is null for an endpoint that is declared only in the operator's settings. */
  receive: { ask: { name: string; spec: HookSpec | null; message: RawMessage }; answer: ReceiveResult }
  replay: { ask: { id: string }; answer: { id: string } }
  send: { ask: { url: string; type: string; data: unknown }; answer: { id: string } }
}

/** The response to the sender: the id of the record, or the challenge of a handshake. */
export type ReceiveResult = { id: string; isNew: boolean } | { challenge: string }

export interface Delivery {
  endpoint: string
  collection: string
  handler: string | null
  deliveryId: string
  headers: Record<string, string>
  body: unknown
}

/** A message to send. It is signed just before sending. */
export interface OutgoingHook {
  id: string
  url: string
  /** The body as JSON text. */
  body: string
}

/** RPC methods of the Durable Object with the app's records. They return null while the object does not have the release's manifest. */
export interface HookObjectCalls {
  take: { ask: { hash: string; delivery: Delivery }; answer: { id: string; isNew: boolean } }
  replay: HookCalls['replay']
  send: { ask: { url: string; body: string; id: string }; answer: { id: string } }
}

/**
 * The RPC methods that the app's worker calls on the live worker, which has the project's Durable Objects. Deployed older
 * releases still call them, so add methods but never change or remove one.
 */
export interface HookBinding {
  hook: ReleaseMethod<HookCalls>
}

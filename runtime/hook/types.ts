import type { ReleaseMethod } from '../kernel/calls.ts'

export type HookScheme = 'standard' | 'stripe' | 'github' | 'slack' | 'shopify' | 'slipway' | 'token' | 'hmac'

export interface HookSpec {
  name: string
  scheme: HookScheme
  /** The collection for its messages. */
  collection: string
  /** A file of `server/jobs/` that is called with each message. */
  handler?: string | undefined
}

export interface HookEvent {
  /** The id of its record. */
  id: string
  endpoint: string
  /** The sender's own number; a hash of the body where it sends none. */
  deliveryId: string
  /** ISO 8601. */
  receivedAt: string
  /** Names in lower case. Only those that tell the kind of message; never a signature or a credential. */
  headers: Record<string, string>
  /** Parsed when it is JSON, otherwise text. */
  body: unknown
}

/** As it was received, unverified. */
export interface RawMessage {
  headers: Record<string, string>
  bytes: ArrayBuffer
}

export interface HookCalls {
  /** `spec`: null for an endpoint that only the operator's settings name. */
  receive: { ask: { name: string; spec: HookSpec | null; message: RawMessage }; answer: Received }
  replay: { ask: { id: string }; answer: { id: string } }
  send: { ask: { url: string; type: string; data: unknown }; answer: { id: string } }
}

/** What the sender gets: the id of the record, or what its handshake asks for. */
export type Received = { id: string; isNew: boolean } | { challenge: string }

export interface Delivery {
  endpoint: string
  collection: string
  handler: string | null
  deliveryId: string
  headers: Record<string, string>
  body: unknown
}

/** Signed when it is sent. */
export interface Outgoing {
  id: string
  url: string
  /** JSON. */
  body: string
}

/** Calls of the app's partition. They return null while it does not know the release. */
export interface HookObjectCalls {
  take: { ask: { hash: string; delivery: Delivery }; answer: { id: string; isNew: boolean } }
  replay: HookCalls['replay']
  send: { ask: { url: string; body: string; id: string }; answer: { id: string } }
}

/** For the app's worker. Methods are added, never changed: older releases call them. */
export interface HookBinding {
  hook: ReleaseMethod<HookCalls>
}

import type { ReleaseMethod } from '../kernel/calls.ts'

/** How a sender signs its messages. */
export type HookScheme = 'standard' | 'stripe' | 'github' | 'slack' | 'shopify' | 'slipway' | 'token' | 'hmac'

/** An endpoint as `app.json` declares it. */
export interface HookSpec {
  name: string
  scheme: HookScheme
  /** Where its messages become records. */
  collection: string
  /** A file of `server/jobs/` that is called with each message. */
  handler?: string | undefined
}

/** A message as a handler gets it. */
export interface HookEvent {
  /** The id of its record. */
  id: string
  endpoint: string
  /** As the sender numbers it; a hash of the body where it does not. */
  deliveryId: string
  /** In ISO 8601. */
  receivedAt: string
  /** By small name: what tells the kind of message; never a signature or a credential. */
  headers: Record<string, string>
  /** Parsed when it is JSON, else text. */
  body: unknown
}

/** A message as it came, before anything of it was verified. */
export interface RawMessage {
  headers: Record<string, string>
  bytes: ArrayBuffer
}

/** What the app's worker asks. */
export interface HookCalls {
  /** `spec`: null for an endpoint that only the operator's settings name. */
  receive: { ask: { name: string; spec: HookSpec | null; message: RawMessage }; answer: Received }
  replay: { ask: { id: string }; answer: { id: string } }
  send: { ask: { url: string; type: string; data: unknown }; answer: { id: string } }
}

/** What the sender receives: the id of the record, or what its handshake asks for. */
export type Received = { id: string; isNew: boolean } | { challenge: string }

/** A verified message on its way into the objects. */
export interface Delivery {
  endpoint: string
  collection: string
  handler: string | null
  deliveryId: string
  headers: Record<string, string>
  body: unknown
}

/** A message to another service, signed when it is sent. */
export interface Outgoing {
  id: string
  url: string
  /** The JSON text. */
  body: string
}

/** What the app's partition does with messages; null when it does not know the release yet. */
export interface HookObjectCalls {
  take: { ask: { hash: string; delivery: Delivery }; answer: { id: string; isNew: boolean } }
  replay: HookCalls['replay']
  send: { ask: { url: string; body: string; id: string }; answer: { id: string } }
}

/** The hook method of a code worker's `LIVE` binding. Add methods, never change them: older releases call them. */
export interface HookBinding {
  hook: ReleaseMethod<HookCalls>
}

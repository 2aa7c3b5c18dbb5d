import type { ResultMethod } from '../kernel/calls.ts'

/** What a notification shows, and how long it may wait for the device. */
export interface PushMessage {
  title: string
  body: string
  /** A path of the app, opened when the notification is clicked. */
  url: string
  /** A later notification with the same tag replaces this one. */
  tag?: string
  /** How long a push service keeps it for a device that is off; by default a day. */
  ttlSeconds?: number
  urgency?: 'very-low' | 'low' | 'normal' | 'high'
}

/** The people who get a notification, on all of their devices. */
export type PushTarget = { userId: string } | { userIds: string[] } | { teamId: string }

/**
 * Counted in devices. `sent`: a push service has accepted it. `gone`: the device is not subscribed any more and was removed.
 * `failed`: not accepted; while the push service is busy or down it is retried three more times.
 */
export interface PushReport {
  sent: number
  gone: number
  failed: number
}

export interface Subscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

export interface Device extends Subscription {
  /** SHA-256 of the endpoint. */
  id: string
  /** The host of the app on which the browser has subscribed. */
  host: string
}

export interface PushCalls {
  /** `device`: the id that this browser would have; null: it is not subscribed. */
  key: { ask: { session: string; device: string | null }; answer: { key: string; isOn: boolean } }
  add: { ask: { session: string; host: string; subscription: unknown }; answer: { id: string } }
  remove: { ask: { session: string; id: unknown }; answer: null }
  send: { ask: { to: PushTarget; message: PushMessage }; answer: PushReport }
}

/** The push method of a code worker's `LIVE` binding. Calls are added, never changed: older releases make them. */
export interface PushBinding {
  push: ResultMethod<PushCalls>
}

/** `payload` is for the device, the rest for its push service. */
export interface Outgoing {
  /** JSON. */
  payload: string
  /** Milliseconds since 1970. After this time no push service keeps it. */
  endsAt: number
  urgency: string
}

/** Calls of the object of a person. Nothing is stored for one who does not exist. */
export interface PushObjectCalls {
  has: { ask: { id: string }; answer: boolean }
  add: { ask: Device; answer: null }
  remove: { ask: { id: string }; answer: null }
  send: { ask: Outgoing; answer: PushReport }
}

/** An endpoint belongs to one person, so that a browser shows notifications of one person only. */
export interface PushOwnerCalls {
  claim: { ask: { id: string; userId: string }; answer: string | null | false }
  owner: { ask: { id: string }; answer: string | null }
  /** Without `id`: all devices of the person. */
  release: { ask: { userId: string; id?: string }; answer: void }
}

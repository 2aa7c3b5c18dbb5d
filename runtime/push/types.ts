import type { ResultMethod } from '../kernel/calls.ts'

/** What a notification shows, and how long it may wait for the device. */
export interface PushMessage {
  title: string
  body: string
  /** A path of the app, opened when the notification is clicked. */
  url: string
  /** A later notification of the same tag replaces this one. */
  tag?: string
  /** How long a push service keeps it for a device that is off; a day without it. */
  ttlSeconds?: number
  urgency?: 'very-low' | 'low' | 'normal' | 'high'
}

/** Who gets a notification, on all of their devices. */
export type PushTarget = { userId: string } | { userIds: string[] } | { teamId: string }

/**
 * What became of a notification, counted in devices. `sent`: a push service has accepted it. `gone`: the device is not
 * subscribed any more and was removed. `failed`: not accepted; while the push service is busy or down it is tried three more
 * times.
 */
export interface PushReport {
  sent: number
  gone: number
  failed: number
}

/** A subscription as a browser gives it. */
export interface Subscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

/** A device of a person. */
export interface Device extends Subscription {
  /** SHA-256 of the endpoint. */
  id: string
  /** The host of the app under which the browser has subscribed. */
  host: string
}

/** What the app's worker asks. Calls are added, never changed: older releases make them. */
export interface PushCalls {
  /** `device`: the id that the browser would have, or null. */
  key: { ask: { session: string; device: string | null }; answer: { key: string; isOn: boolean } }
  add: { ask: { session: string; host: string; subscription: unknown }; answer: { id: string } }
  remove: { ask: { session: string; id: unknown }; answer: null }
  send: { ask: { to: PushTarget; message: PushMessage }; answer: PushReport }
}

/** The push method of a code worker's `LIVE` binding. */
export interface PushBinding {
  push: ResultMethod<PushCalls>
}

/** A notification on its way: what the device decrypts, and what the push service reads. */
export interface Outgoing {
  /** JSON text. */
  payload: string
  /** After this time, in ms since the epoch, no push service keeps it. */
  endsAt: number
  urgency: string
}

/** Calls of the object of a person. Where no person lives nothing is stored. */
export interface PushObjectCalls {
  has: { ask: { id: string }; answer: boolean }
  add: { ask: Device; answer: null }
  remove: { ask: { id: string }; answer: null }
  send: { ask: Outgoing; answer: PushReport }
}

/** Calls of the directory about whose device an endpoint is: it shows notifications of one person only. */
export interface PushOwnerCalls {
  /** Makes a person the owner; returns the one before, or null. False: there is no such person. */
  claim: { ask: { id: string; userId: string }; answer: string | null | false }
  owner: { ask: { id: string }; answer: string | null }
  /** Ends the ownership of one device, or of all of a person. */
  release: { ask: { userId: string; id?: string }; answer: void }
}

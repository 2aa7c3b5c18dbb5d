import type { ResultMethod } from '../kernel/objects/calls.ts'

declare module '../kernel/objects/calls.ts' {
  interface LiveBindings {
    push: PushBinding
  }
}

/** A notification, and how long a push service may store it. */
export interface PushMessage {
  title: string
  body: string
  /** The app's path that a click on the notification opens. */
  url: string
  /** A later notification with the same tag replaces this one. */
  tag?: string
  /** How long a push service stores the notification for a device that is offline; a day by default. */
  ttlSeconds?: number
  urgency?: 'very-low' | 'low' | 'normal' | 'high'
}

/** The people who get a notification, on all of their devices. */
export type PushTarget = { userId: string } | { userIds: string[] } | { teamId: string }

/**
 * The number of devices by result. `sent`: a push service accepted the notification. `gone`: the device was no longer subscribed and was
 * removed. `failed`: not accepted; retried three more times if the push service was busy or down.
 */
export interface PushReport {
  sent: number
  gone: number
  failed: number
  /**
   * The ids of the people whose devices could not be read, so that these people did not get the notification. Absent when there are none.
   */
  unreached?: string[]
}

export interface Subscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

export interface Device extends Subscription {
  /** The SHA-256 hash of the endpoint. */
  id: string
  /** The host of the app on which the browser subscribed. */
  host: string
}

export interface PushCalls {
  /** `device` is the id of this browser's subscription; null when there is no subscription. */
  key: { ask: { session: string; device: string | null }; answer: { key: string; isOn: boolean } }
  add: { ask: { session: string; host: string; subscription: unknown }; answer: { id: string } }
  remove: { ask: { session: string; id: unknown }; answer: null }
  send: { ask: { to: PushTarget; message: PushMessage }; answer: PushReport }
}

/**
 * RPC calls from the app's worker to the live worker about push notifications. Older releases, which a
 * rollback restores, use these names: add calls, never change one.
 */
export interface PushBinding {
  push: ResultMethod<PushCalls>
}

/** A notification to send. Only `payload` reaches the device; the rest is for its push service. */
export interface OutgoingPush {
  /** The notification as JSON text. */
  payload: string
  /** Milliseconds since 1970. After this time no push service stores it. */
  endsAt: number
  urgency: string
}

/** Calls to a person's Durable Object about their devices. The object stores nothing for a person who does not exist. */
export interface PushObjectCalls {
  has: { ask: { id: string }; answer: boolean }
  add: { ask: Device; answer: null }
  remove: { ask: { id: string }; answer: null }
  send: { ask: OutgoingPush; answer: PushReport }
}

/** An endpoint belongs to one person, so that a browser shows notifications of only one person. */
export interface PushOwnerCalls {
  claim: { ask: { id: string; userId: string }; answer: string | null | false }
  owner: { ask: { id: string }; answer: string | null }
  /**
   * Removes the entry that says who owns the device `id`; without `id`, the entries of all devices of the person.
   */
  release: { ask: { userId: string; id?: string }; answer: void }
}

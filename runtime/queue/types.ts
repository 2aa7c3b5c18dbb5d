import type { ResultMethod } from '../kernel/calls.ts'

/** A kind of work as `app.json` declares it: `handler` is a file of `server/jobs/`. */
export interface QueueSpec {
  name: string
  handler: string
  retries?: number | undefined
}

/** A message of the queue. */
export interface Envelope {
  v: 1
  name: string
  id: string
  data: unknown
}

/** Whether a job may be sent. `busy`: another caller is sending it right now. */
export interface Claim {
  state: 'yours' | 'sent' | 'busy'
  /** The id of the job; of one that was asked for before, that one's. */
  id: string
}

/** Calls of the app's worker about its jobs. Methods are added, never changed: older releases call them. */
export interface QueueCalls {
  /** Asks whether a job may be sent. With a key, one of the same key is sent once a day. */
  claim: { ask: { id: string; key: string | null }; answer: Claim }
  /** Notes that the job of a key is in the queue. */
  sent: { ask: { key: string }; answer: null }
  /** Gives up a claim: the job could not be sent. */
  release: { ask: { key: string }; answer: null }
  settings: { ask: null; answer: { maxRetries: number } }
}

/** What the app's worker may call of the memory of jobs. */
export interface QueueBinding {
  queue: ResultMethod<QueueCalls>
}

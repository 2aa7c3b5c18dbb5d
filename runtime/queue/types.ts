import type { ResultMethod } from '../kernel/calls.ts'

/** A kind of work as `app.json` declares it: `handler` is a file of `server/jobs/`. */
export interface QueueSpec {
  name: string
  handler: string
  retries?: number | undefined
}

export interface Envelope {
  v: 1
  name: string
  id: string
  data: unknown
}

/** `yours`: send the job now. `busy`: another caller is sending it right now. */
export interface Claim {
  state: 'yours' | 'sent' | 'busy'
  /** The id of the job; for a repeated key that of the first job. */
  id: string
}

/** Calls of the app's worker about its jobs. Methods are added, never changed: older releases call them. */
export interface QueueCalls {
  /** With a key, only one job a day may be sent. */
  claim: { ask: { id: string; key: string | null }; answer: Claim }
  sent: { ask: { key: string }; answer: null }
  /** The job could not be sent, so the next caller may send it. */
  release: { ask: { key: string }; answer: null }
  settings: { ask: null; answer: { maxRetries: number } }
}

export interface QueueBinding {
  queue: ResultMethod<QueueCalls>
}

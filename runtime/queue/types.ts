import type { ResultMethod } from '../kernel/objects/calls.ts'

declare module '../kernel/objects/calls.ts' {
  interface LiveBindings {
    queue: QueueBinding
  }
}

declare module '../kernel/manifest.ts' {
  interface Manifest {
    queues?: QueueSpec[] | undefined
  }
}

/** A kind of job declared in `app.json`. `handler` is a file of `server/jobs/`. */
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

/** `yours` means that the caller must send the job now, `busy` that another caller is sending the job. */
export interface JobClaim {
  state: 'yours' | 'sent' | 'busy'
  /** The id of the job. For a repeated key, the id of the first job. */
  id: string
}

/**
 * RPC calls from the app's worker to the live worker about jobs. Older releases, which a rollback restores,
 * use these names: add calls, never change one.
 */
export interface QueueCalls {
  /** Returns whether the caller may send the job. Only one job a day may be sent with the same key. */
  claim: { ask: { id: string; key: string | null }; answer: JobClaim }
  sent: { ask: { key: string }; answer: null }
  /** Called when sending failed, so that the next caller may send the job. */
  release: { ask: { key: string }; answer: null }
  settings: { ask: null; answer: { maxRetries: number } }
}

export interface QueueBinding {
  queue: ResultMethod<QueueCalls>
}

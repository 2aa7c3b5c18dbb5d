import type { FlowState } from './states.ts'

/** A flow as `app.json` declares it: `handler` is a file of `server/jobs/`. */
export interface FlowSpec {
  name: string
  handler: string
}

/** Parts that are left out count as 0. */
export interface Pause {
  days?: number
  hours?: number
  minutes?: number
  seconds?: number
}

export interface StepOptions {
  /** How often a failed step is retried, with growing pauses: 3 by default, at most 20. */
  retries?: number | undefined
  /** Limit of one attempt: 600 by default, at most 1,800. */
  timeoutSeconds?: number | undefined
}

/**
 * The steps of a flow. The handler runs from its beginning after each interruption. A step that is done is not run again; its
 * stored result is returned. So everything with an effect belongs into `do`, and the steps must come in the same order each time.
 */
export interface FlowStep {
  /** Runs `work` and stores its result, which is JSON of at most 1 MiB. */
  do<T>(name: string, work: () => T | Promise<T>): Promise<T>
  do<T>(name: string, options: StepOptions, work: () => T | Promise<T>): Promise<T>
  sleep(name: string, pause: Pause): Promise<void>
  /** Waits for a signal; returns its data, or null when none came in time (by default 86,400 seconds). */
  waitFor<T = unknown>(event: string, options?: { timeoutSeconds?: number | undefined }): Promise<T | null>
}

/** The default export of a file in `server/jobs/` that a flow names. What it returns is the output. */
export type FlowHandler<Input = unknown> = (input: Input, step: FlowStep) => unknown

export interface FlowStatus {
  status: FlowState
  output?: unknown
  error?: string
}

export interface FlowParams {
  v: 1
  name: string
  input: unknown
}

/** A signal may be delivered again, for instance after a crash; the run recognizes it by its id. */
export interface FlowSignal {
  v: 1
  id: string
  data: unknown
}

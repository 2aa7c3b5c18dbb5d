import type { FlowState } from './states.ts'

/** A flow as `app.json` declares it: `handler` is a file of `server/jobs/`. */
export interface FlowSpec {
  name: string
  handler: string
}

/** What is left out is 0. */
export interface Pause {
  days?: number
  hours?: number
  minutes?: number
  seconds?: number
}

export interface StepOptions {
  /** How often a failed step is repeated, with growing distance: 3 by default, at most 20. */
  retries?: number | undefined
  /** How long one attempt may take: 600 by default, at most 1,800. */
  timeoutSeconds?: number | undefined
}

/**
 * The steps of a flow. The handler runs from its beginning after each interruption; a step that is done is not done again,
 * its stored result is returned. So what has an effect belongs into `do`, and the steps come in the same order each time.
 */
export interface FlowStep {
  /** Runs `work` and stores its result, which is JSON of at most 1 MiB. */
  do<T>(name: string, work: () => T | Promise<T>): Promise<T>
  do<T>(name: string, options: StepOptions, work: () => T | Promise<T>): Promise<T>
  /** Waits, for a year at most. */
  sleep(name: string, pause: Pause): Promise<void>
  /** Waits for a signal; returns its data, or null when none came in time (by default 86,400 seconds). */
  waitFor<T = unknown>(event: string, options?: { timeoutSeconds?: number | undefined }): Promise<T | null>
}

/** The default export of a file in `server/jobs/` that a flow names. What it returns is the output. */
export type FlowHandler<Input = unknown> = (input: Input, step: FlowStep) => unknown

/** How a run stands. */
export interface FlowStatus {
  status: FlowState
  /** What the handler returned. */
  output?: unknown
  /** Why it failed. */
  error?: string
}

/** What a run is started with. */
export interface FlowParams {
  v: 1
  name: string
  input: unknown
}

/** A signal as it is sent. By its id a run knows one that is delivered again, as after a crash. */
export interface FlowSignal {
  v: 1
  id: string
  data: unknown
}

import type { FlowState } from './states.ts'

declare module '../kernel/manifest.ts' {
  interface Manifest {
    flows?: FlowSpec[] | undefined
  }
}

/** A flow declared in `app.json`. `handler` is a file of `server/jobs/`. */
export interface FlowSpec {
  name: string
  handler: string
}

/** A duration. Units that are left out count as 0. */
export interface Pause {
  days?: number
  hours?: number
  minutes?: number
  seconds?: number
}

export interface StepOptions {
  /** How often a failed step is retried, with growing pauses: 3 times by default, at most 20. */
  retries?: number | undefined
  /** The limit of one attempt: 600 by default, at most 1,800. */
  timeoutSeconds?: number | undefined
}

/**
 * The steps of a flow. After an interruption the handler runs again from its beginning. A finished step is not run again; its stored result
 * is returned. So put everything that has an effect into `do`, and call the steps in the same order every time.
 */
export interface FlowStep {
  /** Runs `work` and stores its result, which must be JSON of at most 1 MiB. */
  do<T>(name: string, work: () => T | Promise<T>): Promise<T>
  do<T>(name: string, options: StepOptions, work: () => T | Promise<T>): Promise<T>
  sleep(name: string, pause: Pause): Promise<void>
  /** Waits for a signal. Returns its data, or null when none arrives in time (86,400 seconds by default). */
  waitFor<T = unknown>(event: string, options?: { timeoutSeconds?: number | undefined }): Promise<T | null>
}

/** The default export of a flow's file in `server/jobs/`. Its return value is the run's output. */
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

/** A signal. A signal may be delivered twice, for instance after a crash; the run detects this by the signal's id. */
export interface FlowSignal {
  v: 1
  id: string
  data: unknown
}

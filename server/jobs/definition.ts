import type { JobKind, Platform } from '../platform.ts'

/** What a handler is given. It may run more than once for the same data: after a crash, and after a shutdown. */
export interface Job<Data> {
  data: Data
  /** 1 for the first try. More means that an earlier one crashed, threw or was handed back. */
  attempt: number
  /** Aborted at shutdown, at the time limit and when another process has taken the job over: stop, write nothing. */
  signal: AbortSignal
}

/** One kind of background work: its queue and its handler. */
export interface JobDefinition<Data> extends JobKind<Data> {
  /** Further tries after a crash or a throw. A handler records expected failures itself and returns. */
  readonly retryLimit: number
  /** Before the second try; each further pause is about twice as long. A second each time without it. */
  readonly firstPauseSeconds?: number
  readonly expireSeconds: number
  /** How many run at once in one process. */
  readonly concurrency: number
  run(platform: Platform, job: Job<Data>): Promise<void>
  /** Settles the rows of a job whose last try failed, so that nothing stays marked as running. */
  abandon?(platform: Platform, data: Data): Promise<void>
}

/** Declares a kind of background work; a strict line without a key would be no line. */
export function defineJob<Data>(definition: JobDefinition<Data>): JobDefinition<Data> {
  if (definition.policy !== 'standard' && definition.key === undefined) {
    throw new Error(`job ${definition.name}: policy ${definition.policy} needs a key`)
  }
  return definition
}

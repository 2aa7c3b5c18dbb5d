import type { JobKind } from '../platform.ts'
import type { Core } from '../core.ts'

/** The input of a handler, which may run more than once for the same data: after a crash, and after a shutdown. */
export interface Job<Data> {
  data: Data
  /** 1 for the first attempt. A higher number means that an earlier attempt crashed, threw or was returned to the queue. */
  attempt: number
  /**
   * Aborted at shutdown, at the time limit and when another process has taken over the job. The handler must then stop
   * and write nothing.
   */
  signal: AbortSignal
}

/**
 * A queue and its handler. The name must never change, because it is stored with every job. `Given` is what the handlers get: `Core` and
 * the ports that they name (`PlatformPorts`).
 */
export interface JobDefinition<Data, Given = Core> extends JobKind<Data> {
  /** The number of further attempts after a crash or an error. A handler stores expected failures itself and returns normally. */
  readonly retryLimit: number
  /**
   * Pause before the second attempt; each further pause is about twice as long. Default: one second each
   * time.
   */
  readonly firstPauseSeconds?: number
  readonly expireSeconds: number
  /** The maximum number of jobs that one process runs at the same time. */
  readonly concurrency: number
  run(platform: Given, job: Job<Data>): Promise<void>
  /** Called after the last attempt failed, to mark as failed what the job has stored as running. */
  abandon?(platform: Given, data: Data): Promise<void>
}

/**
 * Declares a kind of background work. Throws when `key` is missing although the policy or `joinsWaiting` needs the keys
 * of jobs.
 */
export function defineJob<Data, Given = Core>(
  definition: JobDefinition<Data, Given>,
): JobDefinition<Data, Given> {
  const { name, policy, joinsWaiting = false, key } = definition
  if (key === undefined && policy !== 'standard') throw new Error(`job ${name}: policy ${policy} needs a key`)
  if (key === undefined && joinsWaiting) throw new Error(`job ${name}: joinsWaiting needs a key`)
  return definition
}

import { errorText } from '../errors.ts'
import { jobModules } from '../../handlers.gen.ts'
import { logError } from './log.ts'

/** A run of a job. A failed run is retried with the same id and time, and the next `attempt`. */
export interface JobInfo {
  id: string
  /** Counted from 1. */
  attempt: number
  /** When the run was due, as ISO 8601. */
  scheduledAt: string
  /** The person for whom a timer started this run; null for a run that no timer started. */
  userId: string | null
}

/** The default export of a file in `server/jobs/`. A run may be repeated, so its effects must be idempotent. */
export type JobHandler<Data = unknown> = (data: Data, run: JobInfo) => unknown

/**
 * The result of a run, as a plain value, because an error class loses its fields when it is sent to another
 * worker.
 */
export type JobOutcome = { ok: true } | { ok: false; error: string }

const ERROR_CHARS_MAX = 1000

/** Runs a job. Logs and returns an error instead of throwing it. */
export async function runJob(name: string, data: unknown, run: JobInfo): Promise<JobOutcome> {
  try {
    await requireJob(name)(data, run)
    return { ok: true }
  } catch (error) {
    logError(error, { route: `job ${name}` })
    return { ok: false, error: errorText(error).slice(0, ERROR_CHARS_MAX) }
  }
}

/** Returns the default export of `server/jobs/<name>.ts`, a job or a flow; null when there is no such file or it exports no function. */
export function findHandler(name: string): ((...given: never[]) => unknown) | null {
  const handler = Object.hasOwn(jobModules, name) ? jobModules[name]?.default : undefined
  return typeof handler === 'function' ? (handler as (...given: never[]) => unknown) : null
}

export const findJob = (name: string): JobHandler | null => findHandler(name) as JobHandler | null

function requireJob(name: string): JobHandler {
  const job = findJob(name)
  if (job === null) throw new Error(`server/jobs/${name}.ts must exist and export a function as its default`)
  return job
}

import { jobModules } from '../handlers.gen.ts'
import { logError } from './log.ts'

/** What a job knows of its run. A run that failed is repeated with the same id and time, and the next attempt. */
export interface JobInfo {
  id: string
  /** 1 for the first. */
  attempt: number
  /** When the run was due, in ISO 8601. */
  scheduledAt: string
  /** Whose timer it is; null for everything else. */
  userId: string | null
}

/** The default export of a file in `server/jobs/`. A run may be repeated, so what it does must bear that. */
export type JobHandler<Data = unknown> = (data: Data, run: JobInfo) => unknown

/** How a run ended, by value: an error class loses its fields on the way to another worker. */
export type JobOutcome = { ok: true } | { ok: false; error: string }

const ERROR_CHARS_MAX = 1000

/** Runs a job of the app to its end. What it throws is logged and returned. */
export async function runJob(name: string, data: unknown, run: JobInfo): Promise<JobOutcome> {
  try {
    await requireJob(name)(data, run)
    return { ok: true }
  } catch (error) {
    logError(error, { route: `job ${name}` })
    return { ok: false, error: textOf(error).slice(0, ERROR_CHARS_MAX) }
  }
}

/** Returns the default export of a file in `server/jobs/`; null when it is no function, or there is no such file. */
export function findJob(name: string): JobHandler | null {
  const handler = Object.hasOwn(jobModules, name) ? jobModules[name]?.default : undefined
  return typeof handler === 'function' ? (handler as JobHandler) : null
}

function requireJob(name: string): JobHandler {
  const job = findJob(name)
  if (job === null)
    throw new Error(`server/jobs/${name}.ts must be there and export a function as its default`)
  return job
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

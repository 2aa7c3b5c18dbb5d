import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { ChildKind } from '../children/child.ts'
import { ChildExitedError, openPool } from '../children/pool.ts'
import type { JobInput, JobOutput } from '../children/protocol.ts'
import type { TextJobs } from './jobs.ts'
import { type LineCounts, countAllLines } from './line-counts.ts'

const TEXT_WORKER: ChildKind = {
  entry: fileURLToPath(new URL('./child.ts', import.meta.url)),
  heapMbMax: 160,
  jobsMax: 5_000,
  memoryBytesMax: 256 * 1024 ** 2,
  environment: { GOMEMLIMIT: '128MiB' },
}

/** A file of 200 kB takes a tenth of a second. The remaining time is for a busy machine. */
const WRITE_JOB_MS_MAX = 5_000
const SEARCH_JOB_MS_MAX = 2_000
/** Comparing has a budget of one second in the child. The remaining time is for the work around the comparison. */
const COUNT_JOB_MS_MAX = 5_000

type TextJobInput<K extends keyof TextJobs> = JobInput<TextJobs, K>
type JobResult<K extends keyof TextJobs> = Promise<JobOutput<TextJobs, K>>

/**
 * Processes the text of one organization in child processes (syntax, edits, searches, line counts), so that no text can block or
 * crash the service. Text that exceeds a limit is refused like invalid text.
 */
export interface TextWorkers {
  write(given: TextJobInput<'write'>, signal: AbortSignal): JobResult<'write'>
  edit(given: TextJobInput<'edit'>, signal: AbortSignal): JobResult<'edit'>
  search(given: TextJobInput<'search'>, signal: AbortSignal): JobResult<'search'>
  /** Lines added and removed per pair; a pair that takes too long counts as a replaced file. */
  count(pairs: TextJobInput<'count'>['pairs']): Promise<LineCounts[]>
}

/** The processes are shared by all organizations. When jobs of several organizations wait, the organizations take turns. */
export interface TextWorkerPool {
  of(organizationId: string): TextWorkers
  /** Starts a process ahead of time, so that the first call does not wait for it. */
  warm(): void
  close(): Promise<void>
}

/** Opens a pool of at most `size` processes. Each process is started when it is first needed. */
export function openTextWorkers({ size, log }: { size: number; log: Logger }): TextWorkerPool {
  const pool = openPool<TextJobs>(TEXT_WORKER, { size, log })

  /** A job that ends without a result is reported as an error of the text, unless it was cancelled. */
  const orElse = async <T, R>(
    work: Promise<T>,
    signal: AbortSignal | undefined,
    refuse: (why: string) => R,
  ): Promise<T | R> => {
    try {
      return await work
    } catch (error) {
      signal?.throwIfAborted()
      if (pool.isClosed()) throw error
      log.warn({ err: error }, 'a job on text did not come to its end')
      return refuse(
        error instanceof ChildExitedError && error.reason === 'time' ? 'too much time' : 'too much memory',
      )
    }
  }
  return {
    of: (owner) => ({
      write: (given, signal) => {
        const work = pool.run('write', given, { timeoutMs: WRITE_JOB_MS_MAX, owner, signal })
        return orElse(work, signal, (why) => tooComplex(given.path, why))
      },
      edit: (given, signal) => {
        const work = pool.run('edit', given, { timeoutMs: WRITE_JOB_MS_MAX, owner, signal })
        return orElse(work, signal, (why) => tooComplex(given.path, why))
      },
      search: (given, signal) => {
        const work = pool.run('search', given, { timeoutMs: SEARCH_JOB_MS_MAX, owner, signal })
        return orElse(work, signal, () => TOO_SLOW)
      },
      count: (pairs) => {
        const work = pool.run('count', { pairs }, { timeoutMs: COUNT_JOB_MS_MAX, owner })
        return orElse(work, undefined, () => pairs.map(([before, after]) => countAllLines(before, after)))
      },
    }),
    warm() {
      if (pool.isClosed() || pool.isWarm()) return
      const given = { path: 'warm.ts', before: '', after: 'export {}\n' }
      pool.run('write', given, { timeoutMs: WRITE_JOB_MS_MAX, owner: '' }).catch(() => {})
    },
    close: () => pool.close(),
  }
}

const tooComplex = (path: string, why: string) => ({
  refused: {
    code: 'too_complex' as const,
    message: `${path} takes ${why} to read; write it in a simpler way, or as several files`,
  },
})

const TOO_SLOW = {
  refused: {
    code: 'invalid_arguments' as const,
    message: 'the search takes too long; use a simpler pattern or glob',
  },
}

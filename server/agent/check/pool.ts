import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { AppBundle } from '../bundle.ts'
import { type AppTree, completeTree, starterTree } from '../tree.ts'
import { Checker, CheckerLost } from './checker.ts'
import type { CheckReport } from './errors.ts'
import type { Job, JobOf, Results } from './protocol.ts'
import { makeRoot } from './workspace.ts'

export type { CheckError, CheckReport } from './errors.ts'
export { describeReport, errorSignature } from './errors.ts'

const JOB_TIMEOUT_MS = 60_000
/** A process that died under a job may have been unlucky (out of memory elsewhere); twice is the app's doing. */
const ATTEMPTS_MAX = 2
/** A warm checker holds about 200 MB: given back when nobody has built anything for this long. */
const IDLE_MS = 10 * 60_000

/** Child processes that bundle, check and run generated code; one job at a time each, first come first served. */
export interface CheckerPool {
  /**
   * Runs all phases over a complete tree (agent-owned and locked files). `before` is the app.json on main:
   * what it declares may change only with a migration.
   */
  check(tree: AppTree, options: { enabled: string[]; before?: string | null }): Promise<CheckReport>
  /** Bundles a tree that was checked before, minified, for a deployment. */
  bundle(tree: AppTree): Promise<AppBundle>
  /** Starts a checker while there is time (a model is thinking), so that the first check does not wait for it. */
  warm(): void
  close(): Promise<void>
}

export interface CheckerOptions {
  /** How many jobs run at the same time; a process is started when a job first needs it. */
  size: number
  log: Logger
  jobTimeoutMs?: number
}

/** Opens the pool; `close` ends every process it started and everything those started. */
export function openCheckers(options: CheckerOptions): CheckerPool {
  const root = makeRoot()
  const timeoutMs = options.jobTimeoutMs ?? JOB_TIMEOUT_MS
  const checkers = Array.from(
    { length: options.size },
    (_, i) => new Checker(join(root, `c${i}`), options.log),
  )
  // The last one that became free is taken first: it is warm, and the others may be given back.
  const free = [...checkers]
  const waiting: ((checker: Checker) => void)[] = []
  const idle = new Map<Checker, NodeJS.Timeout>()
  let closed = false

  const release = (checker: Checker) => {
    const next = waiting.shift()
    if (next) return next(checker)
    free.push(checker)
    idle.set(checker, setTimeout(() => void checker.stop(), IDLE_MS).unref())
  }
  const acquire = async (): Promise<Checker> => {
    const checker = free.pop() ?? (await new Promise<Checker>((resolve) => waiting.push(resolve)))
    clearTimeout(idle.get(checker))
    return checker
  }
  const run = async <K extends Job['kind']>(job: JobOf<K>): Promise<Results[K]> => {
    const checker = await acquire()
    try {
      for (let attempt = 1; ; attempt++) {
        if (closed) throw new Error('the checkers are closed')
        try {
          return await checker.run(job, timeoutMs)
        } catch (error) {
          const again = error instanceof CheckerLost && !error.timedOut && attempt < ATTEMPTS_MAX && !closed
          if (!again) throw error
          options.log.warn({ attempt }, 'a checker died and its job starts again')
        }
      }
    } finally {
      release(checker)
    }
  }
  return {
    async check(tree, { enabled, before = null }) {
      const startedAt = performance.now()
      try {
        return await run<'check'>({ kind: 'check', tree, enabled, before })
      } catch (error) {
        if (!(error instanceof CheckerLost) || closed) throw error
        return lostReport(error, performance.now() - startedAt)
      }
    },
    bundle: (tree) => run<'bundle'>({ kind: 'bundle', tree }),
    warm() {
      if (closed || checkers.some((checker) => checker.pid !== undefined)) return
      const enabled: string[] = []
      const tree = completeTree(starterTree('App'), new Set(enabled))
      // What comes out does not matter: afterwards runtime, bundler and compiler are loaded.
      run<'check'>({ kind: 'check', tree, enabled, before: null }).catch(() => {})
    },
    async close() {
      closed = true
      for (const timer of idle.values()) clearTimeout(timer)
      await Promise.all(checkers.map((checker) => checker.stop()))
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** A checker that had to be killed is a finding about the app, not a failure of the service. */
function lostReport(error: CheckerLost, ms: number): CheckReport {
  const message = error.timedOut
    ? 'The check did not end in time and was stopped: something in the app runs without end.'
    : 'The check used up its memory and was stopped.'
  const code = error.timedOut ? 'timeout' : 'killed'
  const place = { file: '', line: 0, column: 0, excerpt: '' }
  return {
    ok: false,
    checks: [{ name: 'boot', ok: false, ms, errors: [{ phase: 'boot', ...place, code, message }] }],
  }
}

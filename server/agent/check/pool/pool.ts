import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { AppBundle } from '../../bundle/bundle.ts'
import type { ChildKind } from '../../children/child.ts'
import { ChildExitedError, openPool } from '../../children/pool.ts'
import { type AppTree, completeTree, starterTree } from '../../source/tree.ts'
import { findCompiler } from '../types/compiler.ts'
import type { CheckReport, Phase } from '../../check-report.ts'
import type { CheckJobs } from '../protocol.ts'
import { timeoutOnBusyMachine } from '../program.ts'
import { prepareFolder } from '../folder.ts'

export type { CheckError, CheckReport } from '../../check-report.ts'
export { describeReport, errorSignature } from '../../check-report.ts'

const JOB_TIMEOUT_MS = 60_000
const { default: workerd } = createRequire(import.meta.url)('workerd') as { default: string }

const CHECK_CHILD: ChildKind = {
  entry: fileURLToPath(new URL('./child.ts', import.meta.url)),
  heapMbMax: 768,
  jobsMax: 200,
  // The largest legitimate app (2 MB of source) took 850 MB.
  memoryBytesMax: 1280 * 1024 ** 2,
  // The cloud limits an app to 128 MB of memory. The local runtime and the browser have no memory limit except this one.
  programBytesMax: { workerd: 512 * 1024 ** 2, chromium: 512 * 1024 ** 2, chrome: 512 * 1024 ** 2 },
  environment: {
    // Bundler and compiler are Go programs that run as long as the check process. With Go's default, garbage is collected too often.
    GOGC: '400',
    GOMEMLIMIT: '768MiB',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_SEND_ERROR_REPORTS: 'false',
    MINIFLARE_WORKERD_PATH: fileURLToPath(new URL('../sandbox/workerd.sh', import.meta.url)),
    SLIPWAY_WORKERD: workerd,
    SLIPWAY_COMPILER: findCompiler(),
  },
  prepare: prepareFolder,
}

/** Child processes that bundle, check and run generated code, so that the code cannot harm the service's own process. */
export interface CheckerPool {
  /**
   * Runs all phases over a complete tree (files of the agent and locked files). `before` is the app.json on main. A change since
   * `before` that would break stored records is an error unless the new app.json has a migration for the change. Aborting the signal
   * stops the check.
   */
  check(tree: AppTree, options: CheckOptions): Promise<CheckReport>
  /** Bundles a checked tree for a deployment, minified. */
  bundle(tree: AppTree, options: Pick<CheckOptions, 'packages' | 'owner'>): Promise<AppBundle>
  /** Returns error stacks of the deployed tree with places in its sources instead of places in its bundle. */
  locateStacks(
    tree: AppTree,
    stacks: readonly string[],
    options: Pick<CheckOptions, 'packages' | 'owner'>,
  ): Promise<string[]>
  /** Starts a check process in advance, while the model is working, so that the first check does not wait for it. */
  warm(): void
  close(): Promise<void>
}

interface CheckOptions {
  enabled: string[]
  before?: string | null
  /** Paths that changed since the start of the build. The screenshots show the first changed page. */
  changed?: readonly string[]
  packages?: string | null
  /** The organization that owns the app. Waiting jobs start in turn by organization, so that no organization delays all others. */
  owner?: string
  signal?: AbortSignal | undefined
}

export interface CheckerOptions {
  /** The maximum number of jobs that run at the same time. A process is started when a job first needs it. */
  size: number
  log: Logger
  /** The path of a Chromium in which the pages are opened. Without a browser the pages are only rendered to markup. */
  browser?: string | null
  jobTimeoutMs?: number
}

/** Opens the pool. `close` ends every process that it started, with all their descendants. */
export function openCheckers({ size, log, browser = null, jobTimeoutMs }: CheckerOptions): CheckerPool {
  // A function and not a number, because the limit depends on the current load of the machine, as the limits of the
  // phases inside a job do.
  const timeoutMs = jobTimeoutMs ?? (() => timeoutOnBusyMachine(JOB_TIMEOUT_MS))
  const pool = openPool<CheckJobs>(CHECK_CHILD, { size, log })
  const check = async (tree: AppTree, options: CheckOptions) => {
    const { enabled, before = null, changed = [], packages = null, owner = '', signal } = options
    const startedAt = performance.now()
    try {
      const job = { tree, enabled, before, browser, changed, packages }
      return await pool.run('check', job, { timeoutMs, owner, signal })
    } catch (error) {
      signal?.throwIfAborted()
      if (pool.isClosed()) throw error
      log.warn({ err: error }, 'a check did not come to its end')
      return lostReport(error, performance.now() - startedAt)
    }
  }
  return {
    check,
    bundle: (tree, { packages = null, owner = '' }) =>
      pool.run('bundle', { tree, packages }, { timeoutMs, owner }),
    locateStacks: (tree, stacks, { packages = null, owner = '' }) =>
      pool.run('locateStacks', { tree, packages, stacks }, { timeoutMs, owner }),
    warm() {
      if (pool.isClosed() || pool.isWarm()) return
      const tree = completeTree(starterTree('App'), new Set())
      // The result is unused: the check runs only to load runtime, bundler and compiler.
      check(tree, { enabled: [] }).catch(() => {})
    },
    close: () => pool.close(),
  }
}

/** Programs by name, so that the report of a stopped check names the phase that used too much memory. */
const WORK_OF: Record<string, { phase: Phase; work: string } | undefined> = {
  tsc: { phase: 'types', work: 'The type check' },
  esbuild: { phase: 'bundle', work: 'Bundling' },
  workerd: { phase: 'boot', work: 'The running app' },
  chromium: { phase: 'pages', work: 'A page in the browser' },
  chrome: { phase: 'pages', work: 'A page in the browser' },
}

/** A check that did not finish is reported as an error of the app, so that the model can correct it. */
function lostReport(error: unknown, ms: number): CheckReport {
  const { phase, code, message } = findingOfError(error)
  const place = { file: '', line: 0, column: 0, excerpt: '' }
  return {
    ok: false,
    checks: [{ name: phase, ok: false, ms, errors: [{ phase, ...place, code, message }] }],
  }
}

function findingOfError(error: unknown): { phase: Phase; code: string; message: string } {
  const lost = error instanceof ChildExitedError ? error : null
  const { phase, work } = WORK_OF[lost?.program ?? ''] ?? { phase: 'boot', work: 'The check' }
  switch (lost?.reason) {
    case 'time': {
      const message =
        'The check did not end in time and was stopped: something in the app runs without end, or the machine is busy.'
      return { phase, code: 'timeout', message }
    }
    case 'memory':
      return { phase, code: 'memory', message: `${work} used up its memory and was stopped.` }
    case 'died':
      return {
        phase,
        code: 'killed',
        message: 'The check died of the app, twice: something in it is too much.',
      }
    case undefined: {
      // A tool failed on the app, so report the tool's own message.
      const text = error instanceof Error ? error.message : String(error)
      return { phase, code: 'crashed', message: `The check ended unexpectedly: ${text.slice(0, 500)}` }
    }
  }
}

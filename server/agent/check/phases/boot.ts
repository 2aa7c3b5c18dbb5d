import * as z from 'zod'
import type { AppBundle } from '../../bundle/bundle.ts'
import { findSourcePosition, sourceMapOf, type SourcePosition } from '../../bundle/source-map.ts'
import { type CheckError, errorAt, type Phase } from '../../check-report.ts'
import {
  openSandbox,
  parseSandboxResponse,
  type Sandbox,
  SandboxFailure,
  type SandboxLog,
} from '../sandbox/sandbox.ts'
import type { SandboxWorker } from '../sandbox/options.ts'
import { timeoutOnBusyMachine } from '../program.ts'

const STACK_FRAME = /(?:\(|at |\s)(?:file:\/\/)?\/?([\w./@-]+\.m?js):(\d+):(\d+)/g

const BOOT_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 5_000
/** The runtime sends log lines and responses through different pipes, so the log lines of a response may arrive this much later. */
const LOG_DELAY_MS = 30

const SmokePages = z.array(
  z.object({
    page: z.string(),
    ok: z.boolean(),
    state: z.string().nullish(),
    error: z.string().nullish(),
    warning: z.string().nullish(),
    errors: z.array(z.string()),
    warnings: z.array(z.string()),
  }),
)

export interface BootInput {
  tree: ReadonlyMap<string, string>
  folder: string
  bundle: AppBundle
  workers: SandboxWorker[]
  /** Addresses that must not fail: pages without parameters and declared routes. */
  paths: readonly { path: string; file: string }[]
}

export interface BootResult {
  errors: CheckError[]
  warnings: CheckError[]
  /** Keeps running, because the tests use it. Null when the sandbox could not be started or had to be stopped. */
  sandbox: Sandbox | null
  /** Set when the app could be loaded only without its tests. */
  testsFailure: SandboxFailure | null
}

/** Starts the app in workerd, requests every page and route, and renders every page once. */
export async function bootApp(input: BootInput): Promise<BootResult> {
  const result: BootResult = { errors: [], warnings: [], sandbox: null, testsFailure: null }
  const report = (file: string, code: string, message: string, stack = '') =>
    result.errors.push(locate(input, { phase: 'boot', file, code, message, stack }))
  try {
    const sandbox = await openApp(input, result)
    const deadline = performance.now() + timeoutOnBusyMachine(BOOT_TIMEOUT_MS)
    await requestPaths(input, sandbox, deadline, report)
    if (input.bundle.smoke !== undefined) await smokePages(input, sandbox, deadline, result)
  } catch (error) {
    if (!(error instanceof SandboxFailure)) throw error
    await result.sandbox?.close()
    result.sandbox = null
    report(bootEntry(input.tree, error.worker), error.code, error.message.split('\n')[0] ?? '', error.message)
  }
  return result
}

/**
 * Starts all workers. When the worker with the tests cannot be loaded, starts the others without it. Throws `SandboxFailure` when another
 * worker cannot be loaded.
 */
async function openApp(input: BootInput, result: BootResult): Promise<Sandbox> {
  const options = { folder: input.folder, timeoutMs: timeoutOnBusyMachine(BOOT_TIMEOUT_MS) }
  try {
    result.sandbox = await openSandbox(input.workers, options)
  } catch (error) {
    if (!(error instanceof SandboxFailure) || error.worker !== 'tests') throw error
    result.testsFailure = error
    const others = input.workers.filter((worker) => worker.name !== 'tests')
    result.sandbox = await openSandbox(others, options)
  }
  return result.sandbox
}

async function requestPaths(
  input: BootInput,
  sandbox: Sandbox,
  deadline: number,
  report: (file: string, code: string, message: string, stack?: string) => void,
): Promise<void> {
  for (const { path, file } of input.paths) {
    const seen = sandbox.logs.length
    const { status, body } = await getPath(sandbox, path, deadline)
    if (status < 500) continue
    await new Promise((resolve) => setTimeout(resolve, LOG_DELAY_MS))
    const { message, stack } = thrownIn(sandbox.logs.slice(seen))
    report(
      file,
      `status_${status}`,
      `GET ${path} answered ${status}: ${message || body.slice(0, 300)}`,
      stack,
    )
  }
}

async function getPath(sandbox: Sandbox, path: string, deadline: number) {
  const timeoutMs = Math.max(
    1,
    Math.min(timeoutOnBusyMachine(REQUEST_TIMEOUT_MS), deadline - performance.now()),
  )
  try {
    return await sandbox.get('app', path, timeoutMs)
  } catch (error) {
    if (error instanceof SandboxFailure) throw new SandboxFailure(error.code, `GET ${path}: ${error.message}`)
    throw error
  }
}

/**
 * Renders every page with and without records. Exceptions and serious accessibility faults, such as a control without a label, are errors;
 * a missing browser global is only a warning.
 */
async function smokePages(
  input: BootInput,
  sandbox: Sandbox,
  deadline: number,
  result: BootResult,
): Promise<void> {
  const timeoutMs = Math.max(1, deadline - performance.now())
  const response = await sandbox.get('smoke', '/', timeoutMs)
  for (const page of parseSandboxResponse(SmokePages, response, 'smoke')) {
    const at = { phase: 'boot' as const, file: pageFile(input.tree, page.page) }
    if (!page.ok) {
      const stack = page.error ?? ''
      const message = `Rendering ${page.page} ${page.state} failed: ${stack.split('\n')[0]}`
      result.errors.push(locate(input, { ...at, code: 'render', message, stack }))
    } else if (page.warning) {
      const message = `Rendering ${page.page}: ${page.warning.split('\n')[0]}`
      result.warnings.push(locate(input, { ...at, code: 'render', message, stack: page.warning }))
    }
    for (const message of page.errors)
      result.errors.push(errorAt(input.tree, { ...at, code: 'markup', message }))
    for (const message of page.warnings)
      result.warnings.push(errorAt(input.tree, { ...at, code: 'markup', message }))
  }
}

const ErrorLine = z.object({ kind: z.literal('error'), message: z.string(), stack: z.string().catch('') })

/** Returns the error that the log lines report. The runtime logs an error as one JSON line with message and stack. */
function thrownIn(logs: readonly SandboxLog[]): { message: string; stack: string } {
  for (const { message: line } of logs) {
    if (!line.startsWith('{')) continue
    try {
      const thrown = ErrorLine.safeParse(JSON.parse(line))
      if (thrown.success) return thrown.data
    } catch {
      // An app may print anything, even half a JSON object. A line that does not parse was not written by the runtime.
    }
  }
  const error = logs.find((log) => log.level === 'error')
  return { message: error?.message.split('\n')[0] ?? '', stack: error?.message ?? '' }
}

/** Returns the error at the source position in its stack, else at the start of the file. */
export function locate(
  input: Pick<BootInput, 'tree'> & { workers: readonly Pick<SandboxWorker, 'modules'>[] },
  error: { phase: Phase; file: string; code: string; message: string; stack: string },
): CheckError {
  const { stack, ...rest } = error
  for (const worker of input.workers) {
    const position = findSource(stack, worker.modules, input.tree)
    if (position) return errorAt(input.tree, { ...rest, ...position })
  }
  return errorAt(input.tree, rest)
}

function bootEntry(tree: ReadonlyMap<string, string>, worker: string | null): string {
  if (worker === 'smoke') return 'web/App.tsx'
  return tree.has('server/routes.ts') ? 'server/routes.ts' : 'app.json'
}

function pageFile(tree: ReadonlyMap<string, string>, page: string): string {
  return [page, `web/pages/${page}`, `web/${page}`].find((path) => tree.has(path)) ?? 'app.json'
}

/** Finds where in the app's own sources an error was thrown: the first frame whose source is in the tree. */
function findSource(
  stack: string,
  modules: Readonly<Record<string, string>>,
  tree: ReadonlyMap<string, string>,
): SourcePosition | null {
  let fallback: SourcePosition | null = null
  for (const [, name = '', line, column] of stack.matchAll(STACK_FRAME)) {
    const position = findSourcePosition(
      sourceMapOf(modules, name),
      { line: Number(line), column: Number(column) },
      tree,
    )
    if (position === null) continue
    // The cause is in the app's code even if code under platform/ threw the error, so a frame of the app wins.
    if (!position.file.startsWith('platform/')) return position
    fallback ??= position
  }
  return fallback
}

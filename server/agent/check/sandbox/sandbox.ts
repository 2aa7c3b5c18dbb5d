import type * as z from 'zod'
import { killPrograms, markStopped, wasStopped } from '../program.ts'
import { egressWorker, folderFor, type SandboxWorker, toOptions } from './options.ts'

export interface SandboxLog {
  level: string
  message: string
}

export interface SandboxResponse {
  status: number
  body: string
}

export interface Sandbox {
  /** Sends a GET request directly to the socket of a worker. */
  get(worker: string, path: string, timeoutMs: number): Promise<SandboxResponse>
  /** Log lines are added while the sandbox runs. */
  logs: SandboxLog[]
  close(): Promise<void>
}

/** Thrown when the sandbox could not start or had to be stopped. `worker` is the worker that caused the failure; null when unknown. */
export class SandboxFailure extends Error {
  readonly code: 'startup' | 'timeout' | 'crash'
  readonly worker: string | null
  constructor(code: SandboxFailure['code'], message: string, worker: string | null = null) {
    super(message)
    this.name = 'SandboxFailure'
    this.code = code
    this.worker = worker
  }
}

const EXIT_EVENTS = [
  'exit',
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  'uncaughtException',
  'unhandledRejection',
] as const
const BODY_BYTES_MAX = 2_000_000
const LOGS_MAX = 200
const STARTUP_ERROR = /^service core:user:([^:\s]+): (?:Uncaught )?([\s\S]*)$/

let lastClosedSandbox: Promise<void> = Promise.resolve()

/** Loads Miniflare (half a second, once) before the first job needs it. */
export async function warmSandbox() {
  return import('miniflare')
}

/** Starts workers in one runtime without access to the network. `folder` holds the data that they store. Throws `SandboxFailure`. */
export async function openSandbox(
  workers: readonly SandboxWorker[],
  options: { folder: string; timeoutMs: number },
): Promise<Sandbox> {
  const { Miniflare, Log, LogLevel } = await warmSandbox()
  // A new runtime must not start before the runtime of the previous check is closed. The previous check did not wait for this.
  await lastClosedSandbox
  const logs: SandboxLog[] = []
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => {})
  const fail = (error: SandboxFailure) => {
    markStopped()
    failure.reject(error)
  }
  const restoreListeners = keepListeners()
  const miniflare = new Miniflare({
    host: '127.0.0.1',
    port: 0,
    cf: false,
    enableDevRegistry: false,
    logRequests: false,
    telemetry: { enabled: false },
    log: new Log(LogLevel.NONE),
    resourceTmpPath: folderFor(options.folder, 'tmp'),
    handleStructuredLogs: ({ level, message }) => {
      if (logs.length < LOGS_MAX) logs.push({ level, message: message.slice(0, 8000) })
    },
    handleUncaughtError: () => {},
    unsafeHandleRuntimeRestart: () =>
      fail(new SandboxFailure('crash', 'The runtime crashed while it ran the app.')),
    workers: [...workers.map((worker) => toOptions(worker, options.folder)), egressWorker()],
  })
  const end = async () => {
    if (wasStopped()) killPrograms('workerd')
    await miniflare.dispose().catch(() => {})
    restoreListeners()
  }
  const close = () => (lastClosedSandbox = end())
  const timer = setTimeout(() => {
    fail(new SandboxFailure('timeout', 'The app did not start in time: its modules run without end.'))
    killPrograms('workerd')
  }, options.timeoutMs)
  try {
    await Promise.race([miniflare.ready, failure.promise])
  } catch (error) {
    await close()
    throw startupFailure(error, logs)
  } finally {
    clearTimeout(timer)
  }
  return {
    logs,
    close,
    async get(worker, path, timeoutMs) {
      const base = await miniflare.unsafeGetDirectURL(worker)
      return Promise.race([fetchPage(new URL(path, base), timeoutMs, markStopped), failure.promise])
    },
  }
}

async function fetchPage(url: URL, timeoutMs: number, onTimeout: () => void): Promise<SandboxResponse> {
  const signal = AbortSignal.timeout(Math.ceil(timeoutMs))
  try {
    const response = await fetch(url, { signal, redirect: 'manual', headers: { accept: 'text/html,*/*' } })
    return { status: response.status, body: await readResponseText(response) }
  } catch (error) {
    if (!signal.aborted)
      throw new SandboxFailure('crash', `No answer: ${String((error as Error).cause ?? error)}`)
    onTimeout()
    throw new SandboxFailure('timeout', `No answer within ${timeoutMs / 1000} s.`)
  }
}

/** Returns the body as text, at most about `BODY_BYTES_MAX` bytes. Empty for an event stream, which has no end. */
async function readResponseText(response: Response): Promise<string> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel()
    return ''
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size > BODY_BYTES_MAX) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

function startupFailure(error: unknown, logs: readonly SandboxLog[]): SandboxFailure {
  if (error instanceof SandboxFailure) return error
  for (const { message } of logs) {
    const [, worker = null, text] = STARTUP_ERROR.exec(message) ?? []
    if (text !== undefined) return new SandboxFailure('startup', text.trim(), worker)
  }
  return new SandboxFailure('startup', error instanceof Error ? error.message : String(error))
}

/** Parses the response of a sandbox worker. The worker ran code of the app, so a malformed response is reported as the app's failure. */
export function parseSandboxResponse<T>(schema: z.ZodType<T>, response: SandboxResponse, worker: string): T {
  const parsed = response.status === 200 ? schema.safeParse(jsonOrUndefined(response.body)) : null
  if (parsed?.success) return parsed.data
  throw new SandboxFailure('crash', `No usable answer from ${worker}: ${response.body.slice(0, 500)}`, worker)
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Returns a function that removes every process listener added after this call. Miniflare adds listeners for every instance, and some
 * listeners call process.exit(). A check process creates hundreds of instances.
 */
function keepListeners(): () => void {
  const kept = EXIT_EVENTS.map((event) => new Set(process.listeners(event as 'exit')))
  return () => {
    for (const [i, event] of EXIT_EVENTS.entries()) {
      for (const listener of process.listeners(event as 'exit')) {
        if (!kept[i]?.has(listener)) process.off(event, listener)
      }
    }
  }
}

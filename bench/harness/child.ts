import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from './folders.ts'

/** A started Node program of this repository that serves HTTP. */
export interface Child {
  pid: number
  url: string
  /** Milliseconds from the spawn to the first successful response. */
  startedMs: number
  stop(signal?: NodeJS.Signals): Promise<void>
}

const runningChildren = new Set<ChildProcess>()
// Send SIGTERM rather than SIGKILL, so that a service can also end its own child processes: the database and
// the local stand-ins for its providers.
process.on('exit', () => {
  for (const child of runningChildren) child.kill('SIGTERM')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const START_MS_MAX = 60_000
const STOP_MS_MAX = 20_000

/** The only environment variables that a measured program inherits from this process. */
const INHERITED_VARIABLES = ['PATH', 'HOME', 'NODE_COMPILE_CACHE', 'NODE_OPTIONS']

/** Starts `program` and waits until `path` returns 200. */
export async function startChild(options: {
  program: string
  port: number
  path: string
  env: Record<string, string>
  logFile: string
}): Promise<Child> {
  const log = openSync(options.logFile, 'a')
  const began = performance.now()
  const child = spawn(process.execPath, [options.program], {
    cwd: ROOT,
    env: {
      ...Object.fromEntries(INHERITED_VARIABLES.map((name) => [name, process.env[name]])),
      ...options.env,
    },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  runningChildren.add(child)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  void ended.then(() => runningChildren.delete(child))
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    const limit = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX)
    await ended
    clearTimeout(limit)
  }
  const url = `http://127.0.0.1:${options.port}`
  try {
    await waitUntilResponding(url + options.path, child, began)
  } catch (cause) {
    await stop('SIGKILL')
    const said = readFileSync(options.logFile, 'utf8').slice(-2000)
    throw new Error(`${options.program} did not start:\n${said}`, { cause })
  }
  return { pid: child.pid ?? 0, url, startedMs: performance.now() - began, stop }
}

async function waitUntilResponding(url: string, child: ChildProcess, began: number): Promise<void> {
  for (;;) {
    const response = await fetch(url).catch(() => null)
    await response?.body?.cancel()
    if (response?.ok === true) return
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
    if (performance.now() - began > START_MS_MAX) throw new Error('it did not answer in a minute')
    await sleep(5)
  }
}

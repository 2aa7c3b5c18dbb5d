import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { handOver, leastRights } from '../least-rights.ts'
import { findCompiler } from './compiler.ts'
import type { AnswerMessage, Job, JobMessage, JobOf, Results } from './protocol.ts'
import { DIE_WITH_PARENT } from './tool.ts'
import { prepareFolder } from './workspace.ts'

const HEAP_MB_MAX = 768
/** Miniflare keeps a little of every instance; a new process now and then keeps a checker's memory flat. */
const JOBS_MAX = 200

const entry = fileURLToPath(new URL('./child.ts', import.meta.url))
const workerdWrapper = fileURLToPath(new URL('./workerd.sh', import.meta.url))
const { default: workerd } = createRequire(import.meta.url)('workerd') as { default: string }

const compiler = findCompiler()

/** The job was stopped, or its process died: nothing is known about its result. */
export class CheckerLost extends Error {
  readonly timedOut: boolean
  constructor(message: string, timedOut: boolean) {
    super(message)
    this.name = 'CheckerLost'
    this.timedOut = timedOut
  }
}

/** One child process and the one job it is doing; a new process is started when the last one is gone. */
export class Checker {
  readonly #folder: string
  readonly #log: Logger
  #child: ChildProcess | null = null
  #jobs = 0
  #generation = 0

  constructor(folder: string, log: Logger) {
    this.#folder = folder
    this.#log = log
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Runs one job; rejects with `CheckerLost` when it had to be killed after `timeoutMs` or died. */
  async run<K extends Job['kind']>(job: JobOf<K>, timeoutMs: number): Promise<Results[K]> {
    const child = (this.#child ??= this.#start())
    const id = ++this.#jobs
    child.ref()
    child.channel?.ref()
    const { promise, resolve, reject } = Promise.withResolvers<AnswerMessage>()
    const onMessage = (answer: AnswerMessage) => {
      if (answer.id === id) resolve(answer)
    }
    const onExit = () => reject(new CheckerLost('the checker process died', false))
    const timer = setTimeout(() => {
      reject(new CheckerLost(`stopped after ${timeoutMs / 1000} s`, true))
    }, timeoutMs)
    child.on('message', onMessage)
    child.once('exit', onExit)
    try {
      child.send({ id, job } satisfies JobMessage, (error) => error && onExit())
      const answer = await promise
      if (answer.retire || this.#jobs >= JOBS_MAX) await this.stop()
      if (!answer.ok) throw new Error(answer.message)
      return answer.value as Results[K]
    } catch (error) {
      // Also when the pipe broke before the exit was seen: the next job must not meet a dead process.
      if (error instanceof CheckerLost) await this.stop()
      throw error
    } finally {
      clearTimeout(timer)
      child.off('message', onMessage)
      child.off('exit', onExit)
      child.unref()
      child.channel?.unref()
    }
  }

  /** Kills the process with everything it started, and waits until it is gone. */
  async stop(): Promise<void> {
    const child = this.#child
    this.#child = null
    this.#jobs = 0
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return
    child.ref()
    const gone = once(child, 'exit')
    try {
      // The child leads its own process group: type checker, linter, bundler and runtime go with it.
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      child.kill('SIGKILL')
    }
    await gone
  }

  #start(): ChildProcess {
    const folder = join(this.#folder, String(++this.#generation))
    mkdirSync(join(folder, 'tmp'), { recursive: true })
    prepareFolder(folder)
    const rights = leastRights(this.#log)
    if (rights !== null) handOver(folder, rights)
    const [execPath, ...prefix] = [...DIE_WITH_PARENT, process.execPath]
    const child = fork(entry, [folder], {
      ...rights,
      cwd: folder,
      execPath,
      execArgv: [...prefix, `--max-old-space-size=${HEAP_MB_MAX}`],
      env: cleanEnvironment(folder),
      serialization: 'advanced',
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    child.stderr?.on('data', (chunk: Buffer) =>
      this.#log.debug({ pid: child.pid }, chunk.toString().trimEnd()),
    )
    if (child.stderr instanceof Socket) child.stderr.unref()
    child.on('error', (error) => this.#log.error({ err: error }, 'a checker could not be started'))
    child.once('exit', (code, signal) => {
      this.#log.debug({ pid: child.pid, code, signal }, 'a checker ended')
      if (this.#child === child) this.#child = null
      void rm(folder, { recursive: true, force: true }).catch(() => {})
    })
    child.unref()
    child.channel?.unref()
    return child
  }
}

/** Names and nothing else of the service's environment: workerd and every tool inherit what stands here. */
function cleanEnvironment(folder: string): NodeJS.ProcessEnv {
  const tmp = join(folder, 'tmp')
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    NO_COLOR: '1',
    // Bundler and compiler live as long as the checker and collect garbage too often by default.
    GOGC: '400',
    GOMEMLIMIT: '512MiB',
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    TMPDIR: tmp,
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_SEND_ERROR_REPORTS: 'false',
    MINIFLARE_WORKERD_PATH: workerdWrapper,
    SLIPWAY_WORKERD: workerd,
    SLIPWAY_COMPILER: compiler,
  }
}

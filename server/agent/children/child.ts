import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { changeOwner, leastPrivileges } from './least-privilege.ts'
import { type ProgramMemory, memoryOf } from './processes.ts'
import type { ResultMessage, JobInput, JobMessage, ChildJobs, JobOutput } from './protocol.ts'

/**
 * The time limit for loading, which takes a third of a second, or more on a busy machine. Loading does not count
 * towards a job's deadline.
 */
const START_MS = 30_000
/** Short enough to stop a process that allocates a gigabyte per second soon after the process reaches its limit. */
const MEMORY_POLL_MS = 100
/** A child above this share of its memory limit is replaced after its job; the largest legitimate app leaves less behind. */
const SWOLLEN_SHARE = 0.75

const startScript = fileURLToPath(new URL('./start.sh', import.meta.url))

export interface ChildKind {
  /** The module that the process runs. The module must call `serveJobs`, and gets the process's folder as its argument. */
  entry: string
  heapMbMax: number
  /** A process is replaced after this number of jobs, because libraries keep a little memory of every job. */
  jobsMax: number
  /** The total memory of the process and of all programs that it starts. */
  memoryBytesMax: number
  /** Stricter limits for single programs, by their name. */
  programBytesMax?: Record<string, number>
  environment?: NodeJS.ProcessEnv
  /** Writes the files that every job needs into the child's own folder, before the process starts. */
  prepare?(folder: string): void
}

export interface JobLimits {
  /** A function is called again when the returned limit has passed. The job may then continue until the newly returned limit. */
  timeoutMs: number | (() => number)
  /** When aborted, the job's process is killed. */
  signal?: AbortSignal | undefined
}

/** Thrown when a job has no result because its process was killed or died. */
export class ChildExitedError extends Error {
  readonly reason: 'time' | 'memory' | 'died'
  /** For `memory`: the name of the program that used the most memory; else empty. */
  readonly program: string
  constructor(reason: ChildExitedError['reason'], message: string, program = '') {
    super(message)
    this.name = 'ChildExitedError'
    this.reason = reason
    this.program = program
  }
}

/**
 * A child process that runs one job at a time, within a deadline and a memory limit. A job that exceeds a limit, or is
 * cancelled, ends the process and all programs that it started. The next job gets a new process.
 */
export class Child<J extends ChildJobs> {
  readonly #kind: ChildKind
  readonly #folder: string
  readonly #log: Logger
  #process: ChildProcess | null = null
  #hasLoaded: Promise<unknown> = Promise.resolve()
  #jobs = 0
  #generation = 0

  constructor(kind: ChildKind, folder: string, log: Logger) {
    this.#kind = kind
    this.#folder = folder
    this.#log = log
  }

  get pid(): number | undefined {
    return this.#process?.pid
  }

  /** Runs one job. Rejects with `ChildExitedError`, or with the signal's reason, when the process was ended. */
  async run<K extends keyof J & string>(
    kind: K,
    given: JobInput<J, K>,
    { timeoutMs, signal }: JobLimits,
  ): Promise<JobOutput<J, K>> {
    signal?.throwIfAborted()
    const child = (this.#process ??= this.#start())
    const id = ++this.#jobs
    child.ref()
    child.channel?.ref()
    const { promise, resolve, reject } = Promise.withResolvers<ResultMessage>()
    const lose = (...why: ConstructorParameters<typeof ChildExitedError>) =>
      reject(new ChildExitedError(...why))
    const onMessage = (result: ResultMessage) => {
      if (result.id === id) resolve(result)
    }
    const onExit = () => lose('died', 'the process died')
    const onAbort = () => reject(signal?.reason)
    child.on('message', onMessage)
    child.once('exit', onExit)
    signal?.addEventListener('abort', onAbort, { once: true })
    let timer = setTimeout(lose, START_MS, 'time', 'the process did not start')
    const watch = setInterval(() => {
      const hungry = this.#largestProgram(child)
      if (hungry !== null) lose('memory', `${hungry} used up the memory`, hungry)
    }, MEMORY_POLL_MS)
    let isSound = false
    try {
      await Promise.race([this.#hasLoaded, promise])
      const begunAt = performance.now()
      clearTimeout(timer)
      const expire = () => {
        const limitMs = typeof timeoutMs === 'number' ? timeoutMs : timeoutMs()
        const leftMs = begunAt + limitMs - performance.now()
        if (leftMs > 0) timer = setTimeout(expire, leftMs)
        else lose('time', `took more than ${limitMs / 1000} s`)
      }
      expire()
      child.send({ id, kind, given } satisfies JobMessage, (error) => error && onExit())
      const result = await promise
      const isLong = performance.now() - begunAt > MEMORY_POLL_MS
      isSound = !result.retire && this.#jobs < this.#kind.jobsMax && !(isLong && this.#hasGrownTooMuch(child))
      if (!result.ok) throw new Error(result.message)
      return result.value
    } finally {
      clearTimeout(timer)
      clearInterval(watch)
      child.off('message', onMessage)
      child.off('exit', onExit)
      signal?.removeEventListener('abort', onAbort)
      // The pipe may break before the exit event arrives. Also stop here, so that the next job does not get a dead process.
      if (!isSound) await this.stop()
      child.unref()
      child.channel?.unref()
    }
  }

  async stop(): Promise<void> {
    const child = this.#process
    this.#process = null
    this.#jobs = 0
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return
    child.ref()
    const gone = once(child, 'exit')
    try {
      // The child leads a process group, so the programs that it started end with it.
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      child.kill('SIGKILL')
    }
    await gone
  }

  /** Returns the name of the program with the most memory when a limit is exceeded, else null. */
  #largestProgram(child: ChildProcess): string | null {
    const { memoryBytesMax, programBytesMax = {} } = this.#kind
    const programs = memoryOf(child.pid ?? 0).toSorted((a, b) => b.bytes - a.bytes)
    const greedy = programs.find(({ name, bytes }) => bytes > (programBytesMax[name] ?? Infinity))
    if (greedy !== undefined) return greedy.name
    return totalBytes(programs) > memoryBytesMax ? (programs[0]?.name ?? '') : null
  }

  /** Memory that a tenant's job left in the libraries must not count towards the next tenant's limit. */
  #hasGrownTooMuch(child: ChildProcess): boolean {
    return totalBytes(memoryOf(child.pid ?? 0)) > this.#kind.memoryBytesMax * SWOLLEN_SHARE
  }

  #start(): ChildProcess {
    const { entry, heapMbMax, memoryBytesMax, environment, prepare } = this.#kind
    const folder = join(this.#folder, String(++this.#generation))
    mkdirSync(join(folder, 'tmp'), { recursive: true })
    prepare?.(folder)
    const rights = leastPrivileges(this.#log)
    if (rights !== null) changeOwner(folder, rights)
    // The hard limit of one process is above the limit that the poll enforces, so that the poll ends the job first and can name the reason.
    const hardLimitKb = Math.max(HARD_LIMIT_KB_MIN, Math.round((memoryBytesMax / 1024) * 1.1))
    const child = fork(entry, [folder], {
      ...rights,
      cwd: folder,
      execPath: startScript,
      execArgv: [String(hardLimitKb), process.execPath, `--max-old-space-size=${heapMbMax}`],
      env: { ...cleanEnvironment(folder), ...environment },
      serialization: 'advanced',
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#hasLoaded = once(child, 'message')
    this.#hasLoaded.catch(() => {})
    child.stderr?.on('data', (chunk: Buffer) =>
      this.#log.debug({ pid: child.pid }, chunk.toString().trimEnd()),
    )
    if (child.stderr instanceof Socket) child.stderr.unref()
    child.on('error', (error) => this.#log.error({ err: error }, 'a child process could not be started'))
    child.once('exit', (code, signal) => {
      this.#log.debug({ pid: child.pid, code, signal }, 'a child process ended')
      if (this.#process === child) this.#process = null
      void rm(folder, { recursive: true, force: true }).catch(() => {})
    })
    child.unref()
    child.channel?.unref()
    return child
  }
}

/** Node does not start with less, because the stacks of V8's threads and V8's memory for code also count. */
const HARD_LIMIT_KB_MIN = 1024 * 1024

const totalBytes = (programs: readonly ProgramMemory[]) => programs.reduce((sum, { bytes }) => sum + bytes, 0)

/** Every program of a job inherits these variables, so they contain none of the service's own variables. */
function cleanEnvironment(folder: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    NO_COLOR: '1',
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    TMPDIR: join(folder, 'tmp'),
  }
}

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { Child, type ChildKind, ChildExitedError, type JobLimits } from './child.ts'
import type { JobInput, ChildJobs, JobOutput } from './protocol.ts'
import { hasCode } from '../../db/embedded/system-error.ts'

export { ChildExitedError } from './child.ts'

/** A process may die for a reason outside the job, such as memory used elsewhere. When a process dies twice, the job is the cause. */
const ATTEMPTS_MAX = 2
/** A warm child uses memory, so it is stopped after this time without a job. */
const IDLE_MS = 10 * 60_000
const FOLDER_PREFIX = 'slipway-children-'

/** Child processes of one kind. Each process runs one job at a time. When jobs of several owners wait, the owners take turns. */
export interface ChildPool<J extends ChildJobs> {
  /** Rejects with `ChildExitedError` when the job exceeded a limit, and with the signal's reason when the job was cancelled. */
  run<K extends keyof J & string>(
    kind: K,
    given: JobInput<J, K>,
    limits: PoolLimits,
  ): Promise<JobOutput<J, K>>
  isWarm(): boolean
  isClosed(): boolean
  /** Ends all processes of the pool and their descendants. */
  close(): Promise<void>
}

/** `owner` is the id of the organization for which the job runs. */
export type PoolLimits = JobLimits & { owner: string }

export function openPool<J extends ChildJobs>(
  kind: ChildKind,
  { size, log }: { size: number; log: Logger },
): ChildPool<J> {
  const root = makeChildrenFolder()
  const children = Array.from({ length: size }, (_, i) => new Child<J>(kind, join(root, `c${i}`), log))
  // The child that became free last is used first, because it is warm. The other children can then become idle and be stopped.
  const free = [...children]
  const waiting = new FairQueue<Child<J>>()
  const idle = new Map<Child<J>, NodeJS.Timeout>()
  let closed = false

  const release = (child: Child<J>) => {
    if (waiting.serve(child)) return
    free.push(child)
    idle.set(child, setTimeout(() => void child.stop(), IDLE_MS).unref())
  }
  const acquire = async ({ owner, signal }: PoolLimits): Promise<Child<J>> => {
    const child = free.pop() ?? (await waiting.wait(owner, signal))
    clearTimeout(idle.get(child))
    return child
  }
  return {
    async run(job, given, limits) {
      limits.signal?.throwIfAborted()
      const child = await acquire(limits)
      try {
        for (let attempt = 1; ; attempt++) {
          if (closed) throw new Error('the child processes are closed')
          try {
            return await child.run(job, given, limits)
          } catch (error) {
            const mayRetry = error instanceof ChildExitedError && error.reason === 'died' && !closed
            if (!mayRetry || attempt >= ATTEMPTS_MAX) throw error
            log.warn({ job, attempt }, 'a child process died and its job starts again')
          }
        }
      } finally {
        release(child)
      }
    },
    isWarm: () => children.some((child) => child.pid !== undefined),
    isClosed: () => closed,
    async close() {
      closed = true
      for (const timer of idle.values()) clearTimeout(timer)
      await Promise.all(children.map((child) => child.stop()))
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** Creates a folder for the children of this process. Also deletes the folders of killed processes, which could not delete them. */
export function makeChildrenFolder(): string {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(FOLDER_PREFIX) ? Number(name.slice(FOLDER_PREFIX.length).split('-')[0]) : 0
    if (pid > 0 && !isAlive(pid)) removeLeftover(join(tmpdir(), name))
  }
  return mkdtempSync(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`))
}

function removeLeftover(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // Another account, for example root, ran that service. Only that account can delete the folder, which this service does not need.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

/**
 * A fair queue: one queue per owner, in order, served in turn. An owner with a hundred requests delays another owner's
 * first request by only one turn.
 */
class FairQueue<T> {
  readonly #queues = new Map<string, Set<(given: T) => void>>()

  /**
   * Waits in the owner's queue and resolves to the value that is passed to `serve`. When `signal` aborts first, leaves the queue and
   * rejects.
   */
  wait(owner: string, signal: AbortSignal | undefined): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const queue = this.#queues.get(owner) ?? new Set()
    this.#queues.set(owner, queue)
    const leave = () => {
      queue.delete(serve)
      if (queue.size === 0) this.#removeQueue(owner, queue)
      reject(signal?.reason)
    }
    const serve = (given: T) => {
      signal?.removeEventListener('abort', leave)
      resolve(given)
    }
    queue.add(serve)
    signal?.addEventListener('abort', leave, { once: true })
    return promise
  }

  /** Resolves the next waiting call with `given`. Returns false when no call waits. */
  serve(given: T): boolean {
    const [next] = this.#queues
    if (next === undefined) return false
    const [owner, queue] = next
    const [serve] = queue
    this.#queues.delete(owner)
    if (serve === undefined) return this.serve(given)
    queue.delete(serve)
    if (queue.size > 0) this.#queues.set(owner, queue)
    serve(given)
    return true
  }

  #removeQueue(owner: string, queue: Set<unknown>): void {
    if (this.#queues.get(owner) === queue) this.#queues.delete(owner)
  }
}

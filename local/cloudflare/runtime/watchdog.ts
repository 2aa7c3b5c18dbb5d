import { killHard, readProcess, readResidentBytes } from '../../world/processes.ts'
import { askWorker } from './ask-worker.ts'
import { PING_WORKER } from './plan.ts'

/** The part of an `Instance` that is watched. */
interface Watched {
  pid(): number | null
  sockets: ReadonlyMap<string, string>
}

interface Callbacks {
  onSpin(pid: number): void
  /** The process is over its limit; once per process. It began to grow fast by `roseAt`; null: it grew slowly. */
  onMemory(roseAt: number | null): void
  /** It is so far over that it must not run any longer. */
  onFarOverMemory(): void
}

/** When a workerd is too much; spinning is judged by CPU time, since a busy machine must not kill apps. */
interface WatchLimits {
  pingMs: number
  spinCpuSeconds: number
  memoryLookMs: number
  memoryBytes: number
}
export const MEMORY_BYTES_MAX = 512 * 1024 * 1024
/** An app can fill a gigabyte in a second. A look takes 10 microseconds, and only running apps are looked at. */
export const MEMORY_LOOK_MS = 100
const LIMITS: WatchLimits = {
  pingMs: 2000,
  spinCpuSeconds: 10,
  memoryLookMs: MEMORY_LOOK_MS,
  memoryBytes: MEMORY_BYTES_MAX,
}
/** Up to here requests of others may end first. */
const FAR_OVER = 1.1
/** More between two looks is fast: a request is at work on it. */
const FAST_BYTES = 8 * 1024 * 1024
/** On a busy machine a process that grows fast may stand still for some looks. */
const PAUSED_LOOKS_MAX = 3

interface Growth {
  bytes: number
  /** Since which look it grows fast (`performance.now()`), or null. */
  roseAt: number | null
  /** The looks since it last grew fast. */
  pausedLooks: number
}

/** The growth of a process that has so many bytes now. */
export function growthOf(last: Growth, bytes: number, now: number): Growth {
  if (bytes - last.bytes >= FAST_BYTES) return { bytes, roseAt: last.roseAt ?? now, pausedLooks: 0 }
  const pausedLooks = last.pausedLooks + 1
  return { bytes, roseAt: pausedLooks > PAUSED_LOOKS_MAX ? null : last.roseAt, pausedLooks }
}

/** Ends a workerd that spins (an endless loop hangs all workers of its group) and reports one that grows too big. */
export class Watchdog {
  readonly #instance: Watched
  readonly #callbacks: Callbacks
  readonly #limits: WatchLimits
  readonly #timers: NodeJS.Timeout[]
  #cpuAtGoodPing: { pid: number; seconds: number } | null = null
  #isPinging = false
  /** Pings without an answer, in a row. */
  #failures = 0
  /** What was last seen. */
  #memory: (Growth & { pid: number; isReported: boolean }) | null = null

  constructor(instance: Watched, callbacks: Callbacks, limits: Partial<WatchLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits }
    this.#instance = instance
    this.#callbacks = callbacks
    this.#timers = [
      setInterval(() => void this.#look(), this.#limits.pingMs).unref(),
      setInterval(() => this.#weigh(), this.#limits.memoryLookMs).unref(),
    ]
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  #weigh(): void {
    const last = this.#memory
    const bytes = last === null ? 0 : readResidentBytes(last.pid)
    // It is gone. Which process came after it stands in a file, which would be slow to read at every look.
    if (last === null || bytes === 0) return this.#follow(this.#instance.pid())
    const { memoryBytes } = this.#limits
    const growth = growthOf(last, bytes, performance.now())
    const isOver = bytes > memoryBytes
    this.#memory = { ...growth, pid: last.pid, isReported: last.isReported || isOver }
    if (isOver && !last.isReported) this.#callbacks.onMemory(growth.roseAt)
    if (bytes > memoryBytes * FAR_OVER) this.#callbacks.onFarOverMemory()
  }

  /** Begins to weigh this process, unless it is the one that is weighed already. */
  #follow(pid: number | null): void {
    if (pid === this.#memory?.pid) return
    this.#memory =
      pid === null
        ? null
        : { pid, bytes: readResidentBytes(pid), roseAt: null, pausedLooks: 0, isReported: false }
  }

  async #look(): Promise<void> {
    const pid = this.#instance.pid()
    this.#follow(pid)
    if (pid === null || this.#isPinging) return
    this.#isPinging = true
    const isGood = await this.#ping()
    this.#isPinging = false
    this.#failures = isGood ? 0 : this.#failures + 1
    const seconds = readProcess(pid)?.cpuSeconds
    if (seconds === undefined) return
    if (isGood || this.#cpuAtGoodPing?.pid !== pid) this.#cpuAtGoodPing = { pid, seconds }
    // A single answer may be late because this process stood still, while the other worked on.
    else if (this.#failures > 1 && seconds - this.#cpuAtGoodPing.seconds > this.#limits.spinCpuSeconds) {
      this.#callbacks.onSpin(pid)
      // Miniflare starts it again.
      killHard(pid)
    }
  }

  async #ping(): Promise<boolean> {
    const socket = this.#instance.sockets.get(PING_WORKER)
    if (socket === undefined) return false
    try {
      const answer = await askWorker(socket, '/', { signal: AbortSignal.timeout(this.#limits.pingMs) })
      return (await answer.text()) === 'ok'
    } catch {
      return false
    }
  }
}

import { killHard, readProcess, readResidentBytes } from '../../world/processes.ts'
import { fetchWorker } from './worker-socket.ts'
import { PING_WORKER } from './plan.ts'

interface Watched {
  pid(): number | null
  sockets: ReadonlyMap<string, string>
}

interface Callbacks {
  onSpin(pid: number): void
  /** Called once per process when it is over its memory limit. Fast growth began by `roseAt`; null when it grew slowly. */
  onMemory(roseAt: number | null): void
  /** The process is so far over the limit that it must be killed at once. */
  onFarOverMemory(): void
}

/** Spinning is measured in CPU time, because a busy machine must not kill apps. */
interface WatchLimits {
  pingMs: number
  spinCpuSeconds: number
  memoryCheckMs: number
  memoryBytes: number
}
export const MEMORY_BYTES_MAX = 512 * 1024 * 1024
/** An app can allocate a gigabyte in a second. A check takes 10 microseconds and covers running apps only. */
export const MEMORY_CHECK_MS = 100
const LIMITS: WatchLimits = {
  pingMs: 2000,
  spinCpuSeconds: 10,
  memoryCheckMs: MEMORY_CHECK_MS,
  memoryBytes: MEMORY_BYTES_MAX,
}
/** Below this factor of the limit, running requests may finish first. */
const FAR_OVER = 1.1
/** Faster growth between two checks can only come from a running request. */
const FAST_BYTES = 8 * 1024 * 1024
/**
 * On a busy machine a fast-growing process can pause for a second, so its growth has ended only after two seconds. A start time
 * that is too early only repeats a request; one that is too late blames requests that came afterwards.
 */
const PAUSED_CHECKS_MAX = 20

interface Growth {
  bytes: number
  /** When fast growth began (`performance.now()`); null: it does not grow fast. */
  roseAt: number | null
  /** The number of checks since it last grew fast. */
  pausedChecks: number
}

export function growthOf(last: Growth, bytes: number, now: number): Growth {
  if (bytes - last.bytes >= FAST_BYTES) return { bytes, roseAt: last.roseAt ?? now, pausedChecks: 0 }
  const pausedChecks = last.pausedChecks + 1
  return { bytes, roseAt: pausedChecks > PAUSED_CHECKS_MAX ? null : last.roseAt, pausedChecks }
}

/**
 * Kills a workerd that spins (an endless loop blocks all workers of its group) and reports one that uses too much
 * memory.
 */
export class Watchdog {
  readonly #instance: Watched
  readonly #callbacks: Callbacks
  readonly #limits: WatchLimits
  readonly #timers: NodeJS.Timeout[]
  #cpuAtGoodPing: { pid: number; seconds: number } | null = null
  #isPinging = false
  /** Consecutive pings without a response. */
  #failures = 0
  #memory: (Growth & { pid: number; isReported: boolean }) | null = null

  constructor(instance: Watched, callbacks: Callbacks, limits: Partial<WatchLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits }
    this.#instance = instance
    this.#callbacks = callbacks
    // At once, while the process still idles: growth before the first check would look like its size at start.
    this.#follow(instance.pid())
    this.#timers = [
      setInterval(() => void this.#check(), this.#limits.pingMs).unref(),
      setInterval(() => this.#measure(), this.#limits.memoryCheckMs).unref(),
    ]
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  #measure(): void {
    const last = this.#memory
    const bytes = last === null ? 0 : readResidentBytes(last.pid)
    // The process has ended. Its successor is named in a file, which would be slow to read at every check.
    if (last === null || bytes === 0) return this.#follow(this.#instance.pid())
    const { memoryBytes } = this.#limits
    const growth = growthOf(last, bytes, performance.now())
    const isOver = bytes > memoryBytes
    this.#memory = { ...growth, pid: last.pid, isReported: last.isReported || isOver }
    if (isOver && !last.isReported) this.#callbacks.onMemory(growth.roseAt)
    if (bytes > memoryBytes * FAR_OVER) this.#callbacks.onFarOverMemory()
  }

  /** Starts measuring this process, unless it is measured already. */
  #follow(pid: number | null): void {
    if (pid === this.#memory?.pid) return
    this.#memory =
      pid === null
        ? null
        : { pid, bytes: readResidentBytes(pid), roseAt: null, pausedChecks: 0, isReported: false }
  }

  async #check(): Promise<void> {
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
    // One late response does not count: this process may have been stalled while the other ran.
    else if (this.#failures > 1 && seconds - this.#cpuAtGoodPing.seconds > this.#limits.spinCpuSeconds) {
      this.#callbacks.onSpin(pid)
      // Miniflare restarts it.
      killHard(pid)
    }
  }

  async #ping(): Promise<boolean> {
    const socket = this.#instance.sockets.get(PING_WORKER)
    if (socket === undefined) return false
    try {
      const answer = await fetchWorker(socket, '/', { signal: AbortSignal.timeout(this.#limits.pingMs) })
      return (await answer.text()) === 'ok'
    } catch {
      return false
    }
  }
}

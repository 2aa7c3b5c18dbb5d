import { sendSigkill, readProcess, readResidentBytes } from '../../world/processes.ts'
import { fetchWorker } from '../workerd/worker-socket.ts'
import { PING_WORKER } from '../workerd/plan.ts'

interface WatchedProcess {
  pid(): number | null
  sockets: ReadonlyMap<string, string>
}

interface WatchdogCallbacks {
  onSpin(pid: number): void
  /**
   * Called once per process when it exceeds its memory limit. `roseAt` is the time when fast growth began; null when the memory grew
   * slowly.
   */
  onMemory(roseAt: number | null): void
  /** Called when the process exceeds its memory limit by 10 percent and must be killed immediately. */
  onFarOverMemory(): void
}

/** An endless loop is detected by CPU time and not by wall time, because on a busy machine a correct app also responds late. */
interface WatchLimits {
  pingMs: number
  spinCpuSeconds: number
  memoryCheckMs: number
  memoryBytes: number
}
/** The limit of one process, which runs all workers of a group. */
export const MEMORY_BYTES_MAX = 512 * 1024 * 1024
/** A short interval, because an app can allocate a gigabyte in a second. A check takes 10 microseconds. */
export const MEMORY_CHECK_MS = 100
const WATCH_LIMITS: WatchLimits = {
  pingMs: 2000,
  spinCpuSeconds: 10,
  memoryCheckMs: MEMORY_CHECK_MS,
  memoryBytes: MEMORY_BYTES_MAX,
}
/**
 * A process that uses less than this multiple of its memory limit may finish its running requests before it
 * is restarted.
 */
const KILL_AT_SHARE = 1.1
/** When memory grows by this amount between two checks, a running request is assumed to be the cause. */
const FAST_GROWTH_BYTES = 8 * 1024 * 1024
/**
 * Fast growth counts as ended after this many checks in a row without it: two seconds, because a process on a
 * busy machine can pause for a second while its memory grows. With fewer checks, one period of growth would count as
 * two, of which the second seems to begin too late: the router would refuse requests that did not cause the growth.
 * With more checks, two periods would count as one that began too early: the router would retry the request that
 * caused the growth.
 */
const PAUSED_CHECKS_MAX = 20

interface MemoryGrowth {
  bytes: number
  /** When fast growth began (`performance.now()`); null when there is none. */
  roseAt: number | null
  /** The number of checks since the memory last grew fast. */
  pausedChecks: number
}

/** Returns the growth after a check that found `bytes` of memory at the time `now`. */
export function memoryGrowthAfter(last: MemoryGrowth, bytes: number, now: number): MemoryGrowth {
  if (bytes - last.bytes >= FAST_GROWTH_BYTES) return { bytes, roseAt: last.roseAt ?? now, pausedChecks: 0 }
  const pausedChecks = last.pausedChecks + 1
  return { bytes, roseAt: pausedChecks > PAUSED_CHECKS_MAX ? null : last.roseAt, pausedChecks }
}

/**
 * Kills a workerd process whose event loop is blocked by an endless loop, because that blocks all its
 * workers. Reports a process that uses too much memory.
 */
export class Watchdog {
  readonly #instance: WatchedProcess
  readonly #callbacks: WatchdogCallbacks
  readonly #limits: WatchLimits
  readonly #timers: NodeJS.Timeout[]
  #cpuAtGoodPing: { pid: number; seconds: number } | null = null
  #isPinging = false
  /** The number of consecutive pings without a response. */
  #failures = 0
  #memory: (MemoryGrowth & { pid: number; isReported: boolean }) | null = null

  constructor(instance: WatchedProcess, callbacks: WatchdogCallbacks, limits: Partial<WatchLimits> = {}) {
    this.#limits = { ...WATCH_LIMITS, ...limits }
    this.#instance = instance
    this.#callbacks = callbacks
    // Measure the idle process now. A measurement at the first check would already include memory that the app has allocated.
    this.#measureProcess(instance.pid())
    this.#timers = [
      setInterval(() => void this.#checkProcess(), this.#limits.pingMs).unref(),
      setInterval(() => this.#measureMemory(), this.#limits.memoryCheckMs).unref(),
    ]
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  #measureMemory(): void {
    const last = this.#memory
    const bytes = last === null ? 0 : readResidentBytes(last.pid)
    // Look up the pid only when the process has ended, because `pid()` reads a file.
    if (last === null || bytes === 0) return this.#measureProcess(this.#instance.pid())
    const { memoryBytes } = this.#limits
    const growth = memoryGrowthAfter(last, bytes, performance.now())
    const isOver = bytes > memoryBytes
    this.#memory = { ...growth, pid: last.pid, isReported: last.isReported || isOver }
    if (isOver && !last.isReported) this.#callbacks.onMemory(growth.roseAt)
    if (bytes > memoryBytes * KILL_AT_SHARE) this.#callbacks.onFarOverMemory()
  }

  /** Starts measuring the process `pid` unless it is already measured. */
  #measureProcess(pid: number | null): void {
    if (pid === this.#memory?.pid) return
    this.#memory =
      pid === null
        ? null
        : { pid, bytes: readResidentBytes(pid), roseAt: null, pausedChecks: 0, isReported: false }
  }

  async #checkProcess(): Promise<void> {
    const pid = this.#instance.pid()
    this.#measureProcess(pid)
    if (pid === null || this.#isPinging) return
    this.#isPinging = true
    const isGood = await this.#pingWorker()
    this.#isPinging = false
    this.#failures = isGood ? 0 : this.#failures + 1
    const seconds = readProcess(pid)?.cpuSeconds
    if (seconds === undefined) return
    if (isGood || this.#cpuAtGoodPing?.pid !== pid) this.#cpuAtGoodPing = { pid, seconds }
    // One late response is not enough: this Node process may have been stalled while workerd ran.
    else if (this.#failures > 1 && seconds - this.#cpuAtGoodPing.seconds > this.#limits.spinCpuSeconds) {
      this.#callbacks.onSpin(pid)
      // Miniflare starts a new process.
      sendSigkill(pid)
    }
  }

  async #pingWorker(): Promise<boolean> {
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

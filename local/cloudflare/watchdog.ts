import { fetch } from 'undici'
import { killHard, readMemoryBytes, readProcess } from '../world/processes.ts'
import type { Instance } from './instance.ts'

type Watched = Pick<Instance, 'pid' | 'ports'>

interface Callbacks {
  onSpin(pid: number): void
  onMemory(): void
}

/** When a workerd is too much; spinning is judged by CPU time, since a busy machine must not kill apps. */
interface WatchLimits {
  pingMs: number
  spinCpuSeconds: number
  memoryBytes: number
}
const LIMITS: WatchLimits = { pingMs: 2000, spinCpuSeconds: 10, memoryBytes: 512 * 1024 * 1024 }
const MEMORY_EVERY_PINGS = 3

/** Ends a workerd that spins (an endless loop hangs all workers of its group) and reports one that grows too big. */
export class Watchdog {
  readonly #instance: Watched
  readonly #callbacks: Callbacks
  readonly #limits: WatchLimits
  readonly #timer: NodeJS.Timeout
  #cpuAtGoodPing: { pid: number; seconds: number } | null = null
  #isPinging = false
  #pings = 0
  /** Pings without an answer, in a row. */
  #failures = 0

  constructor(instance: Watched, callbacks: Callbacks, limits: Partial<WatchLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits }
    this.#instance = instance
    this.#callbacks = callbacks
    this.#timer = setInterval(() => void this.#look(), this.#limits.pingMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #look(): Promise<void> {
    const pid = this.#instance.pid()
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
    this.#pings++
    if (this.#pings % MEMORY_EVERY_PINGS === 0 && (readMemoryBytes(pid) ?? 0) > this.#limits.memoryBytes) {
      this.#callbacks.onMemory()
    }
  }

  async #ping(): Promise<boolean> {
    const port = this.#instance.ports.get('_ping')
    if (port === undefined) return false
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/`, {
        signal: AbortSignal.timeout(this.#limits.pingMs),
      })
      return (await answer.text()) === 'ok'
    } catch {
      return false
    }
  }
}

import { fetch } from 'undici'
import { killHard, readMemoryBytes, readProcess } from '../world/processes.ts'
import type { Instance } from './instance.ts'

interface Callbacks {
  onSpin(pid: number): void
  onMemory(): void
}

const PING_MS = 2000
// Judged by CPU time, not by the clock: a busy machine must not kill apps.
const SPIN_CPU_SECONDS = 10
const MEMORY_EVERY_PINGS = 3
const MEMORY_BYTES_MAX = 512 * 1024 * 1024

/** Ends a workerd that spins (an endless loop hangs all workers of its group) and reports one that grows too big. */
export class Watchdog {
  readonly #instance: Instance
  readonly #callbacks: Callbacks
  readonly #timer: NodeJS.Timeout
  #cpuAtGoodPing: { pid: number; seconds: number } | null = null
  #isPinging = false
  #pings = 0

  constructor(instance: Instance, callbacks: Callbacks) {
    this.#instance = instance
    this.#callbacks = callbacks
    this.#timer = setInterval(() => void this.#look(), PING_MS).unref()
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
    const seconds = readProcess(pid)?.cpuSeconds
    if (seconds === undefined) return
    if (isGood || this.#cpuAtGoodPing?.pid !== pid) this.#cpuAtGoodPing = { pid, seconds }
    else if (seconds - this.#cpuAtGoodPing.seconds > SPIN_CPU_SECONDS) {
      this.#callbacks.onSpin(pid)
      // Miniflare starts it again.
      killHard(pid)
    }
    this.#pings++
    if (this.#pings % MEMORY_EVERY_PINGS === 0 && (readMemoryBytes(pid) ?? 0) > MEMORY_BYTES_MAX) {
      this.#callbacks.onMemory()
    }
  }

  async #ping(): Promise<boolean> {
    const port = this.#instance.ports.get('_ping')
    if (port === undefined) return false
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(PING_MS) })
      return (await answer.text()) === 'ok'
    } catch {
      return false
    }
  }
}

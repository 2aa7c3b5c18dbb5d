import { createStore } from '../../lib/store.ts'

/**
 * Whether the service can be reached: yes (`online`), no network (`offline`), or the health check fails
 * (`away`).
 */
export type ConnectionState = 'online' | 'offline' | 'away'

/** What `Connection` needs of the browser. Tests replace it. */
export interface ConnectionWorld {
  isOnline: () => boolean
  /** Whether `GET /health` returns 200. */
  isHealthy: () => Promise<boolean>
  wait: (ms: number) => Promise<void>
}

const WAITS_MS = [500, 1000, 2000, 3000, 5000]

/**
 * Tracks whether the service can be reached. It sends no health checks at a fixed interval: the caller requests one
 * when a failed request or a browser event suggests that the state has changed.
 */
export class Connection {
  readonly #world: ConnectionWorld
  readonly #state = createStore<ConnectionState>('online')
  #pendingCheck: Promise<void> | null = null

  constructor(world: ConnectionWorld) {
    this.#world = world
  }

  readonly get = this.#state.get
  readonly subscribe = this.#state.subscribe

  /**
   * Checks the health of the service until it is healthy. Sets `offline` and stops when there is no network.
   * While a check is in progress, further callers wait for the same check.
   */
  async check(): Promise<void> {
    if (!this.#world.isOnline()) return this.#state.set('offline')
    this.#pendingCheck ??= this.#pollHealth().finally(() => {
      this.#pendingCheck = null
    })
    await this.#pendingCheck
  }

  async #pollHealth(): Promise<void> {
    for (let asked = 0; ; asked++) {
      const isHealthy = await this.#world.isHealthy()
      if (!this.#world.isOnline()) return this.#state.set('offline')
      if (isHealthy) return this.#state.set('online')
      this.#state.set('away')
      await this.#world.wait(WAITS_MS[Math.min(asked, WAITS_MS.length - 1)] ?? 0)
    }
  }

  /** Resolves once the service can be reached. */
  async whenBack(): Promise<void> {
    await this.check()
    if (this.get() === 'online') return
    await new Promise<void>((resolve) => {
      const stop = this.subscribe(() => {
        if (this.get() !== 'online') return
        stop()
        resolve()
      })
    })
  }
}

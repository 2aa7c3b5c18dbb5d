import type { AppClient } from './app-client.ts'

const VISITORS = 4
const PROBES_MIN = 2000

/** Visitors who use the app throughout; each waits for a response before the next request. */
export class Visitors {
  readonly #visits: Promise<void>[]
  #leaving = false
  #probes = 0
  #failed = 0

  constructor(app: AppClient) {
    this.#visits = Array.from({ length: VISITORS }, () => this.#visit(app))
  }

  /** Stops them once they have made `PROBES_MIN` requests together; returns how many they made and how many failed. */
  async leave(): Promise<{ probes: number; failed: number }> {
    this.#leaving = true
    await Promise.all(this.#visits)
    return { probes: this.#probes, failed: this.#failed }
  }

  async #visit(app: AppClient): Promise<void> {
    while (!this.#leaving || this.#probes < PROBES_MIN) {
      const answer = await app.get('/api/release').catch(() => null)
      this.#probes++
      if (answer?.status !== 200) this.#failed++
    }
  }
}

import type { AppClient } from './app-client.ts'

const VISITOR_COUNT = 4
const PROBES_MIN = 2000

/** Visitors who send requests to an app until they are stopped; each waits for a response before the next request. */
export class Visitors {
  readonly #visits: Promise<void>[]
  #leaving = false
  #probes = 0
  #failed = 0

  constructor(app: AppClient) {
    this.#visits = Array.from({ length: VISITOR_COUNT }, () => this.#visitUntilLeft(app))
  }

  /** Stops the visitors once they have made at least `PROBES_MIN` requests in total. Returns the numbers of requests and failures. */
  async leave(): Promise<{ probes: number; failed: number }> {
    this.#leaving = true
    await Promise.all(this.#visits)
    return { probes: this.#probes, failed: this.#failed }
  }

  async #visitUntilLeft(app: AppClient): Promise<void> {
    while (!this.#leaving || this.#probes < PROBES_MIN) {
      const response = await app.get('/api/release').catch(() => null)
      this.#probes++
      if (response?.status !== 200) this.#failed++
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { CloudflareError } from '../cloudflare/errors.ts'

/** About the time a provider needs to come back from a restart; what answers, however badly, is not waited for. */
const WAITS_MS = [500, 1_000, 2_000, 4_000, 8_000, 8_000]

/** Runs `work`, which may run any number of times, again for as long as the account gives no answer at all. */
export async function whileUnreachable<T>(
  signal: AbortSignal,
  work: (repeat: number) => Promise<T>,
): Promise<T> {
  for (let repeat = 0; ; repeat++) {
    try {
      return await work(repeat)
    } catch (error) {
      const waitMs = WAITS_MS[repeat]
      const isAway = error instanceof CloudflareError && error.retryable && error.status === null
      if (!isAway || waitMs === undefined) throw error
      await sleep(waitMs, undefined, { signal })
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { CloudflareError } from '../cloudflare/errors.ts'

/** The waits between the attempts. Together they last about as long as a provider needs to restart. */
const WAITS_MS = [500, 1_000, 2_000, 4_000, 8_000, 8_000]

/** Repeats `work` while the provider does not respond at all. An error in a response is thrown at once. */
export async function retryWhileUnreachable<T>(
  signal: AbortSignal,
  work: (repeat: number) => Promise<T>,
): Promise<T> {
  for (let repeat = 0; ; repeat++) {
    try {
      return await work(repeat)
    } catch (error) {
      const waitMs = WAITS_MS[repeat]
      const isUnreachable = error instanceof CloudflareError && error.retryable && error.status === null
      if (!isUnreachable || waitMs === undefined) throw error
      await sleep(waitMs, undefined, { signal })
    }
  }
}

// The provider's error codes for a binding whose target was just made and is not yet visible everywhere.
const NOT_VISIBLE_YET_CODES = new Set([10061, 10085, 10143, 10144, 11000])
const VISIBLE_WITHIN_MS = 20_000
const RETRY_PAUSE_MS = 1_000

/** Repeats an upload while the target of one of its bindings is too new to be visible everywhere. */
export async function retryWhileTargetsUnseen<T>(send: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + VISIBLE_WITHIN_MS
  for (;;) {
    try {
      return await send()
    } catch (error) {
      const isEarly = error instanceof CloudflareError && NOT_VISIBLE_YET_CODES.has(error.providerCode ?? 0)
      if (!isEarly || performance.now() > giveUpAt) throw error
      await sleep(RETRY_PAUSE_MS)
    }
  }
}

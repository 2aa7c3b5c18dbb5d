import { setTimeout as sleep } from 'node:timers/promises'
import { CloudflareError } from '../../cloudflare/errors.ts'
import { ApiError } from '../../http/errors.ts'
import { ProviderError } from '../../lib/provider-error.ts'
import { joinReason } from '../capability.ts'

/** Seconds before each attempt while the account does not answer: 77 s in all. */
const SCHEDULE_SECONDS = [0, 2, 5, 10, 20, 40]

/** Runs `work` until it succeeds or nothing more is to be hoped for; answers the reason it failed, or null. */
export async function attempt(signal: AbortSignal, work: () => Promise<void>): Promise<string | null> {
  for (const [index, seconds] of SCHEDULE_SECONDS.entries()) {
    await sleep(seconds * 1000, undefined, { signal })
    try {
      await work()
      return null
    } catch (error) {
      const isLast = index === SCHEDULE_SECONDS.length - 1
      if (error instanceof ProviderError && error.retryable && !isLast) continue
      // Anything else is our own fault or the database's: the job itself is repeated.
      if (!(error instanceof ProviderError) && !(error instanceof ApiError)) throw error
      const code = error instanceof CloudflareError ? error.fault : 'upstream'
      return joinReason({ code: error instanceof ApiError ? 'reconnect' : code, message: error.message })
    }
  }
  return null
}

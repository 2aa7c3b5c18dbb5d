import { setTimeout as sleep } from 'node:timers/promises'
import { CloudflareError } from '../../cloudflare/errors.ts'
import { StripeError } from '../../stripe/errors.ts'
import { ApiError } from '../../http/errors.ts'
import { ProviderError } from '../../lib/provider-error.ts'
import { joinReason } from '../../capability-declaration/capability.ts'

/** The seconds to wait before each attempt, 77 s in total. */
const RETRY_DELAYS_SECONDS = [0, 2, 5, 10, 20, 40]

/**
 * Repeats `work` while its failure is retryable. Returns null after success, or the reason of the last failure. Throws an error that is
 * neither a `ProviderError` nor an `ApiError`.
 */
export async function attempt(signal: AbortSignal, work: () => Promise<void>): Promise<string | null> {
  for (const [index, seconds] of RETRY_DELAYS_SECONDS.entries()) {
    await sleep(seconds * 1000, undefined, { signal })
    try {
      await work()
      return null
    } catch (error) {
      const isLast = index === RETRY_DELAYS_SECONDS.length - 1
      if (error instanceof ProviderError && error.retryable && !isLast) continue
      if (!(error instanceof ProviderError) && !(error instanceof ApiError)) throw error
      const isNamed = error instanceof CloudflareError || error instanceof StripeError
      const code = isNamed ? error.fault : 'upstream'
      return joinReason({ code: error instanceof ApiError ? 'reconnect' : code, message: error.message })
    }
  }
  return null
}

import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'

/**
 * Returns why a read of the cloud account is unavailable, for the person: no account, a missing credential or permission, a
 * provider that does not respond. Null for our own faults, which must not be hidden.
 */
export function whyUnavailable(error: unknown): string | null {
  if (error instanceof ProviderError) return error.message
  if (error instanceof ApiError && (error.code === 'conflict' || error.code === 'unavailable'))
    return error.message
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return 'The cloud account does not answer right now. Try again.'
  return null
}

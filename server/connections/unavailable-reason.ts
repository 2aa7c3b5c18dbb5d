import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'

/**
 * Returns the reason why the cloud account cannot be read, as a message for a person: no account is connected, a
 * credential or permission is missing, or the provider does not respond. Returns null for any other error, which the
 * caller must throw.
 */
export function unavailableReason(error: unknown): string | null {
  if (error instanceof ProviderError) return error.message
  if (error instanceof ApiError && (error.code === 'conflict' || error.code === 'unavailable'))
    return error.message
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return 'The cloud account does not answer right now. Try again.'
  return null
}

import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'

/**
 * Returns why the cloud account cannot be read, as a message for the person: no account, a missing credential or permission, or a provider
 * that does not respond. Returns null for errors of the service itself, which must not be hidden.
 */
export function whyUnavailable(error: unknown): string | null {
  if (error instanceof ProviderError) return error.message
  if (error instanceof ApiError && (error.code === 'conflict' || error.code === 'unavailable'))
    return error.message
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return 'The cloud account does not answer right now. Try again.'
  return null
}

import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'

/**
 * Why nothing can be shown, for the person: no account, a credential or permission that is missing, a provider that
 * does not answer. Null when the fault is ours and must not be hidden.
 */
export function whyUnavailable(error: unknown): string | null {
  if (error instanceof ProviderError) return error.message
  if (error instanceof ApiError && (error.code === 'conflict' || error.code === 'unavailable'))
    return error.message
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return 'The cloud account does not answer right now. Try again.'
  return null
}

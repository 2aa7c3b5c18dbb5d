import { ProviderError } from '../lib/provider-error.ts'
import { retryAfterSeconds } from '@slipway/runtime/kernel/retry-after.ts'

/** A failed call to the code host. The message is for the person who can fix the cause. */
export class GithubError extends ProviderError {
  constructor(
    message: string,
    about: {
      status?: number | null
      retryable?: boolean
      retryAfterSeconds?: number | null
      cause?: unknown
    } = {},
  ) {
    super('github', message, about)
    this.name = 'GithubError'
  }
}

/** The error for a request without a response. The code host may have carried out the request nevertheless. */
export const unreachable = (cause: unknown) =>
  new GithubError('The code host cannot be reached right now. Try again.', { retryable: true, cause })

interface ErrorResponse {
  status: number
  /** The action in words that follow "could not": `create the repository`. */
  doing: string
  /** The error message in the response of the code host. */
  said: string
  header(name: string): string | null
}

const PROVIDER_TEXT_CHARS_MAX = 200

export function errorFromResponse({ status, doing, said, header }: ErrorResponse): GithubError {
  if (status === 401) {
    return new GithubError(
      'The code host no longer accepts the stored sign-in. Connect it again under Connections.',
      { status },
    )
  }
  const words = said.trim().slice(0, PROVIDER_TEXT_CHARS_MAX) || `It returned status ${status}.`
  const waitSeconds = retryAfterSeconds(header('retry-after'))
  // GitHub returns 403 or 429 for its primary and its secondary rate limit. Only a response about the primary limit has
  // `x-ratelimit-remaining: 0`.
  const isLimited =
    status === 429 || (status === 403 && (header('x-ratelimit-remaining') === '0' || waitSeconds !== null))
  if (isLimited) {
    return new GithubError('The code host is receiving too many requests. Try again later.', {
      status,
      // Without `Retry-After` the rate limit may last an hour, which is too long for a request to wait.
      retryable: waitSeconds !== null,
      retryAfterSeconds: waitSeconds,
    })
  }
  if (status >= 500 || status === 408)
    return new GithubError(`The code host could not ${doing}: ${words}`, {
      status,
      retryable: true,
      retryAfterSeconds: waitSeconds,
    })
  return new GithubError(`The code host refused to ${doing}: ${words}`, { status })
}

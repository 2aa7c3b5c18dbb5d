import { ProviderError } from '../lib/provider-error.ts'

/** A failed call to the code host, worded for the person who can fix it. */
export class GithubError extends ProviderError {
  readonly retryAfterMs: number

  constructor(
    message: string,
    about: { status?: number | null; retryable?: boolean; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super('github', message, about)
    this.name = 'GithubError'
    this.retryAfterMs = about.retryAfterMs ?? 0
  }
}

/** No response; the request may have been carried out all the same. */
export const unreachable = (cause: unknown) =>
  new GithubError('The code host cannot be reached right now. Try again.', { retryable: true, cause })

interface Answered {
  status: number
  /** The attempt in words that follow "could not": `create the repository`. */
  doing: string
  /** The host's own message. */
  said: string
  header(name: string): string | null
}

const SAID_CHARS_MAX = 200

export function errorFromResponse({ status, doing, said, header }: Answered): GithubError {
  if (status === 401) {
    return new GithubError(
      'The code host no longer accepts the stored sign-in. Connect it again under Connections.',
      { status },
    )
  }
  const words = said.trim().slice(0, SAID_CHARS_MAX) || `It answered ${status}.`
  const seconds = Number(header('retry-after') ?? Number.NaN)
  const isLimited = status === 429 || (status === 403 && header('x-ratelimit-remaining') === '0')
  if (isLimited) {
    return new GithubError('The code host is receiving too many requests. Try again later.', {
      status,
      // Without `Retry-After` in seconds the pause may be an hour, which is too long for a request to wait.
      retryable: Number.isFinite(seconds),
      retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : 0,
    })
  }
  if (status >= 500 || status === 408)
    return new GithubError(`The code host could not ${doing}: ${words}`, { status, retryable: true })
  return new GithubError(`The code host refused to ${doing}: ${words}`, { status })
}

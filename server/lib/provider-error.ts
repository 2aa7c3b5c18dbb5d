/** A failed call to an external service. The HTTP layer maps it to `upstream_error` or `model_error`. */
export class ProviderError extends Error {
  readonly provider: string
  readonly status: number | null
  readonly retryable: boolean
  /** The wait that the provider asked for, in whole seconds; null when it did not ask for a wait. */
  readonly retryAfterSeconds: number | null
  /** The error code to return instead of `upstream_error` or `model_error`; null for the default. */
  readonly answersWith: 'conflict' | 'unavailable' | null

  constructor(
    provider: string,
    message: string,
    options: {
      status?: number | null
      retryable?: boolean
      retryAfterSeconds?: number | null
      answersWith?: 'conflict' | 'unavailable'
      cause?: unknown
    } = {},
  ) {
    // A provider may quote text of an app. Postgres refuses NUL, so the record of the failed call could not be stored.
    super(message.replaceAll('\0', ''), { cause: options.cause })
    this.name = 'ProviderError'
    this.provider = provider
    this.status = options.status ?? null
    this.retryable = options.retryable ?? false
    this.retryAfterSeconds = options.retryAfterSeconds ?? null
    this.answersWith = options.answersWith ?? null
  }
}

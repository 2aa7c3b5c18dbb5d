/** Error codes with their HTTP status, a subset of the codes of Slipway's API. Clients tell errors apart by the code. */
export const STATUS_OF = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  not_enabled: 404,
  conflict: 409,
  rate_limited: 429,
  model_error: 502,
  unavailable: 503,
  server_error: 500,
} as const

export type ErrorCode = keyof typeof STATUS_OF

/**
 * An error as a plain value, because an error class loses its fields when a Durable Object returns it over
 * RPC.
 */
export interface Failure {
  code: ErrorCode
  message: string
  field?: string | undefined
  /** How many seconds to wait before a retry may succeed. */
  retryAfterSeconds?: number | undefined
}

/** An error that the caller may see. Any other thrown value becomes `server_error`. */
export class ApiError extends Error {
  readonly code: ErrorCode
  /** The input field that is invalid, for forms. */
  readonly field: string | undefined
  /** How many seconds to wait before a retry may succeed; sent as the header `Retry-After`. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: { field?: string | undefined; cause?: unknown; retryAfterSeconds?: number | undefined } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'ApiError'
    this.code = code
    this.field = options.field
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get status(): (typeof STATUS_OF)[ErrorCode] {
    return STATUS_OF[this.code]
  }
}

/** A value, or an `ApiError` as a plain value: an error loses its class and fields across an RPC boundary. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: Failure }

export const invalid = (field: string, problem: string) =>
  new ApiError('invalid_request', `${field}: ${problem}`, { field })

/** The caller has reached a rate limit (429). The response has the header `Retry-After`. */
export const rateLimitedError = (problem: string, seconds: number) =>
  new ApiError('rate_limited', `${problem} Try again in ${seconds} s.`, { retryAfterSeconds: seconds })

/** The request has no valid session (401). A page then shows its sign-in form. */
export const notSignedIn = () => new ApiError('unauthorized', 'Sign in first.')

/** The error of a change that was not confirmed before its person signed out. The change may have been stored. */
export const signedOutEarly = () =>
  new ApiError('unauthorized', 'You signed out before the app confirmed this change.')

export const noSuchPartition = () => new ApiError('not_found', 'There is no such partition.')

export const noSuchUser = () => new ApiError('not_found', 'There is no such user.')

/** Returns the message of anything that was thrown. */
export function errorText(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    // An object without a prototype cannot be converted to a string.
    return '[object]'
  }
}

/** Converts an error to the plain value that is sent over RPC or in a response. */
export const toFailure = (error: ApiError): Failure => ({
  code: error.code,
  message: error.message,
  ...(error.field === undefined ? {} : { field: error.field }),
  ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
})

/** Converts a received error. An unknown code becomes `server_error`. */
export function fromFailure(failure: {
  code?: unknown
  message?: unknown
  field?: unknown
  retryAfterSeconds?: unknown
}): ApiError {
  const isKnown = typeof failure.code === 'string' && Object.hasOwn(STATUS_OF, failure.code)
  const code = isKnown ? failure.code : 'server_error'
  const message =
    typeof failure.message === 'string' ? failure.message : 'The app did not respond as expected.'
  return new ApiError(code as ErrorCode, message, {
    field: typeof failure.field === 'string' ? failure.field : undefined,
    retryAfterSeconds: typeof failure.retryAfterSeconds === 'number' ? failure.retryAfterSeconds : undefined,
  })
}

/** Returns the value of a result, or throws its error. */
export function unwrapResult<T>(answer: Result<T>): T {
  if (answer.ok) return answer.value
  throw fromFailure(answer.error)
}

/** Returns an `ApiError` as a value. Throws any other error. */
export function failureAnswer(error: unknown): { ok: false; error: Failure } {
  if (error instanceof ApiError) return { ok: false, error: toFailure(error) }
  throw error
}

/** Returns what `work` returns, or its `ApiError` as a value. Throws any other error. */
export async function asResult<T>(work: () => T | Promise<T>): Promise<Result<T>> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    return failureAnswer(error)
  }
}

/** The contract's seventeen codes and their statuses; clients branch on the code. */
export const STATUS_OF = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  forbidden_scope: 403,
  not_found: 404,
  not_enabled: 404,
  payment_required: 402,
  conflict: 409,
  model_required: 412,
  two_factor_required: 403,
  ip_not_allowed: 403,
  attachments_unsupported: 412,
  rate_limited: 429,
  model_error: 502,
  upstream_error: 502,
  unavailable: 503,
  server_error: 500,
} as const

/** Part of the contract: a code is never renamed or removed, because clients branch on it. */
export type ErrorCode = keyof typeof STATUS_OF

/**
 * A refusal for the caller. `message` leaves the service, `cause` goes to the log only.
 * A message about input begins with the field's path and a colon: `slug: must not end in -preview`.
 */
export class ApiError extends Error {
  readonly code: ErrorCode
  /** Whole seconds for `Retry-After`; only `rate_limited` carries it. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'ApiError'
    this.code = code
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get status(): (typeof STATUS_OF)[ErrorCode] {
    return STATUS_OF[this.code]
  }
}

/**
 * 400 for an input that breaks a rule the schema cannot say, like one between two fields. `field` is its path
 * in the body or query: the console shows the message beside that field.
 */
export const invalid = (field: string, problem: string) =>
  new ApiError('invalid_request', `${field}: ${problem}`)

/** One response for unknown ids and for those of another organization, so that ids cannot be enumerated. */
export const notFound = (what = 'resource') => new ApiError('not_found', `No such ${what}.`)

/**
 * 409: the request is good and would succeed in another state of the same thing. The message says which state
 * is in the way and what to do about it.
 */
export const conflict = (message: string) => new ApiError('conflict', message)

/** Whether an error means that a request must not be carried out, rather than that it could not be. */
export const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status < 500

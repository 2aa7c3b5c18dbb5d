/** The seventeen error codes of the public API and their statuses. */
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

/** A code is never renamed or removed, because clients branch on it. */
export type ErrorCode = keyof typeof STATUS_OF

/**
 * An error for the caller. `message` is sent in the response, `cause` is only logged. A message about input
 * begins with the field's path and a colon: `slug: must not end in -preview`.
 */
export class ApiError extends Error {
  readonly code: ErrorCode
  /** Whole seconds for the `Retry-After` header; undefined for an error without this header. */
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
 * A 400 for input that breaks a rule which the schema cannot express, such as a rule between two fields. `field` is
 * the invalid field's path in the body or query; the console shows the message beside that field.
 */
export const invalid = (field: string, problem: string) =>
  new ApiError('invalid_request', `${field}: ${problem}`)

/** The same 404 for unknown ids and for ids of another organization, so that ids cannot be enumerated. */
export const notFound = (what = 'resource') => new ApiError('not_found', `No such ${what}.`)

/** A 403 for a person whose membership ended after the request had been let in. */
export const notMember = () => new ApiError('forbidden', 'You are not a member of this organization.')

/**
 * A 409: the request is valid but does not fit the current state. The message says which state prevents it
 * and what to do about it.
 */
export const conflict = (message: string) => new ApiError('conflict', message)

/** Returns whether an error refuses the request (a 4xx) and is no failure of the service or a provider. */
export const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status < 500

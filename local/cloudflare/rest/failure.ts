/** An error response in the provider's format: HTTP status, numeric code, message. */
export class ApiFailure extends Error {
  readonly status: number
  readonly code: number
  readonly headers: Record<string, string>

  constructor(status: number, code: number, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** Returns the error of the routes below `scripts/` for a missing worker. */
export function noSuchScript(): ApiFailure {
  return new ApiFailure(404, 10007, 'This Worker does not exist on your account.')
}

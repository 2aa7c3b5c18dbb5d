/** A refusal in the provider's own form: HTTP status, numeric code, text. */
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

/** No such worker on the routes below `scripts/`. */
export function noSuchScript(): ApiFailure {
  return new ApiFailure(404, 10007, 'This Worker does not exist on your account.')
}

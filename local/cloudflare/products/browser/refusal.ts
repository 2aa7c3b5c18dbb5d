/** An action error as the provider returns it: code, message and HTTP status. */
export class BrowserRefusal extends Error {
  readonly code: number
  readonly status: number
  constructor(code: number, message: string, status = 422) {
    super(message)
    this.code = code
    this.status = status
  }
}

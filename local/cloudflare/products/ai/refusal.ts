/** An error of Workers AI: its code, and its HTTP status over REST. */
export class AiRefusal extends Error {
  readonly code: number
  readonly status: number
  constructor(code: number, message: string, status = 400) {
    super(message)
    this.code = code
    this.status = status
  }
}

/** A refusal of Workers AI: its number, and the HTTP status it has over REST. */
export class AiRefusal extends Error {
  readonly code: number
  readonly status: number
  constructor(code: number, message: string, status = 400) {
    super(message)
    this.code = code
    this.status = status
  }
}

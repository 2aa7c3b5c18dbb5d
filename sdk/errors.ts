/** The details of a failed call. Programs can rely on the code; the message is for people; the request id is also in the service's log. */
export interface FailureDetails {
  code: string
  status: number
  requestId?: string | null
  retryAfterMs?: number | null
  method?: string
  path?: string
  cause?: unknown
}

/** The error of every failed call. `code` is one of the API's codes, or `connection`, `timeout` or `unexpected_response`. */
export class SlipwayError extends Error {
  readonly code: string
  /** The HTTP status; 0 when there was no whole response. */
  readonly status: number
  readonly requestId: string | null
  readonly retryAfterMs: number | null
  readonly method: string
  readonly path: string

  constructor(message: string, details: FailureDetails) {
    super(message, { cause: details.cause })
    this.name = new.target.name
    this.code = details.code
    this.status = details.status
    this.requestId = details.requestId ?? null
    this.retryAfterMs = details.retryAfterMs ?? null
    this.method = details.method ?? ''
    this.path = details.path ?? ''
  }
}

/** Thrown when there was no whole response: the connection was refused or reset, or there is no network. */
export class ConnectionError extends SlipwayError {
  constructor(message: string, details: Omit<FailureDetails, 'code' | 'status'> = {}) {
    super(message, { ...details, code: 'connection', status: 0 })
  }
}

/** Thrown when the response took longer than the timeout. */
export class TimeoutError extends SlipwayError {
  constructor(message: string, details: Omit<FailureDetails, 'code' | 'status'> = {}) {
    super(message, { ...details, code: 'timeout', status: 0 })
  }
}

/** Thrown when the response is not the API's envelope. Usually it is the page of a proxy. */
export class UnexpectedResponseError extends SlipwayError {
  constructor(message: string, details: Omit<FailureDetails, 'code'>) {
    super(message, { ...details, code: 'unexpected_response' })
  }
}

import { SlipwayError } from '@slipway/sdk/errors.ts'
import { text } from '../../text/en.ts'

/**
 * An error as shown to a person: a sentence that says what went wrong, the code, and the request id with which the service logged the
 * error.
 */
export interface Failure {
  sentence: string
  code: string
  requestId: string | null
  /** The form field that the error names, if any. */
  field: string | null
  /** Whether a retry without changes may succeed. */
  retryable: boolean
  retryAfterMs: number | null
  /** The provider's own message. It is hidden until the person opens it. */
  detail: string | null
}

const RETRYABLE_CODES = new Set([
  'rate_limited',
  'model_error',
  'upstream_error',
  'unavailable',
  'server_error',
  'connection',
  'timeout',
  'unexpected_response',
])
const FIELD_PATTERN = /^([A-Za-z][\w.[\]-]*): (.+)$/s

/** Describes any thrown value. A 400 whose message begins with the path of a field belongs to that field. */
export function describeFailure(error: unknown): Failure {
  if (!(error instanceof SlipwayError))
    return {
      sentence: text.failure.unknown,
      code: 'console',
      requestId: null,
      field: null,
      retryable: false,
      retryAfterMs: null,
      detail: null,
    }
  const named = error.code === 'invalid_request' ? FIELD_PATTERN.exec(error.message) : null
  return {
    sentence: named ? asSentence(named[2] ?? '') : failureSentence(error),
    code: error.code,
    requestId: error.requestId,
    field: named?.[1] ?? null,
    retryable: RETRYABLE_CODES.has(error.code),
    retryAfterMs: error.retryAfterMs,
    detail: error.code === 'model_error' ? error.message : null,
  }
}

function failureSentence(error: SlipwayError): string {
  const byCode: Record<string, string> = text.failure.codes
  return byCode[error.code] ?? error.message
}

function asSentence(sentence: string): string {
  const first = sentence.charAt(0).toUpperCase() + sentence.slice(1)
  return /[.!?]$/.test(first) ? first : `${first}.`
}

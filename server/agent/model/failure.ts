import { APICallError } from 'ai'
import { OutboundError } from '../../lib/outbound.ts'
import { retryAfterSeconds } from '@slipway/runtime/kernel/retry-after.ts'
import type { FailureKind } from '../frames.ts'
import type { CallUsage } from './usage.ts'

/** A failed model call, whether the SDK threw the error, sent an `error` part or ended the stream early. */
export class ModelFailure extends Error {
  readonly kind: FailureKind
  readonly isRetryable: boolean
  /** The provider's retry wait in whole seconds; null: the provider sent none. */
  readonly retryAfterSeconds: number | null
  /** True when the prompt did not fit the model's window. The call is then repeated with a shorter prompt. */
  readonly isContextLength: boolean
  /** Tokens of the failed call; null when the provider sent no counts before it failed. */
  usage: CallUsage | null = null

  constructor(
    message: string,
    options: {
      kind?: FailureKind
      isRetryable?: boolean
      retryAfterSeconds?: number | null
      isContextLength?: boolean
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'ModelFailure'
    this.kind = options.kind ?? 'model_error'
    this.isRetryable = options.isRetryable ?? false
    this.retryAfterSeconds = options.retryAfterSeconds ?? null
    this.isContextLength = options.isContextLength ?? false
  }
}

/** Matches the providers' error messages for a prompt that is too long, which differ by provider (failure.test.ts). */
const CONTEXT_LENGTH =
  /context.{0,20}(length|window|limit|size)|maximum (context|prompt)|prompt is too long|too many tokens|maximum number of tokens/i
/** The statuses with which providers refuse a prompt that is too long. Only older versions of llama.cpp use another status, 500. */
const CONTEXT_LENGTH_STATUSES = new Set([200, 400, 413, 422])
/** The SDK's message for a stream that ends early: half a response, or an HTML page instead of one. */
const BROKEN_STREAM_MESSAGE = /ended without a finish reason/
export const STREAM_ENDED_EARLY = 'The model’s response was cut off.'
const MESSAGE_CHARS_MAX = 400

/** Maps a thrown or streamed error to the failure of a model call. */
export function toModelFailure(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error
  if (APICallError.isInstance(error)) return fromResponse(error)
  const inner = error instanceof Error && error.cause !== undefined ? error.cause : null
  if (inner !== null && APICallError.isInstance(inner)) return fromResponse(inner)
  if (error instanceof OutboundError) return new ModelFailure(error.message, { cause: error })
  if (isTimeout(error))
    return new ModelFailure('The model did not respond in time.', { isRetryable: true, cause: error })
  if (/tool choice was none/.test(modelErrorText(error))) {
    return new ModelFailure('The model called a tool where none was offered.', { cause: error })
  }
  if (CONTEXT_LENGTH.test(modelErrorText(error)))
    return contextFailure(shortenMessage(modelErrorText(error)), error)
  if (BROKEN_STREAM_MESSAGE.test(modelErrorText(error)))
    return new ModelFailure(STREAM_ENDED_EARLY, { isRetryable: true, cause: error })
  // Remaining errors: closed sockets, host names that do not resolve, bodies that are not a stream, errors inside a 200 response.
  return new ModelFailure(`The model's response was cut off: ${shortenMessage(modelErrorText(error))}`, {
    isRetryable: true,
    cause: error,
  })
}

function fromResponse(error: APICallError): ModelFailure {
  const status = error.statusCode
  const said = shortenMessage(error.message)
  if (status === undefined) {
    return new ModelFailure(`The model could not be reached: ${said}`, { isRetryable: true, cause: error })
  }
  if (status === 401 || status === 403) {
    return new ModelFailure(`The model provider refused the key (${status}): ${said}`, { cause: error })
  }
  if (status === 429) {
    return new ModelFailure(`The model provider limits the rate of requests (429): ${said}`, {
      kind: 'rate_limited',
      isRetryable: true,
      retryAfterSeconds: waitAskedFor(error),
      cause: error,
    })
  }
  const text = `${error.message} ${error.responseBody ?? ''}`
  if (CONTEXT_LENGTH_STATUSES.has(status) ? CONTEXT_LENGTH.test(text) : text.includes('exceed_context_size'))
    return contextFailure(said, error)
  if (status === 200) {
    const isStream = /event-stream/.test(error.responseHeaders?.['content-type'] ?? '')
    const message = isStream
      ? `The model's response was cut off: ${said}`
      : 'The model provider returned something that is not a model stream.'
    return new ModelFailure(message, { isRetryable: true, cause: error })
  }
  return new ModelFailure(`The model provider returned status ${status}: ${said}`, {
    isRetryable: status === 408 || status >= 500,
    retryAfterSeconds: waitAskedFor(error),
    cause: error,
  })
}

const contextFailure = (said: string, cause: unknown) =>
  new ModelFailure(`The conversation no longer fits the model's window: ${said}`, {
    kind: 'context_limit',
    isContextLength: true,
    cause,
  })

const waitAskedFor = ({ responseHeaders }: APICallError): number | null =>
  retryAfterSeconds(responseHeaders?.['retry-after'])

function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
}

function modelErrorText(error: unknown): string {
  if (error instanceof Error) return error.message
  if (typeof error === 'string') return error
  if (
    typeof error === 'object' &&
    error !== null &&
    'message' in error &&
    typeof error.message === 'string'
  ) {
    return error.message
  }
  return JSON.stringify(error) ?? 'no reason given'
}

/** Removes the addresses to which a name resolved, because they reveal the operator's network. */
const shortenMessage = (text: string) =>
  text
    .replaceAll(/\b(connect E[A-Z]+) \S+/g, '$1')
    // `[^()]` and not `[^)]`: a message that repeats "(attempted address:" without an end would otherwise take quadratic time.
    .replaceAll(/ ?\(attempted addresses?: [^()]*\)/g, '')
    .slice(0, MESSAGE_CHARS_MAX)

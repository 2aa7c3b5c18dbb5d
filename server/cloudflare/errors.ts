import { ProviderError } from '../lib/provider-error.ts'

/**
 * Why a call to the account failed. A failed setup of a capability (a service such as a queue or file storage
 * that an app can use) stores this code in `capabilities.error`, and the console has a text for each code.
 */
export type FaultCode =
  | 'reconnect'
  | 'missing_scope'
  | 'product_disabled'
  | 'ceiling'
  | 'name_taken'
  | 'resource_missing'
  | 'upstream'

interface FaultDetails {
  status: number | null
  /** Cloudflare's numeric error code; it is more precise than the status. Null when the body had no code. */
  providerCode?: number | null
  retryable?: boolean
  /**
   * False when it is unknown whether the request took effect. The caller must then find out before it sends the
   * request again.
   */
  isClear?: boolean
  retryAfterSeconds?: number | null
  /** The provider's own message, shortened. */
  providerMessage?: string | null
  /**
   * True when Cloudflare or the service's rate limiter accepts no calls for some time. The service then responds
   * with `unavailable` instead of `upstream_error`, which would mean that this call failed.
   */
  isPause?: boolean
  cause?: unknown
}

/** A failed call to the connected account. Its message is for the person who can fix the cause. */
export class CloudflareError extends ProviderError {
  readonly fault: FaultCode
  readonly providerCode: number | null
  readonly isClear: boolean
  readonly providerMessage: string | null

  constructor(fault: FaultCode, message: string, about: FaultDetails) {
    super('cloudflare', message, {
      status: about.status,
      retryable: about.retryable ?? false,
      retryAfterSeconds: about.retryAfterSeconds ?? null,
      cause: about.cause,
      ...(about.isPause === true && { answersWith: 'unavailable' }),
      ...(fault === 'name_taken' && { answersWith: 'conflict' }),
    })
    this.name = 'CloudflareError'
    this.fault = fault
    this.providerCode = about.providerCode ?? null
    this.isClear = about.isClear ?? true
    this.providerMessage = about.providerMessage ?? null
  }
}

export interface ProviderMessage {
  code: number | null
  message: string
}

const TRANSIENT_STATUSES = new Set([
  408,
  500,
  502,
  503,
  504,
  530,
  ...Array.from({ length: 8 }, (_, i) => 520 + i),
])

/** Returns the error for a response other than 2xx. The message tells a person what to do; programs read `fault`. */
export function errorFromResponse(
  status: number,
  first: ProviderMessage | null,
  context: { doing: string; retryAfterSeconds: number | null; permission: string | null },
): CloudflareError {
  const providerMessage = first === null ? null : toSentence(first.message)
  const message = providerMessage ?? `It returned status ${status}.`
  const about = { status, providerCode: first?.code ?? null, providerMessage }
  if (status === 401) return reconnect(about)
  if (status === 429) {
    return rateLimited(context.retryAfterSeconds, about)
  }
  if (TRANSIENT_STATUSES.has(status)) {
    return new CloudflareError(
      'upstream',
      `The cloud account could not ${context.doing}: ${message} Try again.`,
      {
        ...about,
        retryable: true,
        retryAfterSeconds: context.retryAfterSeconds,
        // The request may have taken effect although the response was a 5xx.
        isClear: false,
      },
    )
  }
  if (status === 403 && /limit|exceed|quota|maximum/i.test(message)) {
    return new CloudflareError(
      'ceiling',
      `The cloud account is full: ${message} Remove something there or raise the limit.`,
      about,
    )
  }
  if (status === 403) {
    const grant = context.permission === null ? 'the permission' : `the permission ${context.permission}`
    return new CloudflareError(
      'missing_scope',
      `The connection to the cloud account has no permission to ${context.doing}: ${message} Grant ${grant} and connect it again.`,
      about,
    )
  }
  return new CloudflareError('upstream', `The cloud account refused to ${context.doing}: ${message}`, about)
}

const PROVIDER_TEXT_CHARS_MAX = 1000

/** Returns null for a blank text. */
function toSentence(words: string): string | null {
  const text = words.replaceAll('\0', '').trim().slice(0, PROVIDER_TEXT_CHARS_MAX)
  if (text === '') return null
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** The error for a rate limit: a 429 of Cloudflare, or the service's rate limiter before the call. */
export function rateLimited(seconds: number | null, about: FaultDetails = { status: 429 }): CloudflareError {
  const wait = seconds === null ? 'in a moment' : `in ${seconds} s`
  return new CloudflareError(
    'upstream',
    `The cloud account is receiving too many requests; try again ${wait}.`,
    { ...about, retryable: true, retryAfterSeconds: seconds, isPause: true },
  )
}

/** The error after several calls in a row to an account got no response. No calls are made for `seconds`. */
export function circuitOpen(seconds: number): CloudflareError {
  return new CloudflareError(
    'upstream',
    `The cloud account has not responded for a while; the next attempt is in ${seconds} s.`,
    { status: null, retryable: true, retryAfterSeconds: seconds, isPause: true },
  )
}

/** The error for a state of the account that is expected to pass without a change by a person, so the call is repeated. */
export const transientError = (message: string) =>
  new CloudflareError('upstream', message, { status: null, retryable: true })

/** The error for a stored credential that is invalid and cannot be renewed. A person has to connect the account again. */
export function reconnect(about: FaultDetails): CloudflareError {
  return new CloudflareError(
    'reconnect',
    'The cloud account no longer accepts the stored credential. Connect it again under Connections.',
    about,
  )
}

/**
 * The error for a call without a response: a network failure, a timeout, or a provider that is down. Whether the
 * provider acted is unknown.
 */
export function unreachable(cause: unknown): CloudflareError {
  return new CloudflareError('upstream', 'The cloud account cannot be reached right now. Try again.', {
    status: null,
    retryable: true,
    isClear: false,
    cause,
  })
}

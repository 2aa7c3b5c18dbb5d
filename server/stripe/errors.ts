import { ProviderError } from '../lib/provider-error.ts'

/** Why a call to Stripe failed. The rows of capabilities store these codes, and the console explains them. */
export type StripeFault = 'bad_secret' | 'missing_scope' | 'ceiling' | 'upstream'

interface StripeErrorDetails {
  status: number | null
  retryable?: boolean
  retryAfterSeconds?: number | null
  param?: string | null
  code?: string | null
  /** The permission that a restricted key lacks, like `rak_coupon_write`. */
  permission?: string | null
  /** Stripe's own message. */
  providerMessage?: string
  isPause?: boolean
  cause?: unknown
}

/** A failed call to Stripe. Its message is for the person who can fix it and never contains a part of a key. */
export class StripeError extends ProviderError {
  readonly fault: StripeFault
  readonly param: string | null
  readonly code: string | null
  readonly permission: string | null
  readonly providerMessage: string

  constructor(fault: StripeFault, message: string, about: StripeErrorDetails) {
    super('stripe', message, {
      status: about.status,
      retryable: about.retryable ?? false,
      retryAfterSeconds: about.retryAfterSeconds ?? null,
      cause: about.cause,
      ...(about.isPause === true && { answersWith: 'unavailable' }),
    })
    this.name = 'StripeError'
    this.fault = fault
    this.param = about.param ?? null
    this.code = about.code ?? null
    this.permission = about.permission ?? null
    this.providerMessage = about.providerMessage ?? ''
  }
}

interface StripeRefusal {
  message: string | null
  code: string | null
  param: string | null
}

const MESSAGE_CHARS_MAX = 500

/** Returns the error for a response other than 2xx. `doing` follows "could not" in the error message. */
export function errorFromResponse(
  status: number,
  { message, code, param }: StripeRefusal,
  { doing, retryAfterSeconds }: { doing: string; retryAfterSeconds: number | null },
): StripeError {
  // Stripe quotes the ends of a key in its messages, so these parts of the key are removed.
  const providerMessage = (message ?? `It returned status ${status}.`)
    .replaceAll(/(?:sk|rk)_(?:live|test)_[\w*]+/g, 'the key')
    .slice(0, MESSAGE_CHARS_MAX)
  const about = { status, code, param, providerMessage }
  if (status === 401)
    return new StripeError(
      'bad_secret',
      'Stripe does not accept the stored key. Enter a new one in the settings of Payments.',
      about,
    )
  if (status === 429)
    return new StripeError('upstream', 'Stripe is receiving too many requests. Try again in a moment.', {
      ...about,
      retryable: true,
      retryAfterSeconds,
      isPause: true,
    })
  if (status === 403) {
    const permission = /\brak_\w+/.exec(providerMessage)?.[0] ?? null
    const named = permission === null ? 'the permission' : `the permission ${permission}`
    const words = `The Stripe key has no permission to ${doing}. Add ${named} to the key at Stripe, or store another key.`
    return new StripeError('missing_scope', words, { ...about, permission })
  }
  if (status >= 500 || status === 409)
    return new StripeError('upstream', `Stripe could not ${doing}: ${providerMessage}`, {
      ...about,
      retryable: true,
      retryAfterSeconds,
    })
  if (/maximum of \d+/i.test(providerMessage))
    return new StripeError(
      'ceiling',
      `The Stripe account is full: ${providerMessage} Remove one there.`,
      about,
    )
  return new StripeError('upstream', `Stripe refused to ${doing}: ${providerMessage}`, about)
}

/** The error for a call without a response: a network failure, a timeout, or Stripe is down. Whether Stripe acted is unknown. */
export const unreachable = (cause: unknown): StripeError =>
  new StripeError('upstream', 'Stripe cannot be reached right now. Try again.', {
    status: null,
    retryable: true,
    cause,
  })

import { ProviderError } from '../lib/provider-error.ts'

/** Why something in the account could not be made, as the capability record and the console name it. */
export type FaultCode =
  | 'reconnect'
  | 'missing_scope'
  | 'product_disabled'
  | 'ceiling'
  | 'name_taken'
  | 'resource_missing'
  | 'upstream'

interface Fault {
  status: number | null
  /** The provider's own number, kept for branching on documented cases. */
  providerCode?: number | null
  retryable?: boolean
  /** False when nobody knows whether the provider acted: look before sending it again. */
  isClear?: boolean
  retryAfterSeconds?: number | null
  cause?: unknown
}

/** A call into the connected account that failed, worded for the person who can do something about it. */
export class CloudflareError extends ProviderError {
  readonly fault: FaultCode
  readonly providerCode: number | null
  readonly isClear: boolean
  readonly retryAfterSeconds: number | null

  constructor(fault: FaultCode, message: string, about: Fault) {
    super('cloudflare', message, {
      status: about.status,
      retryable: about.retryable ?? false,
      cause: about.cause,
    })
    this.name = 'CloudflareError'
    this.fault = fault
    this.providerCode = about.providerCode ?? null
    this.isClear = about.isClear ?? true
    this.retryAfterSeconds = about.retryAfterSeconds ?? null
  }
}

export interface ProviderMessage {
  code: number | null
  message: string
}

const TRANSIENT = new Set([408, 500, 502, 503, 504, 530, ...Array.from({ length: 8 }, (_, i) => 520 + i)])

/** What an answer other than 2xx means. */
export function answeredWith(
  status: number,
  first: ProviderMessage | null,
  context: { doing: string; retryAfterSeconds: number | null },
): CloudflareError {
  const about = { status, providerCode: first?.code ?? null }
  const said = first === null ? `It answered ${status}.` : first.message
  if (status === 401) return reconnect(about)
  if (status === 429) {
    const { retryAfterSeconds } = context
    const wait = retryAfterSeconds === null ? 'in a moment' : `in ${retryAfterSeconds} s`
    return new CloudflareError(
      'upstream',
      `The cloud account is receiving too many requests; try again ${wait}.`,
      {
        ...about,
        retryable: true,
        retryAfterSeconds,
      },
    )
  }
  if (TRANSIENT.has(status)) {
    return new CloudflareError(
      'upstream',
      `The cloud account could not ${context.doing}: ${said} Try again.`,
      {
        ...about,
        retryable: true,
        // A 5xx may come after the work was done.
        isClear: false,
      },
    )
  }
  if (status === 403 && /limit|exceed|quota|maximum/i.test(said)) {
    return new CloudflareError(
      'ceiling',
      `The cloud account is full: ${said} Remove something there or raise the limit.`,
      about,
    )
  }
  if (status === 403) {
    return new CloudflareError(
      'missing_scope',
      `The connected cloud account may not ${context.doing}: ${said} Grant the permission and connect it again.`,
      about,
    )
  }
  return new CloudflareError('upstream', `The cloud account refused to ${context.doing}: ${said}`, about)
}

/** The stored credential is dead and could not be renewed. */
export function reconnect(about: Fault): CloudflareError {
  return new CloudflareError(
    'reconnect',
    'The cloud account no longer accepts the stored credential. Connect it again under Connections.',
    about,
  )
}

/** No answer at all: the network, a timeout, or a provider that is down. */
export function unreachable(cause: unknown): CloudflareError {
  return new CloudflareError('upstream', 'The cloud account cannot be reached right now. Try again.', {
    status: null,
    retryable: true,
    isClear: false,
    cause,
  })
}

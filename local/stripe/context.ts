import type { Faults } from '../faults/faults.ts'
import type { Journal } from '../world/journal.ts'
import type { Log } from '../world/log.ts'
import type { Store } from '../world/store.ts'

export interface Stripe {
  store: Store
  journal: Journal
  /** Null when fault injection is disabled. */
  faults: Faults | null
  log: Log
  /** Epoch milliseconds. */
  now(): number
  /** Address of the hosted pages, without a slash at the end. */
  pagesUrl(): string
  deliveries: {
    /** Sends the events whose delivery is due. */
    check(): void
  }
}

/** A Stripe account in one mode, live or test. The two modes share no objects, as at the provider. */
export interface StripeAccount {
  /** Part of each API key, such as `shop` in `sk_test_local_shop`. */
  name: string
  isLive: boolean
}

/** The value of the column `room`, under which the rows of an account are stored, such as `shop/test`. */
export const accountKey = ({ name, isLive }: StripeAccount): string => `${name}/${isLive ? 'live' : 'test'}`

export const secondsNow = (stripe: Pick<Stripe, 'now'>): number => Math.floor(stripe.now() / 1000)

interface ErrorDetails {
  code?: string
  param?: string
  type?: string
  headers?: Record<string, string>
}

/** An error response in the provider's format. */
export class StripeFailure extends Error {
  readonly status: number
  readonly more: ErrorDetails
  constructor(status: number, message: string, more: ErrorDetails = {}) {
    super(message)
    this.status = status
    this.more = more
  }

  /** The JSON body of the error response, as the provider formats it. */
  get body(): { error: object } {
    const { code, param, type = 'invalid_request_error' } = this.more
    return { error: { type, message: this.message, ...(code && { code }), ...(param && { param }) } }
  }
}

/** A 400 in Stripe's format. `param` is the path of the field, as in `line_items[0][price]`. */
export const invalidParameterError = (
  message: string,
  param: string,
  code = 'parameter_invalid',
): StripeFailure => new StripeFailure(400, message, { param, code })

/** A 404 in Stripe's format, with the sentence that Stripe's clients expect. */
export const noSuchObjectError = (kind: string, id: string, param = 'id'): StripeFailure =>
  new StripeFailure(404, `No such ${kind}: '${id}'`, { code: 'resource_missing', param })

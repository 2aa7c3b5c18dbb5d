import { type UnvalidatedFields, fieldsOf } from '../kernel/fields.ts'
import { errorText } from '../kernel/errors.ts'

const API_URL = 'https://api.stripe.com/v1'
const API_VERSION = '2026-10-28.endive'
const TIMEOUT_MS = 20_000
const ATTEMPTS_MAX = 3
const RETRY_PAUSE_MS = 300

/** Stripe rejected a call (`status`) or did not respond (0). The message never contains a key. */
export class StripeError extends Error {
  readonly status: number
  readonly code: string | null
  readonly param: string | null

  constructor(message: string, status: number, refusal: UnvalidatedFields = {}) {
    super(message)
    this.name = 'StripeError'
    this.status = status
    this.code = textOrNull(refusal['code'])
    this.param = textOrNull(refusal['param'])
  }

  get isMissing(): boolean {
    return this.status === 404 || this.code === 'resource_missing'
  }
}

interface StripeCall {
  method?: 'GET' | 'POST' | 'DELETE'
  /** The URL-encoded body. A GET has its parameters in the path instead. */
  form?: string
  /** The idempotency key. Within a day, Stripe executes only the first call with the same key. */
  once?: string
}

/**
 * Calls the Stripe API. Throws `StripeError`. A call with `once` is retried while its outcome is unknown: no response, a 5xx, or a 409
 * because an equal call of another click is still running.
 */
export async function callStripe(
  key: string,
  path: string,
  call: StripeCall = {},
): Promise<UnvalidatedFields> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendRequest(key, path, call)
    } catch (error) {
      const isOpen =
        error instanceof StripeError && (error.status === 0 || error.status === 409 || error.status >= 500)
      if (!isOpen || call.once === undefined || attempt >= ATTEMPTS_MAX) throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS * attempt))
    }
  }
}

async function sendRequest(
  key: string,
  path: string,
  { method = 'GET', form, once }: StripeCall,
): Promise<UnvalidatedFields> {
  const headers = new Headers({ authorization: `Bearer ${key}`, 'stripe-version': API_VERSION })
  if (form !== undefined) headers.set('content-type', 'application/x-www-form-urlencoded')
  if (once !== undefined) headers.set('idempotency-key', once)
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  let answer: Response
  let body: UnvalidatedFields
  try {
    answer = await fetch(`${API_URL}${path}`, {
      method,
      headers,
      signal,
      ...(form !== undefined && { body: form }),
    })
    body = fieldsOf(await answer.json())
  } catch (error) {
    throw new StripeError(`Stripe cannot be reached: ${errorText(error)}`, 0)
  }
  if (answer.ok) return body
  const { status } = answer
  const refusal = fieldsOf(body['error'])
  // Replace Stripe's own message, which repeats a part of the key.
  const message = status === 401 ? 'Stripe does not know the key.' : textOrNull(refusal['message'])
  throw new StripeError(message ?? `Stripe responded with ${status}.`, status, refusal)
}

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Stripe sends a related object either expanded or as its id. */
export const idOf = (value: unknown): string | null => textOrNull(value) ?? textOrNull(fieldsOf(value)['id'])

export const listOf = (value: unknown): UnvalidatedFields[] => {
  const data = fieldsOf(value)['data']
  return Array.isArray(data) ? data.map(fieldsOf) : []
}

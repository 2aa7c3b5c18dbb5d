import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { backoffMs } from '../lib/backoff.ts'
import { parseJson } from '../lib/json.ts'
import { retryAfterSeconds } from '@slipway/runtime/kernel/retry-after.ts'
import { type Config, LOCAL_STRIPE_MARK } from '../config.ts'
import { errorFromResponse, StripeError, unreachable } from './errors.ts'

/** All calls use this version of the API, because the default version differs by account. */
export const STRIPE_VERSION = '2026-10-28.endive'

/** Live keys move money, test keys do not. Objects made in one mode do not exist in the other. */
export type StripeMode = 'live' | 'test'

const KEY_MODE = /^(?:sk|rk)_(live|test)_/

export const modeOfKey = (key: string): StripeMode => (KEY_MODE.exec(key)?.[1] === 'live' ? 'live' : 'test')

/**
 * Returns the base address for a key. Null for a key of the local Stripe emulator while the emulator is disabled, because such a key must
 * not be sent to Stripe.
 */
export const stripeBase = ({ stripe }: Config, key: string): string | null =>
  key.includes(LOCAL_STRIPE_MARK) ? stripe.local : stripe.real

interface AuditedChange {
  action: string
  target: string
}

/** The Stripe account of the operator or of an app. Every change is recorded in the activity log; reads are not. */
export interface StripeAccess {
  base: string
  key: string
  mode: StripeMode
  /** Writes one activity record for each change, whether it succeeded or failed. */
  record: (change: AuditedChange & { status: 'ok' | 'failed'; detail: string | null }) => Promise<void>
  signal?: AbortSignal | undefined
}

/** Fields, nested as in Stripe's documentation. `encodeForm` flattens them. */
export interface Form {
  [name: string]: string | number | boolean | undefined | Form | string[]
}

interface RequestToSend<T> {
  /** The path below the version, beginning with a slash. */
  path: string
  form?: Form
  result: z.ZodType<T>
  /** What the call does, in the words that follow "could not" in an error message. */
  doing: string
}
interface ReadCall<T> extends RequestToSend<T> {
  method: 'GET'
}
interface WriteCall<T> extends RequestToSend<T> {
  method: 'POST' | 'DELETE'
  /** The activity record. Null only for calls that change nothing. */
  write: AuditedChange | null
  /** The idempotency key. By default each call has a new key. Stripe refuses a reused key with other fields. */
  once?: string
}
export type StripeCall<T> = ReadCall<T> | WriteCall<T>

const CALL_ATTEMPTS = 3
const CALL_BACKOFF = { firstMs: 300, jitter: 0.5 }
const RETRY_AFTER_SECONDS_MAX = 10
const TIMEOUT_MS = 20_000

/** Calls Stripe. Throws `StripeError`. A change has an idempotency key, so that the call can be repeated after a lost response. */
export const callStripe = <T>(access: StripeAccess, call: StripeCall<T>): Promise<T> =>
  recordCall(access, call, () => callWithRetries(access, call))

/**
 * Like `callStripe`, but returns null for an object that does not exist. The activity log then records a removal as succeeded and a change
 * as failed.
 */
export function findStripe<T>(access: StripeAccess, call: StripeCall<T>): Promise<T | null> {
  const send = () => callWithRetries(access, call)
  return call.method === 'DELETE'
    ? recordCall(access, call, () => send().catch(nullIfMissing))
    : recordCall(access, call, send).catch(nullIfMissing)
}

function nullIfMissing(error: unknown): null {
  if (error instanceof StripeError && error.status === 404) return null
  throw error
}

/** Writes the activity record of a change. */
async function recordCall<T>(
  access: StripeAccess,
  call: StripeCall<unknown>,
  send: () => Promise<T>,
): Promise<T> {
  const change = 'write' in call ? call.write : null
  if (change === null) return await send()
  let result: T
  try {
    result = await send()
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    await access.record({ ...change, status: 'failed', detail })
    throw error
  }
  // Outside the `try`, because a change whose record could not be written has still succeeded.
  await access.record({ ...change, status: 'ok', detail: null })
  return result
}

async function callWithRetries<T>(access: StripeAccess, call: StripeCall<T>): Promise<T> {
  const once = ('once' in call ? call.once : undefined) ?? randomUUID()
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendOnce(access, call, once)
    } catch (error) {
      if (!(error instanceof StripeError) || !error.retryable || attempt >= CALL_ATTEMPTS) throw error
      const seconds = error.retryAfterSeconds ?? 0
      if (seconds > RETRY_AFTER_SECONDS_MAX) throw error
      const pauseMs = Math.max(seconds * 1000, backoffMs(attempt - 1, CALL_BACKOFF))
      await sleep(pauseMs, undefined, { signal: access.signal })
    }
  }
}

async function sendOnce<T>(access: StripeAccess, call: StripeCall<T>, once: string): Promise<T> {
  const { method, path, doing, result } = call
  const form = encodeForm(call.form ?? {})
  const isForm = method === 'POST'
  const headers = {
    authorization: `Bearer ${access.key}`,
    'stripe-version': STRIPE_VERSION,
    'user-agent': 'slipway',
    ...(isForm && { 'content-type': 'application/x-www-form-urlencoded', 'idempotency-key': once }),
  }
  const query = isForm || form === '' ? '' : `?${form}`
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  let status: number
  let body: unknown
  let waitSeconds: number | null
  try {
    const response = await cloudFetch(`${access.base}${path}${query}`, {
      method,
      headers,
      redirect: 'manual',
      signal: access.signal === undefined ? timeout : AbortSignal.any([timeout, access.signal]),
      ...(isForm && { body: form }),
    })
    status = response.status
    waitSeconds = retryAfterSeconds(response.headers.get('retry-after'))
    body = parseJson(await response.text())
  } catch (cause) {
    access.signal?.throwIfAborted()
    throw unreachable(cause)
  }
  if (status < 200 || status > 299) {
    throw errorFromResponse(status, refusalIn(body), { doing, retryAfterSeconds: waitSeconds })
  }
  const read = result.safeParse(body)
  if (read.success) return read.data
  throw new StripeError('upstream', 'Stripe returned an unexpected response.', { status, cause: read.error })
}

const Refused = z.object({
  error: z.object({
    message: z.string().nullable().catch(null),
    code: z.string().nullable().catch(null),
    param: z.string().nullable().catch(null),
  }),
})

function refusalIn(body: unknown) {
  const read = Refused.safeParse(body)
  return read.success ? read.data.error : { message: null, code: null, param: null }
}

/** Encodes nested fields with brackets: `metadata[a]=b`, `expand[0]=x`. */
export function encodeForm(form: Form): string {
  const fields = new URLSearchParams()
  const addField = (name: string, value: Form[string]): void => {
    if (value === undefined) return
    if (typeof value !== 'object') return fields.append(name, String(value))
    for (const [key, inner] of Object.entries(value)) addField(`${name}[${key}]`, inner)
  }
  for (const [name, value] of Object.entries(form)) addField(name, value)
  return fields.toString()
}

const PAGES_MAX = 10

/** Reads all pages of a list, at most a thousand objects. */
export async function listStripe<T extends { id: string }>(
  access: StripeAccess,
  call: { path: string; form?: Form; item: z.ZodType<T>; doing: string },
): Promise<T[]> {
  const Page = z.object({ data: z.array(call.item), has_more: z.boolean() })
  const found: T[] = []
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const form = { ...call.form, limit: 100, starting_after: found.at(-1)?.id }
    const { path, doing } = call
    const page = await callStripe(access, { method: 'GET', path, form, doing, result: Page })
    found.push(...page.data)
    if (!page.has_more) break
  }
  return found
}

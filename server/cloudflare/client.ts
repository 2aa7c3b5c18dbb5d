import { setTimeout as sleep } from 'node:timers/promises'
import { type FormData, Response } from 'undici'
import type * as z from 'zod'
import { retryAfterSeconds } from '@slipway/runtime/kernel/retry-after.ts'
import { backoffMs } from '../lib/backoff.ts'
import { readResponse } from './response.ts'
import { CloudflareError, reconnect, unreachable } from './errors.ts'
import { cloudFetch, type CloudResponse } from './fetch.ts'
import { type CallLimiter, limiterOf } from './limits.ts'
import { isAccepted } from './verify.ts'

/** The stored credential of one connection. The connection implements the methods, and this client calls them. */
export interface Credential {
  /** Calls with the same id share a rate limit and a circuit breaker. */
  id: string
  /** `oauth` is a sign-in, which can be renewed. `token` is a pasted API token, which cannot be renewed. */
  method: 'oauth' | 'token'
  token(): Promise<string>
  /**
   * Returns a token other than `stale`, or null when the provider refuses to renew. Concurrent calls, even in several
   * processes, renew only once.
   */
  renew(stale: string): Promise<string | null>
  /** Called when the provider has permanently refused the credential. */
  markDead(): Promise<void>
}

/** A change in the account, in the words of the activity log. */
interface AccountChange {
  action: string
  target: string
}

export interface CloudOptions {
  api: string
  accountId: string
  subdomain: string
  appUrl(script: string, subdomain: string): string
  credential: Credential
  /** The limit of REST calls a minute. Defaults to what the provider allows. */
  perMinute?: number | undefined
  /** Writes one activity record for each change, whether it succeeded or failed. */
  record: (change: AccountChange & { status: 'ok' | 'failed'; detail: string | null }) => Promise<void>
  signal?: AbortSignal | undefined
}

interface RequestToSend {
  /** The path below the API's base address, beginning with a slash. `:account` is replaced with the account's id. */
  path: string
  query?: Record<string, string>
  json?: unknown
  text?: string
  form?: () => FormData
  /** What the call does, in the words that follow "could not" in an error message. */
  doing: string
  /** A token to use instead of the connection's credential, as an asset upload needs. It is never renewed. */
  bearer?: string
  timeoutMs?: number
  /** True for a response without the provider's envelope (GraphQL). `result` is then the schema of the whole body. */
  isWhole?: true
  /** `job` makes one attempt, because the caller has its own retry schedule. */
  retry?: 'request' | 'job'
}

interface ReadCall<T> extends RequestToSend {
  method: 'GET'
  result: z.ZodType<T>
}
interface WriteCall<T> extends RequestToSend {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  result: z.ZodType<T>
  /** The activity record. Null only for a call that changes nothing in the account despite its HTTP method. */
  write: AccountChange | null
  /** True when repeating the call is harmless. Defaults to true for PUT and DELETE and false for POST. */
  repeatable?: boolean
}
export type CloudCall<T> = ReadCall<T> | WriteCall<T>

/** The cloud account of one organization, limited to what its credential permits. Every change made through `call` is recorded. */
export interface Cloud {
  readonly accountId: string
  readonly subdomain: string
  appUrl(script: string): string
  /** `missing: 'null'` returns null for a 404 instead of throwing. */
  call<T>(call: CloudCall<T> & { missing: 'null' }): Promise<T | null>
  call<T>(call: CloudCall<T> & { missing?: 'error' }): Promise<T>
}

const CALL_ATTEMPTS = 4
const CALL_BACKOFF = { firstMs: 500, maxMs: 8_000, jitter: 1 }
/** The longest wait for the rate limiter or for a pause that the provider asks for. A call with a longer wait throws at once. */
const WAIT_SECONDS = { request: 30, job: 300 }

/** The rate limiter and the circuit breaker are shared by all open accounts with this credential. */
interface LimitedOptions extends CloudOptions {
  limiter: CallLimiter
}

/** Opens an account without a call. The first call shows whether the credential works. */
export function openAccount(opened: CloudOptions): Cloud {
  const options: LimitedOptions = { ...opened, limiter: limiterOf(opened.credential.id, opened.perMinute) }
  async function call<T>(request: CloudCall<T> & { missing?: 'null' | 'error' }): Promise<T | null> {
    const change = 'write' in request ? request.write : null
    if (change === null) return await callWithRetries(options, request)
    let result: T | null
    try {
      result = await callWithRetries(options, request)
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      await options.record({ ...change, status: 'failed', detail })
      throw error
    }
    // Outside the `try`: when writing this record fails, the change has still succeeded and must not be recorded as failed.
    await options.record({ ...change, status: 'ok', detail: null })
    return result
  }
  const { accountId, subdomain } = options
  return { accountId, subdomain, appUrl: (script) => options.appUrl(script, subdomain), call }
}

async function callWithRetries<T>(
  options: LimitedOptions,
  request: CloudCall<T> & { missing?: 'null' | 'error' },
): Promise<T | null> {
  const isRepeatable =
    'write' in request ? (request.repeatable ?? ['PUT', 'DELETE'].includes(request.method)) : true
  const allowed = request.retry === 'job' ? 1 : CALL_ATTEMPTS
  for (let attempt = 1; ; attempt++) {
    await options.limiter.acquire(request.path, waitLimitOf(request) * 1000, options.signal)
    try {
      return await withRenewal(options, request)
    } catch (error) {
      if (!(error instanceof CloudflareError) || !error.retryable || attempt >= allowed) throw error
      // A call that is not repeatable is retried only after a response, such as a 429, that shows that the call had no effect.
      if (!error.isClear && !isRepeatable) throw error
      if ((error.retryAfterSeconds ?? 0) > waitLimitOf(request)) throw error
      await pauseBeforeRetry(error.retryAfterSeconds, attempt, options.signal)
    }
  }
}

const waitLimitOf = (request: Pick<RequestToSend, 'retry'>) => WAIT_SECONDS[request.retry ?? 'request']

async function pauseBeforeRetry(
  retryAfterSeconds: number | null,
  attempt: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const pauseMs = retryAfterSeconds === null ? backoffMs(attempt - 1, CALL_BACKOFF) : retryAfterSeconds * 1000
  await sleep(pauseMs, undefined, { signal })
}

async function withRenewal<T>(
  options: LimitedOptions,
  request: CloudCall<T> & { missing?: 'null' | 'error' },
): Promise<T | null> {
  if (request.bearer !== undefined)
    return await readResponse(await sendOnce(options, request, request.bearer), request)
  const token = await options.credential.token()
  const first = await sendOnce(options, request, token)
  if (first.status !== 401) return await readForbidden(options, request, first, token)
  await first.body?.cancel()
  const renewed = await options.credential.renew(token)
  const second = renewed === null ? null : await sendOnce(options, request, renewed)
  if (renewed !== null && second !== null && second.status !== 401)
    return await readForbidden(options, request, second, renewed)
  await second?.body?.cancel()
  throw await expiredCredential(options, 401)
}

/** How long the service trusts the provider's confirmation that a credential is valid. */
const CREDENTIAL_TRUST_MS = 60_000

/**
 * Reads the response. After a 403, which means either a missing permission or a credential that has lost access to the
 * account, asks the provider whether the credential is still valid.
 */
async function readForbidden<T>(
  options: LimitedOptions,
  request: CloudCall<T> & { missing?: 'null' | 'error' },
  response: CloudResponse,
  token: string,
): Promise<T | null> {
  try {
    return await readResponse(response, request)
  } catch (error) {
    if (!(error instanceof CloudflareError) || error.fault !== 'missing_scope') throw error
    const { limiter } = options
    if (limiter.aliveAt > performance.now() - CREDENTIAL_TRUST_MS) throw error
    if (!(await isAccepted(options, token))) throw await expiredCredential(options, 403)
    limiter.aliveAt = performance.now()
    throw error
  }
}

async function expiredCredential(options: LimitedOptions, status: number): Promise<CloudflareError> {
  await options.credential.markDead()
  return reconnect({ status })
}

async function sendOnce<T>(
  options: LimitedOptions,
  request: CloudCall<T>,
  token: string,
): Promise<CloudResponse> {
  const path = request.path.replace(':account', encodeURIComponent(options.accountId))
  const query = request.query === undefined ? '' : `?${new URLSearchParams(request.query).toString()}`
  const timeout = AbortSignal.timeout(request.timeoutMs ?? (request.method === 'GET' ? 15_000 : 30_000))
  const headers: Record<string, string> = { Authorization: `Bearer ${token}`, Accept: 'application/json' }
  if (request.json !== undefined) headers['Content-Type'] = 'application/json'
  const text = request.json === undefined ? (request.text ?? null) : JSON.stringify(request.json)
  const body = request.form === undefined ? text : await encodeForm(request.form(), headers)
  try {
    const response = await cloudFetch(`${options.api}${path}${query}`, {
      method: request.method,
      headers,
      body,
      // Does not follow a redirect, which would send the token to another host.
      redirect: 'manual',
      signal: options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal]),
    })
    options.limiter.circuit.answered()
    if (response.status === 429) slowDown(options.limiter, request.path, response)
    return response
  } catch (cause) {
    options.signal?.throwIfAborted()
    options.limiter.circuit.failed(performance.now())
    throw unreachable(cause)
  }
}

/** Delays all calls with this credential, because the provider counts them together. */
function slowDown(limiter: CallLimiter, path: string, response: CloudResponse): void {
  const seconds = retryAfterSeconds(response.headers.get('retry-after'))
  if (seconds !== null) limiter.pace(path).pause(performance.now(), seconds)
}

/**
 * Encodes a form as bytes. If the body were the form itself, undici would keep writing after an early response has
 * ended the request, and would then throw an error that cannot be caught.
 */
async function encodeForm(form: FormData, headers: Record<string, string>): Promise<Uint8Array> {
  const encoded = new Response(form)
  headers['Content-Type'] = encoded.headers.get('content-type') ?? ''
  return new Uint8Array(await encoded.arrayBuffer())
}

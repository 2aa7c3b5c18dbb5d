import { setTimeout as sleep } from 'node:timers/promises'
import { type FormData, Response } from 'undici'
import type * as z from 'zod'
import { readResponse, retryAfterSeconds } from './response.ts'
import { CloudflareError, reconnect, unreachable } from './errors.ts'
import { cloudFetch, type CloudResponse } from './fetch.ts'
import { type CallLimiter, limiterOf } from './limits.ts'
import { isAccepted } from './verify.ts'

/** The stored credential of one connection. The connection renews it, not this client. */
export interface Credential {
  /** Calls are paced and counted per id. */
  id: string
  /** `oauth`: a sign-in, which can be renewed. `token`: a pasted API token, which cannot. */
  method: 'oauth' | 'token'
  token(): Promise<string>
  /** Returns another token than `stale`, or null when the grant is dead. Single-flight across processes. */
  renew(stale: string): Promise<string | null>
  /** The provider has permanently refused the credential. */
  markDead(): Promise<void>
}

/** A change in the account, as the activity log shows it. */
export interface Change {
  action: string
  target: string
}

export interface CloudOptions {
  api: string
  accountId: string
  subdomain: string
  appUrl(script: string, subdomain: string): string
  credential: Credential
  /** REST calls a minute. Without it the pace that the provider allows. */
  perMinute?: number | undefined
  /** Writes the activity record of a change, once per change, whether it succeeded or failed. */
  record: (change: Change & { status: 'ok' | 'failed'; detail: string | null }) => Promise<void>
  signal?: AbortSignal | undefined
}

interface Sending {
  /** Below the API base, beginning with a slash. `:account` is filled in. */
  path: string
  query?: Record<string, string>
  json?: unknown
  text?: string
  form?: () => FormData
  /** What the call does, in words that fit "could not ...". */
  doing: string
  /** A credential other than the connection's, as for an asset upload. It is never renewed. */
  bearer?: string
  timeoutMs?: number
  /** The response has no provider envelope (GraphQL): `result` is the schema of the whole body. */
  isWhole?: true
  /** `job`: one attempt, because the caller has its own schedule. */
  retry?: 'request' | 'job'
}

interface ReadCall<T> extends Sending {
  method: 'GET'
  result: z.ZodType<T>
}
interface WriteCall<T> extends Sending {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  result: z.ZodType<T>
  /** Null only for a call that changes nothing in the account although it is no GET. */
  write: Change | null
  /** Repeating the call is harmless. Assumed of PUT and DELETE, never of POST. */
  repeatable?: boolean
}
export type Call<T> = ReadCall<T> | WriteCall<T>

/**
 * The account of one organization, within the reach of its credential. Every change made through `call` is
 * recorded.
 */
export interface Cloud {
  readonly accountId: string
  readonly subdomain: string
  appUrl(script: string): string
  /** `missing: 'null'` turns 404 into null instead of an error. */
  call<T>(call: Call<T> & { missing: 'null' }): Promise<T | null>
  call<T>(call: Call<T> & { missing?: 'error' }): Promise<T>
}

const ATTEMPTS = 4
const BACKOFF_MS = 250
const BACKOFF_MS_MAX = 8_000
/** How long a call waits for its turn, or for a pause the provider asks for, before it throws. */
const WAIT_SECONDS = { request: 30, job: 300 }

/** The pace and the circuit are shared by all open accounts with this credential. */
interface Caller extends CloudOptions {
  line: CallLimiter
}

/** Opens no connection: the first call shows whether the credential works. */
export function openAccount(opened: CloudOptions): Cloud {
  const options: Caller = { ...opened, line: limiterOf(opened.credential.id, opened.perMinute) }
  async function call<T>(request: Call<T> & { missing?: 'null' | 'error' }): Promise<T | null> {
    const change = 'write' in request ? request.write : null
    if (change === null) return await attempts(options, request)
    let result: T | null
    try {
      result = await attempts(options, request)
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      await options.record({ ...change, status: 'failed', detail })
      throw error
    }
    // Outside the `try`: a change that could not be recorded has not failed.
    await options.record({ ...change, status: 'ok', detail: null })
    return result
  }
  const { accountId, subdomain } = options
  return { accountId, subdomain, appUrl: (script) => options.appUrl(script, subdomain), call }
}

async function attempts<T>(
  options: Caller,
  request: Call<T> & { missing?: 'null' | 'error' },
): Promise<T | null> {
  const isRepeatable =
    'write' in request ? (request.repeatable ?? ['PUT', 'DELETE'].includes(request.method)) : true
  const allowed = request.retry === 'job' ? 1 : ATTEMPTS
  for (let attempt = 1; ; attempt++) {
    await options.line.acquire(request.path, waitLimitOf(request) * 1000, options.signal)
    try {
      return await withRenewal(options, request)
    } catch (error) {
      if (!(error instanceof CloudflareError) || !error.retryable || attempt >= allowed) throw error
      // A 429 is a clear refusal, so even a call that must not be repeated may be retried after it.
      if (!error.isClear && !isRepeatable) throw error
      if ((error.retryAfterSeconds ?? 0) > waitLimitOf(request)) throw error
      await pause(error.retryAfterSeconds, attempt, options.signal)
    }
  }
}

const waitLimitOf = (request: Pick<Sending, 'retry'>) => WAIT_SECONDS[request.retry ?? 'request']

async function pause(
  retryAfterSeconds: number | null,
  attempt: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const backoffMs = Math.random() * Math.min(BACKOFF_MS * 2 ** attempt, BACKOFF_MS_MAX)
  await sleep(retryAfterSeconds === null ? backoffMs : retryAfterSeconds * 1000, undefined, { signal })
}

async function withRenewal<T>(
  options: Caller,
  request: Call<T> & { missing?: 'null' | 'error' },
): Promise<T | null> {
  if (request.bearer !== undefined)
    return await readResponse(await send(options, request, request.bearer), request)
  const token = await options.credential.token()
  const first = await send(options, request, token)
  if (first.status !== 401) return await readAlive(options, request, first, token)
  await first.body?.cancel()
  const renewed = await options.credential.renew(token)
  const second = renewed === null ? null : await send(options, request, renewed)
  if (renewed !== null && second !== null && second.status !== 401)
    return await readAlive(options, request, second, renewed)
  await second?.body?.cancel()
  throw await dead(options, 401)
}

/** How long the provider's confirmation that a credential is alive is trusted. */
const ALIVE_MS = 60_000

/**
 * A 403 means a missing permission, or a credential that no longer reaches the account: this asks the
 * provider which.
 */
async function readAlive<T>(
  options: Caller,
  request: Call<T> & { missing?: 'null' | 'error' },
  response: CloudResponse,
  token: string,
): Promise<T | null> {
  try {
    return await readResponse(response, request)
  } catch (error) {
    if (!(error instanceof CloudflareError) || error.fault !== 'missing_scope') throw error
    const { line } = options
    if (line.aliveAt > performance.now() - ALIVE_MS) throw error
    if (!(await isAccepted(options, token))) throw await dead(options, 403)
    line.aliveAt = performance.now()
    throw error
  }
}

async function dead(options: Caller, status: number): Promise<CloudflareError> {
  await options.credential.markDead()
  return reconnect({ status })
}

async function send<T>(options: Caller, request: Call<T>, token: string): Promise<CloudResponse> {
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
      // Followed, a redirect would carry the token to another host.
      redirect: 'manual',
      signal: options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal]),
    })
    options.line.circuit.answered()
    if (response.status === 429) slowDown(options.line, request.path, response)
    return response
  } catch (cause) {
    options.signal?.throwIfAborted()
    options.line.circuit.failed(performance.now())
    throw unreachable(cause)
  }
}

/** Delays all calls with this credential, because the provider counts them together. */
function slowDown(line: CallLimiter, path: string, response: CloudResponse): void {
  const seconds = retryAfterSeconds(response.headers.get('retry-after'))
  if (seconds !== null) line.pace(path).pause(performance.now(), seconds)
}

/**
 * Encodes a form as bytes. Given a form, undici keeps writing into the request after an early response has
 * ended it, and fails where the error cannot be caught.
 */
async function encodeForm(form: FormData, headers: Record<string, string>): Promise<Uint8Array> {
  const encoded = new Response(form)
  headers['Content-Type'] = encoded.headers.get('content-type') ?? ''
  return new Uint8Array(await encoded.arrayBuffer())
}

import { setTimeout as sleep } from 'node:timers/promises'
import type * as z from 'zod'
import { cloudFetch, type CloudResponse } from '../cloudflare/fetch.ts'
import { backoffMs } from '../lib/backoff.ts'
import { parseJson } from '../lib/json.ts'
import type { GithubProfile } from '../config.ts'
import { errorFromResponse, GithubError, unreachable } from './errors.ts'
import { fieldsOf } from '@slipway/runtime/kernel/fields.ts'

/** The token and the host that issued it. Every call goes to that host. */
export interface GithubAccess {
  profile: GithubProfile
  token: string
  login: string
  signal?: AbortSignal | undefined
}

interface ApiCall<T> {
  method: 'GET' | 'POST'
  path: string
  body?: object
  result: z.ZodType<T>
  /** The action, in words that follow "could not" in an error message: `create the repository`. */
  doing: string
}

const CALL_ATTEMPTS = 3
const CALL_BACKOFF = { firstMs: 250, jitter: 0.5 }
const RETRY_AFTER_SECONDS_MAX = 10
const TIMEOUT_MS = 20_000
const ANSWER_BYTES_MAX = 4 * 1024 * 1024

/** Sends a GET request and retries transient failures. Returns null when there is no such resource. */
export async function readGithub<T>(
  access: GithubAccess,
  call: Omit<ApiCall<T>, 'method'>,
): Promise<T | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendRequest(access, { ...call, method: 'GET' })
    } catch (error) {
      if (error instanceof GithubError && error.status === 404) return null
      if (attempt === CALL_ATTEMPTS) throw error
      await pauseAfter(error, attempt, access.signal)
    }
  }
}

/**
 * Sends a request that changes something, without retries. When it is unclear whether a failed request took effect,
 * the caller checks the state before it sends the request again.
 */
export async function changeGithub<T>(access: GithubAccess, call: Omit<ApiCall<T>, 'method'>): Promise<T> {
  return await sendRequest(access, { ...call, method: 'POST' })
}

/**
 * Waits after a failed attempt until the next attempt may be sent. Throws `error` when it is not retryable or when the
 * wait would be too long.
 */
export async function pauseAfter(error: unknown, attempt: number, signal?: AbortSignal): Promise<void> {
  if (!(error instanceof GithubError) || !error.retryable || signal?.aborted === true) throw error
  const waitSeconds = error.retryAfterSeconds ?? 0
  if (waitSeconds > RETRY_AFTER_SECONDS_MAX) throw error
  const pauseMs = Math.max(waitSeconds * 1000, backoffMs(attempt - 1, CALL_BACKOFF))
  try {
    await sleep(pauseMs, undefined, { signal })
  } catch {
    // The wait was aborted, so throw the error of the last attempt.
    throw error
  }
}

async function sendRequest<T>(access: GithubAccess, call: ApiCall<T>): Promise<T> {
  const response = await sendTo(`${access.profile.api}${call.path}`, {
    method: call.method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${access.token}`,
      'user-agent': 'slipway',
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    timeoutMs: TIMEOUT_MS,
    signal: access.signal,
  })
  const body = parseJson((await readResponseBytes(response, ANSWER_BYTES_MAX)).toString('utf8'))
  if (!response.ok) {
    const { status, headers } = response
    const said = providerText(body)
    throw errorFromResponse({ status, doing: call.doing, said, header: (name) => headers.get(name) })
  }
  const read = call.result.safeParse(body)
  if (!read.success)
    throw new GithubError('The code host returned an unexpected response.', { cause: read.error })
  return read.data
}

type SendOptions = Omit<NonNullable<Parameters<typeof cloudFetch>[1]>, 'signal'> & {
  timeoutMs: number
  signal?: AbortSignal | undefined
}

/** Sends one HTTP request. Returns a redirect instead of following it, because the token must not be sent to another host. */
export async function sendTo(
  url: string,
  { timeoutMs, signal, ...init }: SendOptions,
): Promise<CloudResponse> {
  const signals = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])]
  try {
    return await cloudFetch(url, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) })
  } catch (cause) {
    throw unreachable(cause)
  }
}

/** Reads the body of a response. Throws when it has more than `bytesMax` bytes. */
export async function readResponseBytes(response: CloudResponse, bytesMax: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  try {
    for await (const part of response.body ?? []) {
      size += part.byteLength
      if (size > bytesMax) throw new GithubError('The response of the code host is too large.')
      parts.push(part)
    }
  } catch (error) {
    throw error instanceof GithubError ? error : unreachable(error)
  }
  return Buffer.concat(parts)
}

/** Returns the error message in a response of GitHub, together with the messages about individual fields. */
function providerText(body: unknown): string {
  const { message, errors } = fieldsOf(body)
  const details = Array.isArray(errors) ? errors.map((one: { message?: unknown }) => one?.message) : []
  const texts = [...new Set([message, ...details])].filter((text) => typeof text === 'string')
  return texts.join('; ')
}

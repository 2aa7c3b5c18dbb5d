import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import type { Signer } from '../crypto/signer.ts'
import { untilFirstByte } from '../lib/first-byte.ts'
import { limitBody, RESPONSE_BYTES_MAX } from '../lib/limit-body.ts'
import { CloudflareError, unreachable } from './errors.ts'
import { cloudFetch, type CloudResponse } from './fetch.ts'
import { parseJson } from '../lib/json.ts'
import { retryAfterSeconds } from '@slipway/runtime/kernel/retry-after.ts'

/** An admin worker. `signer` has the private key, and the worker has the public one. */
export interface AdminWorkerAddress {
  /** The name of the worker. Other workers refuse the tokens that are created for it. */
  name: string
  url: string
  signer: Signer
}

export interface OperatorRequest {
  tier: 'production' | 'preview'
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path, including the query string. */
  path: string
  /** Bytes are sent unchanged, any other value as JSON. */
  body?: unknown
  /** True when repeating the request is harmless. Defaults to true for GET and false otherwise. */
  repeatable?: boolean
  signal?: AbortSignal | undefined
  timeoutMs?: number
  /** True when the timeout covers only the headers and not the body. */
  streams?: boolean
  range?: string | null
  /** The most bytes of the response; `Infinity` for a body that is passed on and not read into memory. */
  bytesMax?: number
}

const TOKEN_SECONDS = 45
const TIMEOUT_MS = 20_000
/**
 * The pauses between attempts. A worker may be restarting after a deployment, or not yet be reachable
 * everywhere.
 */
const WAITS_MS = [150, 600, 2000]

/** An error response of the app. The caller decides what it means. */
export interface AppRefusal {
  status: number
  code: string
  message: string
  /** The wait that the header `Retry-After` requests, or null without this header. */
  retryAfterSeconds: number | null
}

const Envelope = z.union([
  z.object({ ok: z.literal(true), data: z.unknown() }),
  z.object({ ok: z.literal(false), error: z.object({ code: z.string(), message: z.string() }) }),
])

/**
 * Sends a request to a project's app as its operator. Returns the app's data or its error response. Throws a
 * `CloudflareError` when there is no response or the response cannot be parsed. Retries when the app is not found,
 * fails or does not respond; a request that is not repeatable is retried only when it certainly did not reach the app.
 */
export async function callApp(
  place: AdminWorkerAddress,
  request: OperatorRequest,
  now: Date,
): Promise<{ data: unknown } | { refusal: AppRefusal }> {
  return readAppResponse(await fetchApp(place, request, now))
}

/** Parses a response in the app's envelope. Throws a `CloudflareError` for any other response. */
export async function readAppResponse(
  response: CloudResponse,
): Promise<{ data: unknown } | { refusal: AppRefusal }> {
  const text = await limitBody(response, RESPONSE_BYTES_MAX)
    .text()
    .catch((cause: unknown) => {
      throw unreachable(cause)
    })
  const envelope = Envelope.safeParse(parseJson(text)).data
  if (envelope === undefined) throw unexpectedResponse(response.status, false)
  if (envelope.ok) return { data: envelope.data }
  return {
    refusal: {
      status: response.status,
      ...envelope.error,
      retryAfterSeconds: retryAfterSeconds(response.headers.get('retry-after')),
    },
  }
}

/**
 * Sends a request like `callApp`, but returns the response itself. The caller checks the status, and reads the body
 * or cancels it.
 */
export async function fetchApp(
  place: AdminWorkerAddress,
  request: OperatorRequest,
  now: Date,
): Promise<CloudResponse> {
  const isRepeatable = request.repeatable ?? request.method === 'GET'
  for (let attempt = 0; ; attempt++) {
    try {
      const response = await sendOnce(place, request, now)
      const isAnswer = (response.status < 500 || isModelError(response)) && !isPageWithoutWorker(response)
      // A 503 of the app itself contains the reason why the app is busy. The app may soon be ready again, so the
      // response is returned to the caller only after the last attempt.
      const isRefused = response.status === 503 && isJson(response)
      const isOver = WAITS_MS[attempt] === undefined || !isRepeatable
      if (isAnswer || (isRefused && isOver)) return response
      await response.body?.cancel()
      throw unexpectedResponse(response.status, isPageWithoutWorker(response))
    } catch (error) {
      const waitMs = WAITS_MS[attempt]
      if (!(error instanceof CloudflareError) || waitMs === undefined) throw error
      if (!isRepeatable && !error.isClear) throw error
      await sleep(waitMs, undefined, { signal: request.signal })
    }
  }
}

async function sendOnce(
  place: AdminWorkerAddress,
  request: OperatorRequest,
  now: Date,
): Promise<CloudResponse> {
  const { tier, method } = request
  // Signs the path in the spelling that the worker will see, because URL parsers may normalize it.
  const url = new URL(`${place.url}${request.path}`)
  const path = url.pathname + url.search
  const body = encodedBody(request.body)
  const token = place.signer.sign({
    aud: place.name,
    tier,
    method,
    path,
    bodySha256: createHash('sha256').update(body).digest('hex'),
    exp: Math.floor(now.getTime() / 1000) + TOKEN_SECONDS,
    jti: randomUUID(),
  })
  const fetchWithin = (timeout: AbortSignal) =>
    cloudFetch(url.href, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === ''
          ? {}
          : { 'content-type': typeof body === 'string' ? 'application/json' : 'application/octet-stream' }),
        ...(request.range == null ? {} : { range: request.range }),
      },
      body: body === '' ? null : body,
      redirect: 'manual',
      bytesMax: request.bytesMax,
      signal: request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout]),
    })
  try {
    if (request.streams === true) return await untilFirstByte(TIMEOUT_MS, fetchWithin)
    return await fetchWithin(AbortSignal.timeout(request.timeoutMs ?? TIMEOUT_MS))
  } catch (cause) {
    request.signal?.throwIfAborted()
    throw unreachable(cause)
  }
}

const encodedBody = (body: unknown): string | Uint8Array =>
  body === undefined ? '' : body instanceof Uint8Array ? body : JSON.stringify(body)

/** Returns whether the response is the provider's page for an address without a worker. */
const isPageWithoutWorker = (response: CloudResponse): boolean => response.status === 404 && !isJson(response)

/** Returns whether a 502 comes from the app, whose errors are JSON. A 502 of the provider is an HTML page. */
const isModelError = (response: CloudResponse): boolean => response.status === 502 && isJson(response)

const isJson = (response: CloudResponse): boolean =>
  response.headers.get('content-type')?.startsWith('application/json') === true

const unexpectedResponse = (status: number, isClear: boolean) =>
  new CloudflareError('upstream', `The deployed app returned status ${status}. Try again.`, {
    status,
    retryable: true,
    isClear,
  })

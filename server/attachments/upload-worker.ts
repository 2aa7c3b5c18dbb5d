import { setTimeout as sleep } from 'node:timers/promises'
import { CloudflareError, unreachable } from '../cloudflare/errors.ts'
import { cloudFetch, type CloudResponse } from '../cloudflare/fetch.ts'
import type { Clock } from '../lib/clock.ts'
import type { UploadStorage } from './upload-storage.ts'
import { expiryAfter, type TokenGrant } from './upload-token.ts'

// Five minutes, because the worker's clock may differ from the service's. The token itself is used at once.
const TOKEN_MS = 300_000
const WAITS_MS = [200, 800]

/** What the service requests from an upload worker: any `TokenGrant` except an upload. The expiry is added when the request is sent. */
type WorkerTask = TokenGrant extends infer G ? (G extends { use: 'put' } ? never : Omit<G, 'exp'>) : never

/**
 * Sends a request to a project's upload worker, which reads or changes the object of one key. Throws a retryable error
 * when the worker is temporarily unavailable; returns every other response for the caller to read.
 */
export async function callUploadWorker(
  clock: Clock,
  storage: UploadStorage,
  task: WorkerTask,
  request: {
    method: 'GET' | 'POST' | 'DELETE'
    headers?: Record<string, string>
    signal: AbortSignal
    bytesMax?: number
  },
): Promise<CloudResponse> {
  const grant = { ...task, exp: expiryAfter(clock.now(), TOKEN_MS) } as TokenGrant
  const { method, headers, signal, bytesMax } = request
  try {
    const response = await cloudFetch(`${storage.url}/${pathOf(task.key)}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${storage.key.grant(grant)}` },
      redirect: 'manual',
      signal,
      bytesMax,
    })
    if (response.status < 500 && response.status !== 429) return response
    await response.body?.cancel()
    throw refused(response.status)
  } catch (error) {
    throw error instanceof CloudflareError ? error : unreachable(error)
  }
}

/** Retries `work` a few times after a transport failure; `work` must be idempotent. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const waitMs = WAITS_MS[attempt]
      if (!(error instanceof CloudflareError) || !error.retryable || waitMs === undefined) throw error
      await sleep(waitMs)
    }
  }
}

/** Returns the URL path of an object key. Each segment is encoded, so that a `?` in a key does not begin a query. */
export const pathOf = (key: string): string => key.split('/').map(encodeURIComponent).join('/')

export const refused = (status: number) =>
  new CloudflareError('upstream', `The upload worker returned status ${status} for a file. Try again.`, {
    status,
    retryable: status >= 500 || status === 429,
  })

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CloudflareError, unreachable } from '../cloudflare/errors.ts'
import { cloudFetch } from '../cloudflare/fetch.ts'
import type { Clock } from '../lib/clock.ts'
import type { UploadPlace } from './upload-place.ts'
import { expiryAfter } from './upload-token.ts'

/** Largest attachment (spec, Limits). */
export const ATTACHMENT_BYTES_MAX = 8 * 1024 * 1024

const TIMEOUT_MS = 30_000
// Used at once, but the worker's clock may go a little differently.
const TOKEN_MS = 300_000
const WAITS_MS = [200, 800]

/** The key of an attachment is its content's; the apps themselves never serve what lies below this. */
export const keyOf = (sha256: string): string => `_prompt/${sha256}`

/** The hash a key stands for, or null for what is no key of an attachment. */
export const hashOf = (key: string): string | null => /^_prompt\/([0-9a-f]{64})$/.exec(key)?.[1] ?? null

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Reads an upload through the project's worker; null when it has nothing for us, be it that there is no such object,
 * no such worker, or one that knows another key. At most one piece more than the limit is read of what is too large.
 */
export async function readStored(
  clock: Clock,
  place: UploadPlace,
  key: string,
): Promise<{ bytes: Buffer<ArrayBuffer>; contentType: string } | null> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await readOnce(clock, place, key)
    } catch (error) {
      const waitMs = WAITS_MS[attempt]
      if (!(error instanceof CloudflareError) || !error.retryable || waitMs === undefined) throw error
      await sleep(waitMs)
    }
  }
}

async function readOnce(clock: Clock, place: UploadPlace, key: string) {
  const token = place.key.grant({ use: 'get', key, exp: expiryAfter(clock.now(), TOKEN_MS) })
  try {
    const answer = await cloudFetch(`${place.url}/${key}`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (answer.status !== 200) {
      await answer.body?.cancel()
      if (answer.status === 404 || answer.status === 401) return null
      throw refused(answer.status)
    }
    const chunks: Uint8Array[] = []
    let total = 0
    for await (const chunk of answer.body ?? []) {
      chunks.push(chunk as Uint8Array)
      total += (chunk as Uint8Array).byteLength
      if (total > ATTACHMENT_BYTES_MAX) break
    }
    return { bytes: Buffer.concat(chunks), contentType: answer.headers.get('content-type') ?? '' }
  } catch (error) {
    throw error instanceof CloudflareError ? error : unreachable(error)
  }
}

const refused = (status: number) =>
  new CloudflareError('upstream', `The upload worker answered ${status} when asked for a file. Try again.`, {
    status,
    retryable: status >= 500,
  })

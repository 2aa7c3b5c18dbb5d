import { createHash } from 'node:crypto'
import { unreachable } from '../cloudflare/errors.ts'
import type { Clock } from '../lib/clock.ts'
import { callUploadWorker, withRetries, refused } from './upload-worker.ts'
import type { UploadStorage } from './upload-storage.ts'

/** The size of the largest attachment (docs/limits.md#assets-and-attachments). */
export const ATTACHMENT_BYTES_MAX = 8 * 1024 * 1024

const TIMEOUT_MS = 30_000

/** The object key of an attachment is its content hash. Deployed apps never serve this prefix. */
export const attachmentKey = (sha256: string): string => `_prompt/${sha256}`

/** Returns the content hash in an attachment key, or null when `key` is not an attachment key. */
export const promptHash = (key: string): string | null => /^_prompt\/([0-9a-f]{64})$/.exec(key)?.[1] ?? null

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Reads an upload through the project's worker. Returns null when the object or the worker does not exist, or the
 * worker verifies tokens with another key. Reads at most one chunk beyond the size limit.
 */
export async function readStored(
  clock: Clock,
  storage: UploadStorage,
  key: string,
): Promise<{ bytes: Buffer<ArrayBuffer>; contentType: string } | null> {
  return await withRetries(async () => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await callUploadWorker(clock, storage, { use: 'get', key }, { method: 'GET', signal })
    if (response.status !== 200) {
      await response.body?.cancel()
      if (response.status === 404 || response.status === 401) return null
      throw refused(response.status)
    }
    const chunks: Uint8Array[] = []
    let total = 0
    try {
      for await (const chunk of response.body ?? []) {
        chunks.push(chunk as Uint8Array)
        total += (chunk as Uint8Array).byteLength
        if (total > ATTACHMENT_BYTES_MAX) break
      }
    } catch (error) {
      throw unreachable(error)
    }
    return { bytes: Buffer.concat(chunks), contentType: response.headers.get('content-type') ?? '' }
  })
}

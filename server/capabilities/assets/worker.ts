import * as z from 'zod'
import type { UploadStorage } from '../../attachments/upload-storage.ts'
import { callUploadWorker, withRetries, refused } from '../../attachments/upload-worker.ts'
import { CloudflareError, unreachable } from '../../cloudflare/errors.ts'
import { parseJson } from '../../lib/json.ts'
import type { Clock } from '../../lib/clock.ts'
import { ASSET_BYTES_MAX, ContentType } from './asset.ts'

const StoredAsset = z.object({
  data: z.object({
    sizeBytes: z.int().min(0).max(ASSET_BYTES_MAX),
    contentType: ContentType,
    storedAt: z.iso.datetime(),
  }),
})
export type StoredAsset = z.output<typeof StoredAsset>['data']

// Long enough for 95 MiB, because the copy is made inside the account.
const COPY_MS_MAX = 60_000

/** `missing`: the object does not exist. `changed`: another object was stored at this path in the meantime. */
type PutResult = StoredAsset | 'missing' | 'changed'

/** Moves an upload to its path and writes the access into the object's metadata. Idempotent. */
export const placeUpload = (
  clock: Clock,
  storage: UploadStorage,
  move: { from: string; key: string; access: string },
): Promise<PutResult> => changeObject(clock, storage, { use: 'place', ...move })

/** Writes the access into the object's metadata. Idempotent. */
export const stampObject = (
  clock: Clock,
  storage: UploadStorage,
  at: { key: string; access: string },
): Promise<PutResult> => changeObject(clock, storage, { use: 'stamp', ...at })

async function changeObject(
  clock: Clock,
  storage: UploadStorage,
  task: Parameters<typeof callUploadWorker>[2],
): Promise<PutResult> {
  return await withRetries(async () => {
    const signal = AbortSignal.timeout(COPY_MS_MAX)
    const response = await callUploadWorker(clock, storage, task, { method: 'POST', signal })
    const text = await response.text().catch((cause: unknown) => {
      throw unreachable(cause)
    })
    if (response.status === 404) return 'missing'
    if (response.status === 409) return 'changed'
    if (response.status !== 200) throw refused(response.status)
    const stored = StoredAsset.safeParse(parseJson(text))
    if (stored.success) return stored.data.data
    throw new CloudflareError('upstream', 'The upload worker returned an unexpected response.', {
      status: 200,
    })
  })
}

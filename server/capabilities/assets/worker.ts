import * as z from 'zod'
import type { UploadPlace } from '../../attachments/upload-place.ts'
import { askUploadWorker, patiently, refused } from '../../attachments/upload-worker.ts'
import { CloudflareError } from '../../cloudflare/errors.ts'
import { parseJson } from '../../cloudflare/json.ts'
import type { Clock } from '../../lib/clock.ts'
import { ASSET_BYTES_MAX, ContentType } from './asset.ts'

/** What the bucket holds under a key now, in the bucket's own words. */
const Stored = z.object({
  data: z.object({
    sizeBytes: z.int().min(0).max(ASSET_BYTES_MAX),
    contentType: ContentType,
    storedAt: z.iso.datetime(),
  }),
})
export type Stored = z.output<typeof Stored>['data']

// Bytes are copied inside of the account; this much is patience for 95 MiB.
const COPY_MS = 60_000

/** `missing`: nothing is there. `changed`: something else was stored there meanwhile. */
type Outcome = Stored | 'missing' | 'changed'

/** Moves an upload to its path with the stamp that says who may see it. May be repeated. */
export const placeUpload = (
  clock: Clock,
  place: UploadPlace,
  move: { from: string; key: string; access: string },
): Promise<Outcome> => change(clock, place, { use: 'place', ...move })

/** Changes the stamp of what lies at a path. May be repeated. */
export const stampObject = (
  clock: Clock,
  place: UploadPlace,
  at: { key: string; access: string },
): Promise<Outcome> => change(clock, place, { use: 'stamp', ...at })

async function change(
  clock: Clock,
  place: UploadPlace,
  task: Parameters<typeof askUploadWorker>[2],
): Promise<Outcome> {
  return await patiently(async () => {
    const signal = AbortSignal.timeout(COPY_MS)
    const answer = await askUploadWorker(clock, place, task, { method: 'POST', signal })
    const text = await answer.text()
    if (answer.status === 404) return 'missing'
    if (answer.status === 409) return 'changed'
    if (answer.status !== 200) throw refused(answer.status)
    const stored = Stored.safeParse(parseJson(text))
    if (stored.success) return stored.data.data
    throw new CloudflareError('upstream', 'The upload worker answered something else than what it stored.', {
      status: 200,
    })
  })
}

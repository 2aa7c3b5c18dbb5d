import { transientError } from '../../cloudflare/errors.ts'
import { ownBuckets, readObjectPage } from '../app-transfer.ts'
import { copyObject } from '../copy-object.ts'
import type { CopyJob, StepCursor } from './job.ts'

/** How often an object that changes while it is copied is listed again. */
const LISTED_AGAIN_MAX = 3

/**
 * Copies the objects of the capabilities' buckets, except those that `copiedElsewhere` leaves out. An object that has changed since
 * it was listed is listed again, because code of the app can write to its bucket even while the app refuses changes.
 */
export async function copyObjects(
  { from, to, progress, isTimeUp }: CopyJob,
  start: StepCursor<'objects'>,
): Promise<boolean> {
  const buckets = ownBuckets()
  const first = buckets.findIndex(({ key }) => key === start.bucket)
  for (const { key: bucket, copiedElsewhere } of buckets.slice(Math.max(first, 0))) {
    const keep = (after: string, files: number) =>
      progress.keep({ step: 'objects', bucket, after }, { files })
    let after = bucket === start.bucket ? start.after : null
    let changed = { key: '', times: 0 }
    pages: for (;;) {
      if (isTimeUp()) return false
      const page = await readObjectPage(from, bucket, after)
      for (const object of page?.items ?? []) {
        const { key } = object
        if (copiedElsewhere.some((prefix) => key.startsWith(prefix))) continue
        if (isTimeUp()) return false
        if ((await copyObject(from, to, { bucket, object })) !== 'copied') {
          changed = { key, times: key === changed.key ? changed.times + 1 : 1 }
          if (changed.times > LISTED_AGAIN_MAX) throw keepsChanging(key)
          continue pages
        }
        after = key
        await keep(key, 1)
      }
      after = page?.next ?? null
      if (after === null) break
      await keep(after, 0)
    }
  }
  return true
}

const keepsChanging = (key: string) =>
  transientError(`The object ${key} changes while it is copied. Try again.`)

import type { FileBucket } from './bucket.ts'

/** The maximum number of keys that R2 lists or deletes in one call. */
const KEYS_MAX = 1000

/** Deletes up to 1,000 objects of a bucket. Call it again until it returns `isEmpty`. */
export async function deleteFirstObjects(
  bucket: Pick<FileBucket, 'list' | 'delete'>,
): Promise<{ removed: number; isEmpty: boolean }> {
  const { objects, truncated } = await bucket.list({ prefix: '', limit: KEYS_MAX })
  if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key))
  return { removed: objects.length, isEmpty: !truncated }
}

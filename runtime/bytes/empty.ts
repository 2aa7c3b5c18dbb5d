import type { FileBucket } from './bucket.ts'

/** What a bucket lists and deletes at once. */
const KEYS_MAX = 1000

/** Removes some of what a bucket holds; asked until `isEmpty`. */
export async function emptySome(
  bucket: Pick<FileBucket, 'list' | 'delete'>,
): Promise<{ removed: number; isEmpty: boolean }> {
  const { objects, truncated } = await bucket.list({ prefix: '', limit: KEYS_MAX })
  if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key))
  return { removed: objects.length, isEmpty: !truncated }
}

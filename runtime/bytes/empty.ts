import type { FileBucket } from './bucket.ts'

/** Maximum keys per list and delete call. */
const KEYS_MAX = 1000

/** Removes up to a thousand objects of a bucket; call it until `isEmpty`. */
export async function emptySome(
  bucket: Pick<FileBucket, 'list' | 'delete'>,
): Promise<{ removed: number; isEmpty: boolean }> {
  const { objects, truncated } = await bucket.list({ prefix: '', limit: KEYS_MAX })
  if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key))
  return { removed: objects.length, isEmpty: !truncated }
}

import type { FileBucket } from '../bytes/bucket.ts'
import { IMAGE_WIDTHS, type ImageWidth } from './limits.ts'

/** The key of a copy in this width. The operator lists only what begins with `f/`, so copies are not shown. */
export const copyOf = (key: string, width: ImageWidth): string => `w/${width}/${key}`

/** The bucket deletes at most 1,000 keys per call. */
const KEYS_MAX = 1000

/** Removes the bytes of files and of all copies that may exist: deletions are free, a search is not. */
export async function removeBytes(bucket: Pick<FileBucket, 'delete'>, keys: string[]): Promise<void> {
  const all = keys.flatMap((key) => [key, ...IMAGE_WIDTHS.map((width) => copyOf(key, width))])
  for (let at = 0; at < all.length; at += KEYS_MAX) await bucket.delete(all.slice(at, at + KEYS_MAX))
}

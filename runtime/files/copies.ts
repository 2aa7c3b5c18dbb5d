import type { FileBucket } from '../bytes/bucket.ts'
import { IMAGE_WIDTHS, type ImageWidth } from './limits.ts'

/** Where the copy of a picture in a width lies: the operator lists only what begins with `f/`. */
export const copyOf = (key: string, width: ImageWidth): string => `w/${width}/${key}`

/** The bucket deletes at most 1,000 keys per call. */
const KEYS_MAX = 1000

/** Removes the bytes of files and of all copies that there could be: deletions are free, a search is not. */
export async function removeBytes(bucket: Pick<FileBucket, 'delete'>, keys: string[]): Promise<void> {
  const all = keys.flatMap((key) => [key, ...IMAGE_WIDTHS.map((width) => copyOf(key, width))])
  for (let at = 0; at < all.length; at += KEYS_MAX) await bucket.delete(all.slice(at, at + KEYS_MAX))
}

import type { FileBucket } from '../bytes/bucket.ts'
import { IMAGE_WIDTHS, type ImageWidth } from '../bytes/image-widths.ts'

/** The bucket key of a picture's copy with `width`. The operator's list contains only keys that begin with `f/`, so it omits copies. */
export const resizedCopyKey = (key: string, width: ImageWidth): string => `w/${width}/${key}`

/** The bucket deletes at most 1,000 keys per call. */
const KEYS_MAX = 1000

/** Deletes the bytes of files and of all copies that may exist. Deletions are free at Cloudflare, but listing the bucket is not. */
export async function removeBytes(bucket: Pick<FileBucket, 'delete'>, keys: string[]): Promise<void> {
  const all = keys.flatMap((key) => [key, ...IMAGE_WIDTHS.map((width) => resizedCopyKey(key, width))])
  for (let at = 0; at < all.length; at += KEYS_MAX) await bucket.delete(all.slice(at, at + KEYS_MAX))
}

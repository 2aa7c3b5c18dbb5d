import type { FileBucket } from '../bytes/bucket.ts'
import type { ImageWidth } from '../bytes/image-widths.ts'
import { resizedCopyKey } from './copies.ts'
import type { FileRef } from './types.ts'

export interface Images {
  input(bytes: ReadableStream): {
    transform(options: { width: number; fit: 'scale-down' }): {
      output(options: { format: 'image/webp' }): Promise<{ response(): Response }>
    }
  }
}

export interface ResizeDeps {
  images: Images
  bucket: Pick<FileBucket, 'head' | 'get' | 'put' | 'delete'>
  widths(): Promise<readonly number[]>
  isKept(id: string): Promise<boolean>
  logError(error: unknown): void
}

const RESIZED_TYPE = 'image/webp'
const RESIZE_PAUSE_MS = 10 * 60_000
const PAUSED_KEYS_MAX = 1000

/**
 * The time, by the key of a copy, until which the copy must not be created, because another request is creating it or Cloudflare rejected
 * it. Until then requests show the whole picture. They do not wait for the other request, because it may be cancelled.
 */
const pausedUntil = new Map<string, number>()

function pauseResizing(key: string, now: number): void {
  // Delete the entry first, so that it moves to the end and the first entry stays the oldest.
  pausedUntil.delete(key)
  pausedUntil.set(key, now + RESIZE_PAUSE_MS)
  const [oldest] = pausedUntil.keys()
  if (pausedUntil.size > PAUSED_KEYS_MAX && oldest !== undefined) pausedUntil.delete(oldest)
}

/**
 * Returns the key and type of a picture's copy. Creates a copy only if it does not exist, because Cloudflare bills every resize. Returns
 * the key and type of the whole picture while the copy must not be created, and when the settings do not list this width.
 */
export async function resizedCopyOf(
  file: FileRef,
  width: ImageWidth,
  { images, bucket, widths, isKept, logError }: ResizeDeps,
  now: number,
): Promise<Pick<FileRef, 'key' | 'type'>> {
  const copy = { key: resizedCopyKey(file.key, width), type: RESIZED_TYPE }
  const isPaused = () => (pausedUntil.get(copy.key) ?? 0) > now
  if (isPaused()) return file
  // Check the bucket first, so that showing an existing copy costs no call to the live worker.
  if ((await bucket.head(copy.key)) !== null) return copy
  if (!(await widths()).includes(width)) return file
  // Another request may have begun the copy during these calls.
  if (isPaused()) return file
  pauseResizing(copy.key, now)
  try {
    const source = await bucket.get(file.key)
    if (source?.body === undefined) return file
    const resized = images.input(source.body).transform({ width, fit: 'scale-down' })
    const bytes = await (await resized.output({ format: RESIZED_TYPE })).response().arrayBuffer()
    const metadata = { httpMetadata: { contentType: RESIZED_TYPE }, customMetadata: {} }
    await bucket.put(copy.key, new Uint8Array(bytes), metadata)
  } catch (error) {
    // The picture is damaged or too large, or the account has used up its allowance.
    logError(error)
    return file
  }
  pausedUntil.delete(copy.key)
  // If the file was removed before the copy was stored, that removal did not delete the copy.
  if (!(await isKept(file.id))) await bucket.delete(copy.key)
  return copy
}

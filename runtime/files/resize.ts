import type { FileBucket } from '../bytes/bucket.ts'
import { copyOf } from './copies.ts'
import type { ImageWidth } from './limits.ts'
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

const FORMAT = 'image/webp'
const PAUSE_MS = 10 * 60_000
const PAUSED_MAX = 1000

/**
 * Copies that must not be begun before a time: one that is being made, and one that the service refused. Other requests show the
 * whole picture meanwhile. They do not wait for the request that makes the copy, because that one may be cut off.
 */
const pausedUntil = new Map<string, number>()

function pause(key: string, now: number): void {
  // Deleted first, so that it moves to the end and the first entry is the oldest.
  pausedUntil.delete(key)
  pausedUntil.set(key, now + PAUSE_MS)
  const [oldest] = pausedUntil.keys()
  if (pausedUntil.size > PAUSED_MAX && oldest !== undefined) pausedUntil.delete(oldest)
}

/**
 * Returns the key and the type of the copy of a picture. Makes it only when it does not exist, because the provider bills every
 * resize. Returns those of the file itself when no copies are made in this width, and during a pause.
 */
export async function copyIn(
  file: FileRef,
  width: ImageWidth,
  { images, bucket, widths, isKept, logError }: ResizeDeps,
  now: number,
): Promise<Pick<FileRef, 'key' | 'type'>> {
  const copy = { key: copyOf(file.key, width), type: FORMAT }
  const isPaused = () => (pausedUntil.get(copy.key) ?? 0) > now
  if (isPaused()) return file
  // Checked first, so that the view of a copy costs no call to the live worker.
  if ((await bucket.head(copy.key)) !== null) return copy
  if (!(await widths()).includes(width)) return file
  // Another request may have begun it meanwhile.
  if (isPaused()) return file
  pause(copy.key, now)
  try {
    const source = await bucket.get(file.key)
    if (source?.body === undefined) return file
    const resized = images.input(source.body).transform({ width, fit: 'scale-down' })
    const bytes = await (await resized.output({ format: FORMAT })).response().arrayBuffer()
    const metadata = { httpMetadata: { contentType: FORMAT }, customMetadata: {} }
    await bucket.put(copy.key, new Uint8Array(bytes), metadata)
  } catch (error) {
    // The picture is damaged or too large for the service, or the account is past its allowance.
    logError(error)
    return file
  }
  pausedUntil.delete(copy.key)
  // The file may have been removed before this copy existed to be removed with it.
  if (!(await isKept(file.id))) await bucket.delete(copy.key)
  return copy
}

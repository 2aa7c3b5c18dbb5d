import { env } from 'cloudflare:workers'
import { logError } from '../kernel/log.ts'
import { copyOf } from './copies.ts'
import { IMAGE_WIDTHS } from './limits.ts'
import { askFiles, fileBucket } from './live.ts'
import type { FileRef } from './types.ts'

/** The part of the binding to the image service that is used here. */
interface Images {
  input(bytes: ReadableStream): {
    transform(options: { width: number; fit: 'scale-down' }): {
      output(options: { format: 'image/webp' }): Promise<{ response(): Response }>
    }
  }
}

const FORMAT = 'image/webp'

/**
 * Returns the key and the type of a picture that is at most `asked` pixels wide. The provider bills every resize, so the copy
 * is kept beside the file. Returns the file itself when it is no picture, when its pictures are not shown in this width, and
 * when the service refuses it.
 */
export async function inWidth(file: FileRef, asked: number): Promise<Pick<FileRef, 'key' | 'type'>> {
  const images = env['IMAGES'] as Images | undefined
  const width = IMAGE_WIDTHS.find((one) => one === asked)
  const isPicture = /^image\/(?:png|jpe?g|gif|webp|avif|heic)$/.test(file.type)
  if (images === undefined || width === undefined || !isPicture) return file
  const bucket = fileBucket()
  const copy = { key: copyOf(file.key, width), type: FORMAT }
  if ((await bucket.head(copy.key)) !== null) return copy
  if (!(await askFiles('widths', {})).includes(width)) return file
  const source = await bucket.get(file.key)
  if (source?.body === undefined) return file
  try {
    const resized = images.input(source.body).transform({ width, fit: 'scale-down' })
    const bytes = await (await resized.output({ format: FORMAT })).response().arrayBuffer()
    const metadata = { httpMetadata: { contentType: FORMAT }, customMetadata: {} }
    await bucket.put(copy.key, new Uint8Array(bytes), metadata)
  } catch (error) {
    // A damaged picture, one that is larger than the service takes, or an account past its allowance.
    logError(error, { route: '/_app/files' })
    return file
  }
  // The file may have been removed meanwhile, before there was this copy to remove with it.
  if ((await askFiles('find', { id: file.id })) === null) await bucket.delete(copy.key)
  return copy
}

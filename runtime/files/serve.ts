import { serveObject } from '../bytes/serve.ts'
import { fileBucket } from './rpc-client.ts'
import { isShown } from './media-type.ts'
import { inWidth } from './pictures.ts'
import type { FileRef } from './types.ts'

/**
 * Returns a file as a response: inline when it is an image, audio, video or PDF, otherwise a download that no browser runs. With
 * a `width` a picture is at most so many pixels wide; a download is always whole. Null when the bucket has no such file.
 */
export async function serveFile(
  file: FileRef,
  asked: Headers,
  { isDownload = false, width }: { isDownload?: boolean; width?: string | undefined } = {},
): Promise<Response | null> {
  const { key, type } = width === undefined || isDownload ? file : await inWidth(file, Number(width))
  const answer = await serveObject(fileBucket(), key, asked, () => true)
  if (answer === null) return null
  const isInline = isShown(type) && !isDownload
  answer.headers.set('content-type', isShown(type) ? type : 'application/octet-stream')
  const name = encodeURIComponent(file.name).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  )
  answer.headers.set('content-disposition', `${isInline ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`)
  answer.headers.set('cache-control', 'private, max-age=600')
  return answer
}

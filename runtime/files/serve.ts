import { serveObject } from '../bytes/serve.ts'
import { fileBucket } from './rpc-client.ts'
import { isShown } from './media-type.ts'
import { inWidth } from './pictures.ts'
import type { FileRef } from './types.ts'

/**
 * Returns a file as a response: inline for images, audio, video and PDF, otherwise as a download that browsers do not run. With `width`, a
 * picture has at most that width in pixels; a download is always the original. Returns null when the bucket lacks the file.
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

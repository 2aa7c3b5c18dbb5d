import { env } from 'cloudflare:workers'
import { IMAGE_WIDTHS } from '../bytes/image-widths.ts'
import { serveObject } from '../bytes/serve.ts'
import { logError } from '../kernel/objects/log.ts'
import { isDisplayableType } from './media-type.ts'
import { resizedCopyOf, type Images } from './resize.ts'
import { callFiles, fileBucket } from './rpc-client.ts'
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
  const { key, type } = width === undefined || isDownload ? file : await resizedFile(file, Number(width))
  const answer = await serveObject(fileBucket(), key, asked, () => true)
  if (answer === null) return null
  const isInline = isDisplayableType(type) && !isDownload
  answer.headers.set('content-type', isDisplayableType(type) ? type : 'application/octet-stream')
  const name = encodeURIComponent(file.name).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  )
  answer.headers.set('content-disposition', `${isInline ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`)
  answer.headers.set('cache-control', 'private, max-age=600')
  return answer
}

/**
 * Returns the key and type of a picture's copy that is at most `asked` pixels wide. Returns the key and type of the file itself when it is
 * not a picture or has no copy.
 */
async function resizedFile(file: FileRef, asked: number): Promise<Pick<FileRef, 'key' | 'type'>> {
  const images = env['IMAGES'] as Images | undefined
  const width = IMAGE_WIDTHS.find((one) => one === asked)
  const isPicture = /^image\/(?:png|jpe?g|gif|webp|avif|heic)$/.test(file.type)
  if (images === undefined || width === undefined || !isPicture) return file
  const means = {
    images,
    bucket: fileBucket(),
    widths: () => callFiles('widths', {}),
    isKept: async (id: string) => (await callFiles('find', { id })) !== null,
    logError: (error: unknown) => logError(error, { route: '/_app/files' }),
  }
  return await resizedCopyOf(file, width, means, Date.now())
}

import { env } from 'cloudflare:workers'
import { logError } from '../kernel/log.ts'
import { IMAGE_WIDTHS } from './limits.ts'
import { callFiles, fileBucket } from './rpc-client.ts'
import { copyIn, type Images } from './resize.ts'
import type { FileRef } from './types.ts'

/**
 * Returns the key and type of a picture's copy that is at most `asked` pixels wide. Returns those of the file itself when it is not a
 * picture or has no copy.
 */
export async function inWidth(file: FileRef, asked: number): Promise<Pick<FileRef, 'key' | 'type'>> {
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
  return await copyIn(file, width, means, Date.now())
}

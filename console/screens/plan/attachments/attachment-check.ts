import type { Attachment } from '@slipway/sdk/client/types.gen.ts'

export type MediaType = Attachment['mediaType']

export const MEDIA_TYPES = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'application/pdf',
] as const satisfies MediaType[]

const MIB = 1024 * 1024
/** The limits of the service for one file and for one message. */
const FILE_BYTES_MAX = 8 * MIB
const FILES_MAX = 20
const TOTAL_BYTES_MAX = 32 * MIB

export type FileProblem = 'type' | 'empty' | 'tooLarge' | 'tooMany'

interface CheckedFiles<F> {
  good: { file: F; mediaType: MediaType }[]
  refused: { name: string; problem: FileProblem }[]
}

/**
 * Splits files into those that can be attached and those that are refused. `taken` counts the files that the
 * message already has.
 */
export function checkFiles<F extends { name: string; type: string; size: number }>(
  files: F[],
  taken: { count: number; bytes: number },
): CheckedFiles<F> {
  const result: CheckedFiles<F> = { good: [], refused: [] }
  let { count, bytes } = taken
  for (const file of files) {
    const mediaType = MEDIA_TYPES.find((type) => type === file.type)
    const problem = mediaType === undefined ? 'type' : problemOfFile(file.size, { count, bytes })
    if (mediaType === undefined || problem !== null) {
      result.refused.push({ name: file.name, problem: problem ?? 'type' })
      continue
    }
    result.good.push({ file, mediaType })
    count += 1
    bytes += file.size
  }
  return result
}

function problemOfFile(size: number, taken: { count: number; bytes: number }): FileProblem | null {
  if (size === 0) return 'empty'
  if (size > FILE_BYTES_MAX) return 'tooLarge'
  return taken.count >= FILES_MAX || taken.bytes + size > TOTAL_BYTES_MAX ? 'tooMany' : null
}

/**
 * Returns a function that tells whether the model cannot read a media type. The function reads this from the
 * message of an `attachments_unsupported` error.
 */
export function unreadableIn(message: string): (mediaType: MediaType) => boolean {
  const images = /\bimages\b/.test(message)
  const pdfs = /\bPDFs\b/.test(message)
  return (mediaType) => (mediaType === 'application/pdf' ? pdfs : images)
}

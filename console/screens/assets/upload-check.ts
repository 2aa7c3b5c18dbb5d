/** The largest file in bytes: the limit of one request to the upload worker. */
export const FILE_BYTES_MAX = 95 * 1024 * 1024
const PATH_BYTES_MAX = 512
const CONTENT_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/
const NOT_IN_A_PATH = /[^\p{L}\p{M}\p{N}._~!$&'()+,;=@ -]/gu

export interface Candidate {
  path: string
  contentType: string
  size: number
}

export type Problem = 'empty' | 'tooLarge' | 'noName'

/**
 * The path and type announced for a file, so that the app can serve it; `folder` may contain slashes or be
 * empty.
 */
export function candidateOf(
  file: { name: string; type: string; size: number; webkitRelativePath?: string },
  folder: string,
): Candidate {
  const name = file.webkitRelativePath || file.name
  const parts = [...folder.split('/'), ...name.split('/')].map(plainPart).filter((part) => part !== '')
  return {
    // Paths with a leading underscore are reserved for the platform.
    path: parts.join('/').replace(/^_+/, ''),
    contentType: CONTENT_TYPE.test(file.type) ? file.type : 'application/octet-stream',
    size: file.size,
  }
}

/** Why a file cannot be uploaded, or null. */
export function problemOf({ path, size }: Candidate): Problem | null {
  if (size === 0) return 'empty'
  if (size > FILE_BYTES_MAX) return 'tooLarge'
  return path === '' || new TextEncoder().encode(path).length > PATH_BYTES_MAX ? 'noName' : null
}

/** A path segment with other characters replaced by dashes; one of dots only becomes empty. */
function plainPart(part: string): string {
  const plain = part.normalize('NFKC').replace(NOT_IN_A_PATH, '-').trim()
  return /^\.+$/.test(plain) ? '' : plain
}

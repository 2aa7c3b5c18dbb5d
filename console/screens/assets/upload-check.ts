/** Largest file in bytes: what the upload worker takes in one request. */
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

/** What is announced for a file: a path the app can serve, and a type; `folder` may hold slashes or be empty. */
export function candidateOf(
  file: { name: string; type: string; size: number; webkitRelativePath?: string },
  folder: string,
): Candidate {
  const name = file.webkitRelativePath || file.name
  const parts = [...folder.split('/'), ...name.split('/')].map(plainPart).filter((part) => part !== '')
  return {
    // What begins with an underscore is the platform's.
    path: parts.join('/').replace(/^_+/, ''),
    contentType: CONTENT_TYPE.test(file.type) ? file.type : 'application/octet-stream',
    size: file.size,
  }
}

/** What is wrong with a file before a byte of it is sent, or null. */
export function problemOf({ path, size }: Candidate): Problem | null {
  if (size === 0) return 'empty'
  if (size > FILE_BYTES_MAX) return 'tooLarge'
  return path === '' || new TextEncoder().encode(path).length > PATH_BYTES_MAX ? 'noName' : null
}

/** One part of a path with other characters made dashes; a part of dots alone is none. */
function plainPart(part: string): string {
  const plain = part.normalize('NFKC').replace(NOT_IN_A_PATH, '-').trim()
  return /^\.+$/.test(plain) ? '' : plain
}

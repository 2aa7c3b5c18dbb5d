/** The size limit of a file in bytes: the upload worker accepts no larger request. */
export const FILE_BYTES_MAX = 95 * 1024 * 1024
const PATH_BYTES_MAX = 512
const CONTENT_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/
const NOT_IN_A_PATH = /[^\p{L}\p{M}\p{N}._~!$&'()+,;=@ -]/gu

export interface Candidate {
  path: string
  contentType: string
  size: number
}

export type UploadProblem = 'empty' | 'tooLarge' | 'noName' | 'samePath'

/**
 * Returns the path and the content type of a file, in a form that the service accepts. `folder` may contain
 * slashes or be empty.
 */
export function candidateOf(
  file: { name: string; type: string; size: number; webkitRelativePath?: string },
  folder: string,
): Candidate {
  const name = file.webkitRelativePath || file.name
  return {
    path: cleanPath([...folder.split('/'), ...name.split('/')]),
    contentType: CONTENT_TYPE.test(file.type) ? file.type : 'application/octet-stream',
    size: file.size,
  }
}

/**
 * Returns why a file cannot be uploaded, or null when it can. `taken` has the paths of the files that are being uploaded. Different file
 * names may become the same path, and the later file would silently replace the earlier one.
 */
export function uploadProblem({ path, size }: Candidate, taken: ReadonlySet<string>): UploadProblem | null {
  if (size === 0) return 'empty'
  if (size > FILE_BYTES_MAX) return 'tooLarge'
  if (path === '' || new TextEncoder().encode(path).length > PATH_BYTES_MAX) return 'noName'
  return taken.has(path) ? 'samePath' : null
}

function cleanPath(parts: string[]): string {
  const [first = '', ...rest] = parts.map(cleanSegment).filter((part) => part !== '')
  // A leading underscore is reserved for paths of the platform. Clean the rest again, because the rest may be empty or consist of dots.
  return first.startsWith('_') ? cleanPath([first.replace(/^_+/, ''), ...rest]) : [first, ...rest].join('/')
}

/** Replaces each character that a path must not contain by a dash. A segment that consists only of dots becomes empty. */
function cleanSegment(part: string): string {
  const plain = part.normalize('NFKC').replace(NOT_IN_A_PATH, '-').trim()
  return /^\.+$/.test(plain) ? '' : plain
}

import * as z from 'zod'

const ASSET_PATH_BYTES_MAX = 512
/** Letters and digits of any script, and the punctuation usual in file names. `/` is the only separator, and there are no escapes. */
const PATH_SEGMENT = /^[\p{L}\p{M}\p{N}._~!$&'()+,;=@ -]{1,255}$/u

/**
 * The path of an asset: its name in the app's address and its key in the bucket. Compatibility forms (full-width, decomposed) are
 * normalized first, so that they cannot hide a forbidden path. Paths that begin with `_` are reserved.
 */
export const AssetPath = z
  .string()
  .max(ASSET_PATH_BYTES_MAX)
  .overwrite(plainForm)
  .superRefine((path, context) => {
    const problem = assetPathProblem(path)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  })

export function plainForm(path: string): string {
  return path.normalize('NFKC')
}

/** Returns what is wrong with a path, or null. */
export function assetPathProblem(path: string): string | null {
  if (Buffer.byteLength(path) > ASSET_PATH_BYTES_MAX) return `must be at most ${ASSET_PATH_BYTES_MAX} bytes`
  if (path.startsWith('_')) return 'must not begin with an underscore'
  for (const segment of path.split('/')) {
    if (segment === '') return 'must have a name on each side of every slash'
    if (/^\.+$/.test(segment)) return 'must not have a part made of dots'
    if (segment.trim() !== segment) return 'must not have a part that begins or ends with a space'
    if (!PATH_SEGMENT.test(segment))
      return "must be made of letters, digits, spaces and . _ ~ ! $ & ' ( ) + , ; = @ -"
  }
  return null
}

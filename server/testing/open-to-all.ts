import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Returns whether every account of the machine may pass the folders above `path`. A checkout in a private
 * home folder is closed to other accounts.
 */
export function isOpenToAll(path: string): boolean {
  for (let at = dirname(realpathSync(path)); ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}

import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** False for a checkout in a private home directory: other accounts cannot enter the folders above `path`. */
export function isOpenToAll(path: string): boolean {
  for (let at = dirname(realpathSync(path)); ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}

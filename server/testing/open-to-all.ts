import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Whether every account may pass the folders above `path`: a checkout below a private home is closed to
 * others.
 */
export function isOpenToAll(path: string): boolean {
  for (let at = dirname(realpathSync(path)); ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}

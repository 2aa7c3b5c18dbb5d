import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Returns whether every user account of this machine may enter all folders above `path`. False for a path in
 * a private home directory.
 */
export function isOpenToAll(path: string): boolean {
  for (let at = dirname(realpathSync(path)); ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}

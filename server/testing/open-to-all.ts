import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Returns whether every operating system account may traverse the folders above `path`. In a private home
 * folder only the owner may.
 */
export function isOpenToAll(path: string): boolean {
  for (let at = dirname(realpathSync(path)); ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}

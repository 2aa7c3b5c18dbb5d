import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Returns whether other accounts can enter every folder above `path`. They cannot in a private home directory. */
export function isOpenToAll(path: string): boolean {
  for (let at = dirname(realpathSync(path)); ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}

import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file that exists in a data directory from the start of a restore to its end, so that a service refuses an unfinished restore. */
const MARK_FILE = 'restore-unfinished'

/** Throws for a data directory with an unfinished restore: the service would run without its data. */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (!existsSync(join(dataDir, MARK_FILE))) return
  throw new Error(
    `A restore into ${dataDir} did not finish. Remove that folder and restore again (docs/guides/backup-and-restore.md).`,
  )
}

/** Marks a data directory as half restored. Returns the function that removes the mark. */
export function markUnfinishedRestore(dataDir: string): () => void {
  const path = join(dataDir, MARK_FILE)
  writeFileSync(path, 'A restore began here and has not ended.\n', { mode: 0o600 })
  return () => rmSync(path)
}

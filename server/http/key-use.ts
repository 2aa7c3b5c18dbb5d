import { storeUses } from '../keys/shared-sql.ts'
import type { Db } from '../db/database.ts'
import type { Core } from '../core.ts'

const WRITE_EVERY_MS = 60_000

interface Uses {
  at: Map<string, Date>
  timer: NodeJS.Timeout
}

// One per database of the process. The last use is only informative, so losing a minute in a crash is
// acceptable and a write per request is not.
const collected = new WeakMap<Db, Uses>()

/** Stored within a minute, together with the uses of other keys. */
export function recordKeyUse(platform: Core, keyId: string, now: Date): void {
  const uses = collected.get(platform.db) ?? startCollecting(platform)
  uses.at.set(keyId, now)
}

function startCollecting({ db, log }: Core): Uses {
  const timer = setTimeout(() => {
    flushKeyUses(db).catch((error: unknown) => log.warn({ err: error }, 'last use of API keys not written'))
  }, WRITE_EVERY_MS)
  timer.unref()
  const uses = { at: new Map<string, Date>(), timer }
  collected.set(db, uses)
  return uses
}

/** Tests and the shutdown call it, so that uses of the last minute are not lost. */
export async function flushKeyUses(db: Db): Promise<void> {
  const uses = collected.get(db)
  if (!uses) return
  clearTimeout(uses.timer)
  collected.delete(db)
  await storeUses(db, uses.at)
}

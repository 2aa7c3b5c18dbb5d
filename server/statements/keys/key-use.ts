import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Core } from '../../core.ts'

const WRITE_EVERY_MS = 60_000

interface KeyUses {
  at: Map<string, Date>
  timer: NodeJS.Timeout
}

// The key uses that are not stored yet, per database. A crash may lose a minute of them, because they are only informative and a write per
// request would be too slow.
const pendingUses = new WeakMap<Db, KeyUses>()

/** Notes that a key was used. The use is stored within a minute, together with the uses of other keys. */
export function recordKeyUse(platform: Core, keyId: string, now: Date): void {
  const uses = pendingUses.get(platform.db) ?? startCollecting(platform)
  uses.at.set(keyId, now)
}

function startCollecting({ db, log }: Core): KeyUses {
  const timer = setTimeout(() => {
    flushKeyUses(db).catch((error: unknown) => log.warn({ err: error }, 'last use of API keys not written'))
  }, WRITE_EVERY_MS)
  timer.unref()
  const uses = { at: new Map<string, Date>(), timer }
  pendingUses.set(db, uses)
  return uses
}

/** Stores the uses at once. The shutdown and tests call it. */
export async function flushKeyUses(db: Db): Promise<void> {
  const uses = pendingUses.get(db)
  if (!uses) return
  clearTimeout(uses.timer)
  pendingUses.delete(db)
  await storeKeyUses(db, uses.at)
}

/** Stores when keys were last used. Keeps a later time that another process has stored. */
async function storeKeyUses(db: Db, uses: ReadonlyMap<string, Date>): Promise<void> {
  await sql`
    update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
    from unnest(${[...uses.keys()]}::text[], ${[...uses.values()]}::timestamptz[]) as u(id, at)
    where k.id = u.id`.execute(db)
}

import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { Schema } from './schema.ts'

/** Small enough that no request waits noticeably for the locks of a batch. */
const BATCH = 5000

/** Deletes the expired rows of a table in batches, each in its own transaction; returns their number. */
export async function purge<Table extends keyof Schema & string>(
  db: Db,
  what: { table: Table; time: keyof Schema[Table] & string; until: Date },
  signal: AbortSignal,
): Promise<number> {
  for (let purged = 0; ;) {
    signal.throwIfAborted()
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(what.table)} where ctid in (
        select ctid from ${sql.table(what.table)} where ${sql.ref(what.time)} <= ${what.until}
        limit ${BATCH} for update skip locked
      )`.execute(db)
    purged += Number(numAffectedRows)
    if (numAffectedRows < BATCH) return purged
  }
}

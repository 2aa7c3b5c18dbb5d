import { CompiledQuery, sql } from 'kysely'
import type { Db, Trx } from './database.ts'
import type { Schema } from './schema.ts'

/** The number of rows that one transaction deletes. It is so small that no request waits noticeably for the locks on these rows. */
const ROWS_PER_BATCH = 5000

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
        limit ${ROWS_PER_BATCH} for update skip locked
      )`.execute(db)
    purged += Number(numAffectedRows)
    if (numAffectedRows < ROWS_PER_BATCH) return purged
  }
}

/** Rows of a table that are deleted together with an organization or a project. `rows` is a query that selects their `ctid`. */
export interface DeletedRows {
  table: string
  rows: string
}

export const rowsOfOrganization = (table: keyof Schema & string): DeletedRows => ({
  table,
  rows: `select ctid from ${table} where org_id = $1`,
})

/** Deletes the rows of these tables in the caller's transaction, so that all are deleted or none. */
export async function deleteRows(
  trx: Trx,
  tables: readonly DeletedRows[],
  values: readonly unknown[],
): Promise<void> {
  for (const { table, rows } of tables)
    await trx.executeQuery(
      CompiledQuery.raw(`delete from ${table} where ctid = any(array(${rows}))`, [...values]),
    )
}

/**
 * Deletes rows table by table, in transactions of 5,000 rows, so that no lock or statement takes long.
 * Returns false when the signal was aborted first; the next call continues.
 */
export async function deleteInBatches(
  db: Db,
  tables: readonly DeletedRows[],
  values: readonly unknown[],
  signal: AbortSignal,
): Promise<boolean> {
  for (const { table, rows } of tables) {
    const statement = `delete from ${table} where ctid = any(array(${rows} limit ${ROWS_PER_BATCH}))`
    for (let deleted = ROWS_PER_BATCH; deleted === ROWS_PER_BATCH;) {
      if (signal.aborted) return false
      const { numAffectedRows } = await db.executeQuery(CompiledQuery.raw(statement, [...values]))
      deleted = Number(numAffectedRows ?? 0n)
    }
  }
  return true
}

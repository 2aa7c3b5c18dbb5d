import type { Pool } from 'pg'

/** Tables that are also written without a request: heartbeats and counters. */
const RESTLESS = new Set(['processes', 'rate_limits'])

/**
 * Returns a function that says whether anything was stored since its last call: a row added, changed or removed in any table, or a job
 * sent. The function compares the tables only when the database has assigned a new transaction id since then, which a read-only request
 * does not cause.
 */
export async function watchTables(pool: Pool): Promise<() => Promise<boolean>> {
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  const tables = [...rows.map((row) => row.name).filter((name) => !RESTLESS.has(name)), 'pgboss.job']
  const sql = tables
    .map((table) => `select count(*) || ':' || coalesce(max(xmin::text::bigint), 0) as mark from ${table}`)
    .join(' union all ')
  const readMarks = async () =>
    (await pool.query<{ mark: string }>(sql)).rows.map((row) => row.mark).join(' ')
  const transaction = async () =>
    (await pool.query<{ next: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as next'))
      .rows[0]?.next
  let known = { transaction: await transaction(), marks: await readMarks() }
  return async () => {
    const now = await transaction()
    if (now === known.transaction) return false
    const before = known.marks
    known = { transaction: now, marks: await readMarks() }
    return known.marks !== before
  }
}

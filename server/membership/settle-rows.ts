import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../db/database.ts'
import type { CallerContext } from '../endpoint.ts'
import type { Disposition, Creator } from './creator.ts'

/** The SQL on one table with the columns `org_id` and `created_by`, and how a change of a row is recorded in the activity log. */
interface SettledTable<Row> {
  /** The beginning of the SQL that removes rows: `delete from <table>`. */
  remove: RawBuilder<unknown>
  /** The beginning of the SQL that transfers rows: `update <table>`. */
  update: RawBuilder<unknown>
  /** The SQL of the columns that a `Row` has. */
  returning: RawBuilder<unknown>
  actions: Record<Disposition, string>
  record(action: string, row: Row): Promise<void>
}

/**
 * Removes the rows of a table that a member created, or transfers them to the user who made the request. Adds an entry to the activity
 * log for each row. Returns the number of rows.
 */
export async function settleRows<Row>(
  ctx: CallerContext,
  trx: Trx,
  { orgId, userId }: Creator,
  disposition: Disposition,
  { remove, update, returning, actions, record }: SettledTable<Row>,
): Promise<number> {
  const change = disposition === 'remove' ? remove : sql`${update} set created_by = ${ctx.caller.userId}`
  const { rows } = await sql<Row>`
    ${change} where org_id = ${orgId} and created_by = ${userId} returning ${returning}`.execute(trx)
  for (const row of rows) await record(actions[disposition], row)
  return rows.length
}

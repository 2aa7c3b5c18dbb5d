import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Deletes at most `limit` deliveries of deleted endpoints, so that no statement takes long. Returns their number. */
export async function deleteOrphanedDeliveries(db: Db, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from deliveries where ctid = any(array(
      select d.ctid from deliveries d
      where not exists (select from webhook_endpoints w where w.id = d.endpoint_id)
      limit ${limit}))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

import type { Db } from '../../db/database.ts'

/** Returns the session lifetime that the organization's policy sets, or null when it sets none. */
export async function sessionLifetimeDays(db: Db, orgId: string): Promise<number | null> {
  const row = await db
    .selectFrom('security_policies')
    .select('session_lifetime_days')
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return row?.session_lifetime_days ?? null
}

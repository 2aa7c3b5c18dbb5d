import type { Db, Trx } from '../db/database.ts'
import { RESOURCES } from '../resources/shared-sql.ts'

/**
 * Returns the account of the local cloud an organization has used. After the local world's folder was
 * deleted, asking for it by id creates it again, so that its projects can be shipped again at the same
 * address.
 */
export async function lostLocalAccount(
  db: Db | Trx,
  orgId: string,
): Promise<{ id: string; subdomain: string | null } | null> {
  const row = await db
    .selectFrom('cloud_accounts')
    .select(['account_id as id', 'subdomain'])
    .where('org_id', '=', orgId)
    .where('profile', '=', 'local')
    // An account with deployed projects first, else the latest.
    .orderBy(
      (eb) =>
        eb.exists(
          eb
            .selectFrom(RESOURCES)
            .select('r.account_id')
            .whereRef('r.account_id', '=', 'cloud_accounts.account_id')
            .where('r.org_id', '=', orgId)
            .where('r.tier', '=', 'production'),
        ),
      'desc',
    )
    .orderBy('connected_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

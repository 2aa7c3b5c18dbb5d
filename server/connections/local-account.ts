import type { Db, Trx } from '../db/database.ts'
import { RESOURCES_AS_R } from '../sql/resources.ts'

/**
 * Returns the account of the local cloud that an organization has used. When the local world's folder was deleted, requesting the account
 * by its id creates it again, so that its projects can be shipped again at the same address.
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
    // Prefers an account with deployed projects, then the latest.
    .orderBy(
      (eb) =>
        eb.exists(
          eb
            .selectFrom(RESOURCES_AS_R)
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

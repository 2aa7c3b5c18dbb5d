import type { Db, Trx } from '../../db/database.ts'
import { RESOURCES_AS_R } from '../../sql/resources.ts'

/**
 * Returns the account that an organization has used at Cloudflare's local emulator. When the emulator's data was
 * deleted, a sign-in with the account's id and subdomain creates the account again, so that the organization's
 * projects can be deployed at the same addresses.
 */
export async function formerLocalAccount(
  db: Db | Trx,
  orgId: string,
): Promise<{ id: string; subdomain: string | null } | null> {
  const row = await db
    .selectFrom('cloud_accounts')
    .select(['account_id as id', 'subdomain'])
    .where('org_id', '=', orgId)
    .where('profile', '=', 'local')
    // Prefers an account with projects in production, then the one that was connected last.
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

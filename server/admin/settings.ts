import type { Selectable } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { OrganizationSettingsTable } from '../db/tables/access.ts'

/** Returns the settings of an organization. Undefined, for which the defaults apply, when the organization is older than this table. */
export const readOrganizationSettings = (db: Db | Trx, orgId: string) =>
  db.selectFrom('organization_settings').selectAll().where('org_id', '=', orgId).executeTakeFirst()

/** Returns the settings by organization id. An organization without a row is not in the map. */
export async function listSettings(
  db: Db,
): Promise<ReadonlyMap<string, Selectable<OrganizationSettingsTable>>> {
  const rows = await db.selectFrom('organization_settings').selectAll().execute()
  return new Map(rows.map((row) => [row.org_id, row]))
}

/** Changes the settings of an organization, and creates their row when there is none. */
export async function saveSettings(
  trx: Trx,
  { now, defaultPlan }: { now: Date; defaultPlan: OrganizationSettingsTable['plan'] },
  orgId: string,
  settings: Partial<Pick<OrganizationSettingsTable, 'plan' | 'suspended_at'>>,
): Promise<void> {
  await trx
    .insertInto('organization_settings')
    .values({ org_id: orgId, plan: defaultPlan, suspended_at: null, created_at: now, ...settings })
    .onConflict((row) => row.column('org_id').doUpdateSet(settings))
    .execute()
}

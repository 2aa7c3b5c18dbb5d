import type { Selectable } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { OrganizationSettingsTable } from '../db/tables/access.ts'

/** Returns undefined for an organization that is older than the table: the defaults apply. */
export const readSettings = (db: Db | Trx, orgId: string) =>
  db.selectFrom('organization_settings').selectAll().where('org_id', '=', orgId).executeTakeFirst()

/** Returns the settings by the id of their organization. An organization without a row is missing. */
export async function listSettings(
  db: Db,
): Promise<ReadonlyMap<string, Selectable<OrganizationSettingsTable>>> {
  const rows = await db.selectFrom('organization_settings').selectAll().execute()
  return new Map(rows.map((row) => [row.org_id, row]))
}

/** Creates the row when the organization has none. */
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

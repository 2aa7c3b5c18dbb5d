import type { Selectable } from 'kysely'
import type { Db, Trx } from '../../db/database.ts'
import type { PayCodesTable, PayProductsTable } from '../../db/tables/pay.ts'
import type { ProjectIds } from '../../db/tables/projects.ts'
import type { DesiredPromotionCode, DesiredProduct } from '../../stripe/catalog.ts'

export type ProductRow = Selectable<PayProductsTable>
export type CodeRow = Selectable<PayCodesTable>

export const listProductRows = (db: Db | Trx, project: ProjectIds): Promise<ProductRow[]> =>
  db
    .selectFrom('pay_products')
    .selectAll()
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

export async function insertProduct(
  db: Db | Trx,
  project: ProjectIds,
  desired: DesiredProduct,
  at: Date,
): Promise<void> {
  const { projectId: project_id, ...row } = desired
  await db
    .insertInto('pay_products')
    .values({ org_id: project.org_id, project_id, ...row, created_at: at })
    .execute()
}

export async function findProductRow(db: Db, project: ProjectIds, id: string): Promise<ProductRow | null> {
  const row = await db
    .selectFrom('pay_products')
    .selectAll()
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export type ProductChange = Partial<Pick<DesiredProduct, 'amount' | 'currency' | 'interval' | 'active'>>

export async function changeProduct(
  db: Db,
  project: ProjectIds,
  id: string,
  change: ProductChange,
): Promise<void> {
  await db
    .updateTable('pay_products')
    .set(change)
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('id', '=', id)
    .execute()
}

/** Removes the row of a product that Stripe refused to make. */
export async function deleteProductRow(db: Db, project: ProjectIds, id: string): Promise<void> {
  await db
    .deleteFrom('pay_products')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('id', '=', id)
    .execute()
}

export const desiredProductOf = ({ org_id: _org, created_at: _at, ...row }: ProductRow): DesiredProduct => {
  const { project_id: projectId, ...rest } = row
  return { projectId, ...rest }
}

export const listCodeRows = (db: Db | Trx, project: ProjectIds): Promise<CodeRow[]> =>
  db
    .selectFrom('pay_codes')
    .selectAll()
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

export async function findCodeRow(db: Db, project: ProjectIds, id: string): Promise<CodeRow | null> {
  const row = await db
    .selectFrom('pay_codes')
    .selectAll()
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function insertCode(
  db: Db | Trx,
  project: ProjectIds,
  desired: DesiredPromotionCode,
  at: Date,
): Promise<void> {
  await db
    .insertInto('pay_codes')
    .values({
      org_id: project.org_id,
      project_id: desired.projectId,
      id: desired.id,
      code: desired.code,
      percent_hundredths: desired.percentOff === null ? null : Math.round(desired.percentOff * 100),
      amount_off: desired.amountOff,
      currency: desired.currency,
      duration: desired.duration,
      max_redemptions: desired.maxRedemptions,
      active: desired.active,
      created_at: at,
    })
    .execute()
}

export async function archiveCodeRow(db: Db, project: ProjectIds, id: string): Promise<void> {
  await db
    .updateTable('pay_codes')
    .set({ active: false })
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('id', '=', id)
    .execute()
}

/** Archives the other active rows with the text of `newest`. */
export async function archiveOlderCodeRows(
  db: Db,
  project: ProjectIds,
  newest: Pick<CodeRow, 'id' | 'code'>,
): Promise<void> {
  await db
    .updateTable('pay_codes')
    .set({ active: false })
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('code', '=', newest.code)
    .where('id', '!=', newest.id)
    .where('active', '=', true)
    .execute()
}

export async function deleteCodeRow(db: Db, project: ProjectIds, id: string): Promise<void> {
  await db
    .deleteFrom('pay_codes')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('id', '=', id)
    .execute()
}

export const desiredCodeOf = (row: CodeRow): DesiredPromotionCode => ({
  id: row.id,
  projectId: row.project_id,
  code: row.code,
  percentOff: row.percent_hundredths === null ? null : row.percent_hundredths / 100,
  amountOff: row.amount_off,
  currency: row.currency,
  duration: row.duration,
  maxRedemptions: row.max_redemptions,
  active: row.active,
})

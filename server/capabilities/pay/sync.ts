import type { ResourceWork } from '../../resources/work.ts'
import type { Db } from '../../db/database.ts'
import type { ProjectIds } from '../../db/tables/projects.ts'
import { type DesiredProduct, type DesiredPromotionCode, putCode, putProduct } from '../../stripe/catalog.ts'
import type { StripeAccess } from '../../stripe/client.ts'
import { syncEndpoints } from './endpoints.ts'
import {
  desiredCodeOf,
  desiredProductOf,
  findCodeRow,
  findProductRow,
  listCodeRows,
  listProductRows,
} from './store.ts'

/**
 * For each stored key, creates or updates the webhook endpoint, the products and the discount codes at Stripe to match the database. So
 * a key that is added later also gets the earlier products and codes. Idempotent.
 */
export async function syncPayments(work: ResourceWork<'keyring' | 'makers'>): Promise<void> {
  const { platform, project } = work
  await syncEndpoints(work)
  const [products, codes, modes] = await Promise.all([
    listProductRows(platform.db, project),
    listCodeRows(platform.db, project),
    platform.accounts.openStripeModes(work),
  ])
  for (const { id, active } of products) if (active) await syncProduct(platform.db, project, modes, id)
  for (const { id, active } of codes) if (active) await syncCode(platform.db, project, modes, id)
}

/** Creates or updates the product at Stripe to match its row. */
export const syncProduct = (
  db: Db,
  project: ProjectIds,
  modes: readonly StripeAccess[],
  id: string,
): Promise<void> =>
  untilUnchanged(
    () => findProductRow(db, project, id),
    (row) => putProductInModes(modes, desiredProductOf(row)),
  )

/** Creates or updates the discount code at Stripe to match its row. */
export const syncCode = (
  db: Db,
  project: ProjectIds,
  modes: readonly StripeAccess[],
  id: string,
): Promise<void> =>
  untilUnchanged(
    () => findCodeRow(db, project, id),
    (row) => putCodeInModes(modes, desiredCodeOf(row)),
  )

/**
 * Writes a row to Stripe, and writes it again while the row changes meanwhile: requests and the job of a saved key write to Stripe at the
 * same time, and the last write must not be one of an older row.
 */
async function untilUnchanged<Row extends object>(
  read: () => Promise<Row | null>,
  write: (row: Row) => Promise<void>,
): Promise<void> {
  for (let written: string | null = null; ;) {
    const row = await read()
    if (row === null || JSON.stringify(row) === written) return
    written = JSON.stringify(row)
    await write(row)
  }
}

/** Changes the product in the mode of the live app last, so that the live app does not sell a product that the other mode refuses. */
export async function putProductInModes(
  modes: readonly StripeAccess[],
  desired: DesiredProduct,
): Promise<void> {
  for (const access of modes.toReversed()) await putProduct(access, desired)
}

/** Changes the code in the mode of the live app last, for the same reason as `putProductInModes`. */
export async function putCodeInModes(
  modes: readonly StripeAccess[],
  desired: DesiredPromotionCode,
): Promise<void> {
  for (const access of modes.toReversed()) await putCode(access, desired)
}

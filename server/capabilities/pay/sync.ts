import type { ResourceWork } from '../../resources/work.ts'
import type { Db } from '../../db/database.ts'
import type { ProjectIds } from '../../db/tables/projects.ts'
import { type DesiredProduct, putCode, putProduct } from '../../stripe/catalog.ts'
import type { StripeAccess } from '../../stripe/client.ts'
import { syncEndpoints } from './endpoints.ts'
import { findProductRow, listCodeRows, listProductRows, desiredCodeOf, desiredProductOf } from './store.ts'

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
  for (const access of modes)
    for (const row of codes.filter(({ active }) => active)) await putCode(access, desiredCodeOf(row))
}

/**
 * Makes the product at Stripe what its row says. Repeats this while the row changes meanwhile: requests and the job of a saved key write to
 * Stripe at the same time, and the last write must not be one of an older row.
 */
export async function syncProduct(
  db: Db,
  project: ProjectIds,
  modes: readonly StripeAccess[],
  id: string,
): Promise<void> {
  for (let written: string | null = null; ;) {
    const row = await findProductRow(db, project, id)
    if (row === null || JSON.stringify(row) === written) return
    written = JSON.stringify(row)
    await putProductInModes(modes, desiredProductOf(row))
  }
}

/** Changes the product in the mode of the live app last, so that the live app does not sell a product that the other mode refuses. */
export async function putProductInModes(
  modes: readonly StripeAccess[],
  desired: DesiredProduct,
): Promise<void> {
  for (const access of modes.toReversed()) await putProduct(access, desired)
}

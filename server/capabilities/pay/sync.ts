import type { ResourceWork } from '../../resources/work.ts'
import { putCode, putProduct } from '../../stripe/catalog.ts'
import { syncEndpoints } from './endpoints.ts'
import { listCodeRows, listProductRows, desiredCodeOf, desiredProductOf } from './store.ts'

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
  for (const access of modes) {
    for (const row of products.filter(({ active }) => active)) await putProduct(access, desiredProductOf(row))
    for (const row of codes.filter(({ active }) => active)) await putCode(access, desiredCodeOf(row))
  }
}

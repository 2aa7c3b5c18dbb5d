import type { Work } from '../../resources/work.ts'
import { putCode, putProduct } from '../../stripe/catalog.ts'
import { openModes } from './access.ts'
import { syncEndpoints } from './endpoints.ts'
import { listCodeRows, listProductRows, wishOfCode, wishOfProduct } from './store.ts'

/**
 * Brings Stripe to what is stored, in each mode whose key is there: the endpoint for its events, and what the project
 * sells. A key that was given later gets the products and codes of before. May run twice.
 */
export async function syncPayments(work: Work): Promise<void> {
  const { platform, project } = work
  await syncEndpoints(work)
  const [products, codes, modes] = await Promise.all([
    listProductRows(platform.db, project),
    listCodeRows(platform.db, project),
    openModes(work),
  ])
  for (const access of modes) {
    for (const row of products.filter(({ active }) => active)) await putProduct(access, wishOfProduct(row))
    for (const row of codes.filter(({ active }) => active)) await putCode(access, wishOfCode(row))
  }
}

import { transact } from '../../db/database.ts'
import type { Context } from '../../endpoint.ts'
import { conflict, invalid, notFound } from '../../http/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Core } from '../../platform.ts'
import { lockUndeletedProject, requireNotDeleting } from '../../projects/lifecycle.ts'
import {
  type Interval,
  listProducts,
  type DesiredProduct,
  putProduct,
  type StripeProduct,
} from '../../stripe/catalog.ts'
import type { StripeAccess } from '../../stripe/client.ts'
import { StripeError } from '../../stripe/errors.ts'
import { parseSettings } from '../../capability-state/settings.ts'
import { readStoredSettings } from '../../capability-state/variables.ts'
import { requireSelling } from './require-selling.ts'
import { PaySettings } from './declaration.ts'
import {
  changeProduct,
  findProductRow,
  deleteProductRow,
  insertProduct,
  listProductRows,
  type ProductChange,
  type ProductRow,
  desiredProductOf,
} from './store.ts'
import { putProductInModes, syncProduct } from './sync.ts'
import type { ProjectIds } from '../../db/tables/projects.ts'

const PRODUCTS_MAX = 100

export interface PriceInput {
  amount: number
  currency?: string | undefined
  interval?: Interval | undefined
}

/** Returns the products with their prices at Stripe in the mode of the live app, archived products included. */
export async function readProducts(ctx: Context<'accounts'>, projectId: string) {
  const { project, selling } = await requireSelling(ctx, projectId)
  const rows = await listProductRows(ctx.db, project)
  const found = await listProducts(
    selling,
    rows.map(({ id }) => id),
  )
  const sold = new Map(found.map((one) => [one.id, one]))
  return rows.map((row) => toShownProduct(row, sold.get(row.id)))
}

/** Creates a product with its price at Stripe, in live mode, test mode or both, depending on which keys are stored. */
export async function addProduct(
  ctx: Context<'accounts'>,
  projectId: string,
  input: PriceInput & { name?: string | undefined },
) {
  const { project, selling, modes } = await requireSelling(ctx, projectId)
  requireNotDeleting(project)
  const stored = await readStoredSettings(ctx.db, project.id, 'pay')
  const settings = parseSettings(PaySettings, stored)
  const desired: DesiredProduct = {
    id: newId('prod'),
    projectId: project.id,
    name: input.name ?? 'Product',
    amount: input.amount,
    currency: input.currency ?? settings.currency,
    interval: input.interval ?? null,
    active: true,
  }
  // The row is stored before Stripe is called, so that the console lists every product that Stripe sells.
  await transact(ctx.db, async (trx) => {
    // Without the lock, requests at the same moment would not count each other's product.
    await lockUndeletedProject(trx, project)
    if ((await listProductRows(trx, project)).length >= PRODUCTS_MAX)
      throw conflict(`A project has at most ${PRODUCTS_MAX} products.`)
    await insertProduct(trx, project, desired, ctx.clock.now())
  })
  try {
    await putProductInModes(modes, desired)
  } catch (error) {
    await archiveRefused(modes, desired)
    await deleteProductRow(ctx.db, project, desired.id)
    throw asRefusal(error)
  }
  return await readStripeProduct(ctx, project, selling, desired.id)
}

/** Sets the price of new purchases. Existing subscriptions keep their price. */
export async function setPrice(
  ctx: Context<'accounts'>,
  projectId: string,
  productId: string,
  input: PriceInput,
) {
  const { project, selling, modes } = await requireSelling(ctx, projectId)
  requireNotDeleting(project)
  const row = await requireProduct(ctx, project, productId)
  if (!row.active) throw conflict('The product is archived. Make a new one to sell it again.')
  if ((input.interval ?? row.interval) !== null && row.interval === null)
    throw invalid('interval', 'cannot be given to a product that is paid once; make another product')
  await putAtStripeThenStore(ctx, project, modes, row, {
    amount: input.amount,
    currency: input.currency ?? row.currency,
    interval: input.interval ?? row.interval,
  })
  return await readStripeProduct(ctx, project, selling, productId)
}

/** Ends the sale of a product. Purchases remain valid, and subscriptions are charged until they are cancelled. */
export async function archiveProduct(ctx: Context<'accounts'>, projectId: string, productId: string) {
  const { project, selling, modes } = await requireSelling(ctx, projectId)
  requireNotDeleting(project)
  const row = await requireProduct(ctx, project, productId)
  await putAtStripeThenStore(ctx, project, modes, row, { active: false })
  return await readStripeProduct(ctx, project, selling, productId)
}

/**
 * Changes the product at Stripe first, which may refuse it, and its row next. If the process dies in between, the next saved key
 * resets the product at Stripe to the state of the row. `syncProduct` settles what another request has changed meanwhile.
 */
async function putAtStripeThenStore(
  ctx: Core,
  project: ProjectIds,
  modes: StripeAccess[],
  row: ProductRow,
  change: ProductChange,
): Promise<void> {
  try {
    await putProductInModes(modes, { ...desiredProductOf(row), ...change })
  } catch (error) {
    throw asRefusal(error)
  }
  await changeProduct(ctx.db, project, row.id, change)
  await syncProduct(ctx.db, project, modes, row.id)
}

/**
 * Archives the product in modes that accepted it before another mode refused it. If that fails, a person has to archive
 * the product at Stripe.
 */
async function archiveRefused(modes: StripeAccess[], desired: DesiredProduct): Promise<void> {
  for (const access of modes) {
    try {
      const [made] = await listProducts(access, [desired.id])
      if (made !== undefined) await putProduct(access, { ...desired, active: false })
    } catch (error) {
      if (!(error instanceof StripeError)) throw error
    }
  }
}

const OWN_FIELD_NAMES: Record<string, string> = {
  currency: 'currency',
  unit_amount: 'amount',
  name: 'name',
  'default_price_data[currency]': 'currency',
  'default_price_data[unit_amount]': 'amount',
}

/** Returns Stripe's refusal of the amount, currency or name as an `invalid_request` of that field, and any other error unchanged. */
function asRefusal(error: unknown): unknown {
  if (!(error instanceof StripeError) || error.status !== 400) return error
  const field = OWN_FIELD_NAMES[error.param ?? '']
  return field === undefined ? error : invalid(field, `is refused by Stripe: ${error.providerMessage}`)
}

async function requireProduct({ db }: Core, project: ProjectIds, productId: string): Promise<ProductRow> {
  const row = await findProductRow(db, project, productId)
  if (row === null) throw notFound('product')
  return row
}

async function readStripeProduct(ctx: Core, project: ProjectIds, selling: StripeAccess, productId: string) {
  const row = await requireProduct(ctx, project, productId)
  const [sold] = await listProducts(selling, [productId])
  return toShownProduct(row, sold)
}

/**
 * Returns a product as the API shows it, with Stripe's values. For a product that was deleted at Stripe, returns the
 * values of the row.
 */
function toShownProduct(row: ProductRow, sold: StripeProduct | undefined) {
  const price = sold?.default_price
  return {
    id: row.id,
    name: sold?.name ?? row.name,
    amount: price?.unit_amount ?? row.amount,
    currency: price?.currency ?? row.currency,
    interval: price === undefined || price === null ? row.interval : (price.recurring?.interval ?? null),
    priceId: price?.id ?? null,
    active: sold?.active ?? false,
    createdAt: row.created_at.toISOString(),
  }
}

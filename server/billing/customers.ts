import type { Selectable } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { BillingCustomersTable } from '../db/tables/billing.ts'
import type { CallerContext } from '../endpoint.ts'
import type { StripeAccess } from '../stripe/client.ts'
import { createCustomer, renameCustomer } from '../stripe/subscriptions.ts'

export type Customer = Selectable<BillingCustomersTable>

export async function findCustomer(db: Db, orgId: string): Promise<Customer | null> {
  const row = await db
    .selectFrom('billing_customers')
    .selectAll()
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return row ?? null
}

/** Takes a lock that serialises the checkouts of an organization. It is held until the transaction ends. */
export async function lockCustomer(trx: Trx, orgId: string): Promise<void> {
  await trx
    .selectFrom('billing_customers')
    .select('org_id')
    .where('org_id', '=', orgId)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * Returns the id of the organization's customer at Stripe. Creates the customer when there is none, and
 * updates its name and e-mail address. The idempotency key contains the organization's id, so when a process
 * died before it stored the row, the next call gets the same customer.
 */
export async function ensureCustomer(
  ctx: CallerContext<'db' | 'clock'>,
  access: StripeAccess,
): Promise<string> {
  const { organizationId: orgId, organizationName: name, email } = ctx.caller
  const form = { name, ...(email !== null && { email }) }
  const known = await findCustomer(ctx.db, orgId)
  if (known !== null && (await renameCustomer(access, known.customer_id, form))) return known.customer_id
  // Name and e-mail address are set later, because Stripe refuses a repeated idempotency key when the other fields of the request differ.
  const customerId = await createCustomer(access, {
    metadata: { organization: orgId },
    once: `slipway-${orgId}-${known?.customer_id ?? 'first'}`,
  })
  const now = ctx.clock.now()
  const read = {
    customer_id: customerId,
    plan: null,
    status: null,
    period_end: null,
    ends_with_period: false,
    overdue_since: null,
    read_at: now,
  }
  await ctx.db
    .insertInto('billing_customers')
    .values({ org_id: orgId, created_at: now, ...read })
    .onConflict((row) =>
      // Another request may have stored the row of this customer, and a job may have stored its plan. Do not reset them.
      row
        .column('org_id')
        .doUpdateSet({ customer_id: customerId })
        .where('billing_customers.customer_id', '!=', customerId),
    )
    .execute()
  await renameCustomer(access, customerId, form)
  return customerId
}

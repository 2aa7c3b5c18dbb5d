import * as z from 'zod'
import { callStripe, findStripe, type Form, listStripe, type StripeAccess } from './client.ts'
import { StripeError } from './errors.ts'

const Id = z.object({ id: z.string() })
const Page = z.object({ url: z.string() })
const Checkout = z.object({ status: z.string() })

const Subscription = z.object({
  id: z.string(),
  status: z.string(),
  cancel_at: z.int().nullable(),
  cancel_at_period_end: z.boolean(),
  items: z.object({
    data: z.array(
      z.object({ id: z.string(), current_period_end: z.int(), price: z.object({ id: z.string() }) }),
    ),
  }),
})
export type StripeSubscription = z.output<typeof Subscription>

/**
 * Returns every subscription of a customer, including ended subscriptions. Returns an empty list when the customer was deleted at Stripe.
 */
export async function listSubscriptions(
  access: StripeAccess,
  customerId: string,
): Promise<StripeSubscription[]> {
  return await listOfCustomer(access, {
    path: '/subscriptions',
    item: Subscription,
    doing: 'list subscriptions',
    form: { customer: customerId, status: 'all' },
  })
}

async function listOfCustomer<T extends { id: string }>(
  access: StripeAccess,
  call: { path: string; form: Form; item: z.ZodType<T>; doing: string },
): Promise<T[]> {
  try {
    return await listStripe(access, call)
  } catch (error) {
    // The customer was deleted at Stripe.
    if (error instanceof StripeError && error.code === 'resource_missing') return []
    throw error
  }
}

/** Ends a subscription now. Does nothing when it has already ended. */
export async function cancelSubscription(access: StripeAccess, id: string): Promise<void> {
  await findStripe(access, {
    method: 'DELETE',
    path: `/subscriptions/${encodeURIComponent(id)}`,
    result: Id,
    doing: 'cancel subscriptions',
    write: { action: 'subscription.cancelled', target: id },
  })
}

/** Creates a customer and returns its id. `once` is the idempotency key: a repeated call with the same key returns the same customer. */
export async function createCustomer(
  access: StripeAccess,
  { metadata, once }: { metadata: Record<string, string>; once: string },
): Promise<string> {
  const made = await callStripe(access, {
    method: 'POST',
    path: '/customers',
    form: { metadata },
    result: Id,
    doing: 'create customers',
    write: { action: 'customer.created', target: 'customer' },
    once,
  })
  return made.id
}

/** Renames a customer. Returns false when the customer was deleted at Stripe. */
export async function renameCustomer(
  access: StripeAccess,
  id: string,
  form: { name: string; email?: string },
): Promise<boolean> {
  const found = await findStripe(access, {
    method: 'POST',
    path: `/customers/${encodeURIComponent(id)}`,
    form,
    result: Id,
    doing: 'change customers',
    write: { action: 'customer.changed', target: id },
  })
  return found !== null
}

const CHECKOUTS_PATH = '/checkout/sessions'

/** Ends the customer's checkouts that are not paid yet. Does nothing when the customer was deleted at Stripe. */
export async function expireCheckouts(access: StripeAccess, customerId: string): Promise<void> {
  const form = { customer: customerId, status: 'open' }
  const open = await listOfCustomer(access, { path: CHECKOUTS_PATH, form, item: Id, doing: 'list checkouts' })
  for (const { id } of open) await expireCheckout(access, id)
}

/** Ends one checkout. Stripe refuses this when the checkout was paid or has ended since it was listed. */
async function expireCheckout(access: StripeAccess, id: string): Promise<void> {
  const path = `${CHECKOUTS_PATH}/${encodeURIComponent(id)}`
  try {
    await callStripe(access, {
      method: 'POST',
      path: `${path}/expire`,
      result: Id,
      doing: 'end checkouts',
      write: { action: 'checkout.expired', target: id },
    })
  } catch (error) {
    if (!(error instanceof StripeError) || error.status !== 400) throw error
    const { status } = await callStripe(access, {
      method: 'GET',
      path,
      result: Checkout,
      doing: 'read checkouts',
    })
    // A checkout that was paid in the meantime has created a subscription, so the caller must not continue as if there were no
    // subscription.
    if (status !== 'expired') throw error
  }
}

/** Opens a checkout of one price and returns the address of its page. Closes every earlier checkout of the customer. */
export async function openCheckout(
  access: StripeAccess,
  wish: {
    customerId: string
    priceId: string
    metadata: Record<string, string>
    successUrl: string
    cancelUrl: string
  },
): Promise<string> {
  const { customerId: customer, metadata } = wish
  // Two open checkouts could both be paid and would create two subscriptions.
  await expireCheckouts(access, customer)
  const opened = await callStripe(access, {
    method: 'POST',
    path: CHECKOUTS_PATH,
    form: {
      mode: 'subscription',
      customer,
      line_items: { 0: { price: wish.priceId, quantity: 1 } },
      allow_promotion_codes: true,
      metadata,
      subscription_data: { metadata },
      success_url: wish.successUrl,
      cancel_url: wish.cancelUrl,
    },
    result: Page,
    doing: 'open checkouts',
    write: { action: 'checkout.opened', target: customer },
  })
  return opened.url
}

import * as z from 'zod'
import { callStripe, type StripeAccess, type StripeMode } from './client.ts'
import { StripeError } from './errors.ts'

/** The name of each permission is that of a restricted key in Stripe's dashboard. */
const NEEDED: { resource: string; permission: string; path: string; probe?: string; isRead?: boolean }[] = [
  { resource: 'Products', permission: 'product', path: '/products' },
  { resource: 'Prices', permission: 'plan', path: '/prices' },
  { resource: 'Coupons', permission: 'coupon', path: '/coupons' },
  { resource: 'Promotion codes', permission: 'promotion_code', path: '/promotion_codes' },
  { resource: 'Checkout sessions', permission: 'checkout_session', path: '/checkout/sessions' },
  // Without a field Stripe would make a customer, so one that does not exist is changed.
  { resource: 'Customers', permission: 'customer', path: '/customers', probe: '/customers/cus_slipwayprobe' },
  { resource: 'Subscriptions', permission: 'subscription', path: '/subscriptions' },
  { resource: 'Customer portal', permission: 'customer_portal', path: '/billing_portal/configurations' },
  { resource: 'Webhook endpoints', permission: 'webhook', path: '/webhook_endpoints' },
  // By the payment of an invoice a refund of a renewal is found.
  { resource: 'Invoices', permission: 'invoice', path: '/invoices', isRead: true },
]

export interface MissingPermission {
  mode: StripeMode
  resource: string
  need: 'read' | 'write'
  permission: string
}

const Anything = z.unknown()

/**
 * Returns what a key may not do. Reads list one object; writes are tried without the fields that they need, so that
 * nothing is made: 403 tells that the permission is missing, 400 and 404 that it is there. Throws `StripeError` for a key
 * that Stripe refuses altogether, and when Stripe does not say.
 */
export async function checkKey(access: StripeAccess): Promise<MissingPermission[]> {
  // A refused key fails here, with one call instead of nineteen.
  await mayDo(access, { path: '/products', need: 'read' })
  const found = await Promise.all(
    NEEDED.flatMap(({ resource, permission, path, probe, isRead }) =>
      (isRead === true ? (['read'] as const) : (['read', 'write'] as const)).map(async (need) => {
        const lacking = await mayDo(access, { path: need === 'read' ? path : (probe ?? path), need })
        if (lacking === null) return []
        return [{ mode: access.mode, resource, need, permission: lacking || `rak_${permission}_${need}` }]
      }),
    ),
  )
  return found.flat()
}

/** Returns null when the key may, else the permission as Stripe names it; empty when it names none. */
async function mayDo(
  access: StripeAccess,
  { path, need }: { path: string; need: 'read' | 'write' },
): Promise<string | null> {
  const doing = 'be checked'
  try {
    if (need === 'read')
      await callStripe(access, { method: 'GET', path, form: { limit: 1 }, result: Anything, doing })
    else await callStripe(access, { method: 'POST', path, result: Anything, doing, write: null })
    return null
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    if (error.status === 403) return error.permission ?? ''
    if (error.status === 400 || error.status === 404) return null
    throw error
  }
}

import * as z from 'zod'
import { callStripe, type StripeAccess, type StripeMode } from './client.ts'
import { StripeError } from './errors.ts'

/** `resource` is the name of the permission in Stripe's dashboard, on the page for a restricted key. */
const NEEDED_PERMISSIONS: {
  resource: string
  permission: string
  path: string
  probe?: string
  isRead?: boolean
}[] = [
  { resource: 'Products', permission: 'product', path: '/products' },
  { resource: 'Prices', permission: 'plan', path: '/prices' },
  { resource: 'Coupons', permission: 'coupon', path: '/coupons' },
  { resource: 'Promotion codes', permission: 'promotion_code', path: '/promotion_codes' },
  { resource: 'Checkout sessions', permission: 'checkout_session', path: '/checkout/sessions' },
  // Stripe creates a customer even from a request without fields, so the write permission is tested by changing a nonexistent customer.
  { resource: 'Customers', permission: 'customer', path: '/customers', probe: '/customers/cus_slipwayprobe' },
  { resource: 'Subscriptions', permission: 'subscription', path: '/subscriptions' },
  { resource: 'Customer portal', permission: 'customer_portal', path: '/billing_portal/configurations' },
  { resource: 'Webhook endpoints', permission: 'webhook', path: '/webhook_endpoints' },
  // The app reads a renewal's invoice to find the payment (runtime/pay/webhook.ts), because a later refund names only the payment.
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
 * Returns the permissions that a key lacks. Tests a read permission by listing one object, and a write permission with a request that lacks
 * required fields and so creates nothing. A 403 means that the key lacks the permission, a 400 or 404 that the key has it. Throws
 * `StripeError` when Stripe refuses the key altogether, or when a response shows neither of the two.
 */
export async function checkKey(access: StripeAccess): Promise<MissingPermission[]> {
  // An invalid key fails here, with one call instead of nineteen.
  await mayDo(access, { path: '/products', need: 'read' })
  const found = await Promise.all(
    NEEDED_PERMISSIONS.flatMap(({ resource, permission, path, probe, isRead }) =>
      (isRead === true ? (['read'] as const) : (['read', 'write'] as const)).map(async (need) => {
        const lacking = await mayDo(access, { path: need === 'read' ? path : (probe ?? path), need })
        if (lacking === null) return []
        return [{ mode: access.mode, resource, need, permission: lacking || `rak_${permission}_${need}` }]
      }),
    ),
  )
  return found.flat()
}

/**
 * Returns null when the key has the permission, otherwise Stripe's name of the permission, or an empty string when
 * Stripe gives no name.
 */
async function mayDo(
  access: StripeAccess,
  { path, need }: { path: string; need: 'read' | 'write' },
): Promise<string | null> {
  const doing = 'check the key'
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

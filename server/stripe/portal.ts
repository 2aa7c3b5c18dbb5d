import { createHash } from 'node:crypto'
import * as z from 'zod'
import { callStripe, listStripe, type StripeAccess } from './client.ts'

const Configuration = z.object({ id: z.string(), metadata: z.record(z.string(), z.string()) })
const Price = z.object({ id: z.string(), product: z.string() })
const CONFIGURATIONS_PATH = '/billing_portal/configurations'

interface PortalSessionInput {
  customerId: string
  returnUrl: string
  priceIds: readonly string[]
  /** A change of the subscription. When set, the portal opens on the page where the customer confirms the change, not on the overview. */
  change?: { subscriptionId: string; itemId: string; priceId: string }
}

/** Returns the address of the customer's portal. The address signs the customer in, so only the customer may receive it. */
export async function openPortal(access: StripeAccess, desired: PortalSessionInput): Promise<string> {
  const { customerId: customer, returnUrl, change } = desired
  const opened = await callStripe(access, {
    method: 'POST',
    path: '/billing_portal/sessions',
    form: {
      customer,
      return_url: returnUrl,
      configuration: await configurationFor(access, desired.priceIds),
      ...(change && {
        flow_data: {
          type: 'subscription_update_confirm',
          subscription_update_confirm: {
            subscription: change.subscriptionId,
            items: { 0: { id: change.itemId, price: change.priceId, quantity: 1 } },
          },
          after_completion: { type: 'redirect', redirect: { return_url: returnUrl } },
        },
      }),
    },
    result: z.object({ url: z.string() }),
    doing: 'open the customer portal',
    write: { action: 'portal.opened', target: customer },
  })
  return opened.url
}

/**
 * Returns the id of a portal configuration that lets customers see invoices, change the card, cancel, and switch between these prices.
 * Creates this configuration when there is none, because an account has a default configuration only after its owner has saved one in the
 * dashboard.
 */
async function configurationFor(access: StripeAccess, priceIds: readonly string[]): Promise<string> {
  const mark = createHash('sha256').update(priceIds.join(' ')).digest('hex').slice(0, 32)
  const call = {
    path: CONFIGURATIONS_PATH,
    form: { active: true },
    item: Configuration,
    doing: 'list portal configurations',
  }
  const known = (await listStripe(access, call)).find(({ metadata }) => metadata['slipway_plans'] === mark)
  if (known !== undefined) return known.id
  const prices = await Promise.all(
    priceIds.map((id) =>
      callStripe(access, {
        method: 'GET',
        path: `/prices/${encodeURIComponent(id)}`,
        result: Price,
        doing: 'read prices',
      }),
    ),
  )
  const byProduct = Map.groupBy(prices, ({ product }) => product)
  const products = [...byProduct].map(([product, of]) => ({
    product,
    prices: Object.fromEntries(of.map(({ id }, at) => [at, id])),
  }))
  const made = await callStripe(access, {
    method: 'POST',
    path: CONFIGURATIONS_PATH,
    form: {
      metadata: { slipway_plans: mark },
      features: {
        invoice_history: { enabled: true },
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: true, mode: 'at_period_end' },
        subscription_update: {
          enabled: true,
          default_allowed_updates: ['price'],
          proration_behavior: 'create_prorations',
          products: Object.fromEntries(products.map((one, at) => [at, one])),
        },
      },
    },
    result: Configuration,
    doing: 'create portal configurations',
    write: { action: 'portal.configured', target: mark },
  })
  return made.id
}

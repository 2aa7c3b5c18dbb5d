import type { Tier } from '../kernel/objects/objects.ts'
import type { Offer } from './catalog.ts'
import type { PaySettings } from './settings.ts'

interface CheckoutRequest {
  id: string
  offer: Offer
  promotion: string | null
  buyer: { user: string; customer: string | null; email: string | null }
  origin: string
  tier: Tier
  settings: PaySettings
  trialDays: number
}

/**
 * Returns the form that opens a Stripe checkout. The visitor chooses only the product and the discount code; the caller must have checked
 * both.
 */
export function checkoutForm(checkout: CheckoutRequest): string {
  const { id, offer, promotion, buyer, origin, tier, settings, trialDays } = checkout
  const isSubscription = offer.interval !== null
  const form = new URLSearchParams({
    mode: isSubscription ? 'subscription' : 'payment',
    'line_items[0][price]': offer.price,
    'line_items[0][quantity]': '1',
    success_url: `${origin}/_app/pay/return?order=${id}`,
    cancel_url: `${origin}${settings.cancelPath}`,
    client_reference_id: buyer.user,
  })
  if (buyer.customer !== null) form.set('customer', buyer.customer)
  else {
    if (buyer.email !== null) form.set('customer_email', buyer.email)
    if (!isSubscription) form.set('customer_creation', 'always')
  }
  if (promotion !== null) form.set('discounts[0][promotion_code]', promotion)
  if (isSubscription && trialDays > 0) form.set('subscription_data[trial_period_days]', String(trialDays))
  // Stripe does not copy metadata between the session and the payment, so both get it.
  const about = { project: settings.project, tier, product: offer.id, order: id }
  const paid = isSubscription ? 'subscription_data' : 'payment_intent_data'
  for (const [name, value] of Object.entries(about)) {
    form.set(`metadata[${name}]`, value)
    form.set(`${paid}[metadata][${name}]`, value)
  }
  return form.toString()
}

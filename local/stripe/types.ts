// The objects of the Stripe API. Each type has only the fields that the stand-in stores.

export type Metadata = Record<string, string>

interface SharedFields {
  id: string
  created: number
  livemode: boolean
  metadata: Metadata
}

export interface Product extends SharedFields {
  object: 'product'
  active: boolean
  default_price: string | null
  description: string | null
  images: string[]
  name: string
  type: 'service'
  updated: number
}

export type Interval = 'day' | 'week' | 'month' | 'year'

export interface Price extends SharedFields {
  object: 'price'
  active: boolean
  billing_scheme: 'per_unit'
  currency: string
  lookup_key: string | null
  nickname: string | null
  product: string
  recurring: { interval: Interval; interval_count: number; usage_type: 'licensed'; meter: null } | null
  type: 'one_time' | 'recurring'
  unit_amount: number
  unit_amount_decimal: string
}

export interface Coupon extends SharedFields {
  object: 'coupon'
  amount_off: number | null
  currency: string | null
  duration: 'once' | 'forever' | 'repeating'
  duration_in_months: number | null
  max_redemptions: number | null
  name: string | null
  percent_off: number | null
  redeem_by: number | null
  times_redeemed: number
  valid: boolean
}

export interface PromotionCode extends SharedFields {
  object: 'promotion_code'
  active: boolean
  code: string
  customer: string | null
  expires_at: number | null
  max_redemptions: number | null
  promotion: { type: 'coupon'; coupon: string }
  times_redeemed: number
}

export interface Customer extends SharedFields {
  object: 'customer'
  description: string | null
  email: string | null
  name: string | null
}

export interface CheckoutSession extends SharedFields {
  object: 'checkout.session'
  allow_promotion_codes: boolean | null
  amount_subtotal: number
  amount_total: number
  cancel_url: string | null
  client_reference_id: string | null
  currency: string
  customer: string | null
  customer_creation: 'always' | 'if_required' | null
  customer_details: { email: string; name: string | null } | null
  customer_email: string | null
  discounts: { coupon: string | null; promotion_code: string | null }[]
  expires_at: number
  invoice: string | null
  mode: 'payment' | 'subscription'
  payment_intent: string | null
  payment_status: 'paid' | 'unpaid' | 'no_payment_required'
  status: 'open' | 'complete' | 'expired'
  subscription: string | null
  success_url: string
  total_details: { amount_discount: number; amount_shipping: number; amount_tax: number }
  ui_mode: 'hosted_page'
  url: string | null
}

export interface SessionPlan {
  lines: LineItem[]
  paymentMetadata: Metadata
  subscriptionMetadata: Metadata
  trialDays: number
}

export interface LineItem {
  price: string
  quantity: number
}

export interface PaymentIntent extends SharedFields {
  object: 'payment_intent'
  amount: number
  amount_received: number
  currency: string
  customer: string | null
  latest_charge: string | null
  status: 'succeeded' | 'processing' | 'requires_payment_method' | 'canceled'
}

export interface Charge extends SharedFields {
  object: 'charge'
  amount: number
  amount_refunded: number
  currency: string
  customer: string | null
  paid: boolean
  payment_intent: string
  receipt_email: string | null
  refunded: boolean
  status: 'succeeded'
}

export interface Refund extends SharedFields {
  object: 'refund'
  amount: number
  charge: string
  currency: string
  payment_intent: string
  reason: string | null
  status: 'succeeded'
}

export interface Subscription extends SharedFields {
  object: 'subscription'
  billing_cycle_anchor: number
  cancel_at: number | null
  cancel_at_period_end: boolean
  canceled_at: number | null
  collection_method: 'charge_automatically'
  currency: string
  customer: string
  default_payment_method: string | null
  discounts: string[]
  ended_at: number | null
  items: { object: 'list'; data: SubscriptionItem[]; has_more: boolean; url: string }
  latest_invoice: string | null
  start_date: number
  status: 'active' | 'trialing' | 'past_due' | 'canceled'
  trial_end: number | null
  trial_start: number | null
}

export interface SubscriptionItem {
  id: string
  object: 'subscription_item'
  created: number
  current_period_end: number
  current_period_start: number
  metadata: Metadata
  price: Price
  quantity: number
  subscription: string
}

/** What a renewal needs: the card to charge, the coupon of later invoices, and the number of failed attempts. */
export interface SubscriptionPlan {
  card: string
  coupon: string | null
  failures: number
}

export interface Invoice extends SharedFields {
  object: 'invoice'
  amount_due: number
  amount_paid: number
  attempt_count: number
  billing_reason: 'subscription_create' | 'subscription_cycle'
  currency: string
  customer: string
  number: string
  parent: {
    type: 'subscription_details'
    quote_details: null
    subscription_details: { metadata: Metadata; subscription: string }
  }
  payments: { object: 'list'; data: InvoicePayment[]; has_more: boolean; url: string }
  period_end: number
  period_start: number
  status: 'open' | 'paid' | 'void'
  subtotal: number
  total: number
}

export interface InvoicePayment {
  id: string
  object: 'invoice_payment'
  amount_paid: number
  invoice: string
  payment: { type: 'payment_intent'; payment_intent: string }
  status: 'paid'
}

export interface PortalFeatures {
  payment_method_update?: { enabled: boolean } | undefined
  subscription_cancel?: { enabled: boolean; mode?: 'at_period_end' | 'immediately' | undefined } | undefined
  subscription_update?:
    | { enabled: boolean; products?: { product: string; prices: string[] }[] | undefined }
    | undefined
}

export interface PortalConfiguration extends SharedFields {
  object: 'billing_portal.configuration'
  active: boolean
  is_default: boolean
  features: PortalFeatures
  business_profile: object
}

/** A change of a subscription that a person confirms on a page of the portal. */
export interface PortalFlow {
  subscription: string
  price: string
  /** Missing when the quantity does not change. */
  quantity?: number | undefined
  returnUrl: string | null
}

export interface PortalSession extends SharedFields {
  object: 'billing_portal.session'
  configuration: string
  customer: string
  return_url: string | null
  url: string
}

export interface WebhookEndpoint extends SharedFields {
  object: 'webhook_endpoint'
  api_version: string | null
  application: null
  description: string | null
  enabled_events: string[]
  status: 'enabled' | 'disabled'
  url: string
}

export interface StripeEvent extends Omit<SharedFields, 'metadata'> {
  object: 'event'
  api_version: string
  data: { object: object; previous_attributes?: object }
  pending_webhooks: number
  request: { id: string | null; idempotency_key: string | null }
  type: string
}

/** The type of each kind of object, by the provider's value of the field `object`. */
export interface Objects {
  product: Product
  price: Price
  coupon: Coupon
  promotion_code: PromotionCode
  customer: Customer
  'checkout.session': CheckoutSession
  payment_intent: PaymentIntent
  charge: Charge
  refund: Refund
  subscription: Subscription
  invoice: Invoice
  'billing_portal.configuration': PortalConfiguration
  'billing_portal.session': PortalSession
  webhook_endpoint: WebhookEndpoint
  event: StripeEvent
}

export type ObjectKind = keyof Objects

/** Values that are stored with an object and that the API never shows. */
export interface HiddenFields {
  'billing_portal.session': { flow: PortalFlow | null }
  'checkout.session': SessionPlan
  subscription: SubscriptionPlan
  webhook_endpoint: { secret: string }
}

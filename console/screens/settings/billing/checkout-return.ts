const CHECKOUT_RETURNS = ['starter', 'pro', 'cancelled'] as const

export type CheckoutReturn = (typeof CHECKOUT_RETURNS)[number]

/** Reads the result of a checkout from the URL: the plan that was paid for, or `cancelled`. */
export function readCheckoutReturn(search: Record<string, unknown>): { checkout?: CheckoutReturn } {
  const checkout = CHECKOUT_RETURNS.find((one) => one === search['checkout'])
  return checkout === undefined ? {} : { checkout }
}

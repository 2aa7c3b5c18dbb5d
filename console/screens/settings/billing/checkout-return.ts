const RETURNS = ['starter', 'pro', 'cancelled'] as const

export type CheckoutReturn = (typeof RETURNS)[number]

/** Reads what the page of a checkout returned: the plan that was paid for, or that nothing was. */
export function readCheckoutReturn(search: Record<string, unknown>): { checkout?: CheckoutReturn } {
  const checkout = RETURNS.find((one) => one === search['checkout'])
  return checkout === undefined ? {} : { checkout }
}

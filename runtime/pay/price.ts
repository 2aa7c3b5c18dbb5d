import type { Product } from './types.ts'

const EVERY = { day: 'a day', week: 'a week', month: 'a month', year: 'a year' } as const

/** Returns a price for people: `$12.00 a month`, `¥500`. Not every currency has hundredths. */
export function formatPrice({
  amount,
  currency,
  interval,
}: Pick<Product, 'amount' | 'currency' | 'interval'>): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  const price = format.format(amount / 10 ** digits)
  return interval === null ? price : `${price} ${EVERY[interval]}`
}

import { formatMoney } from '../web/money.ts'

const INTERVAL_WORDS = { day: 'a day', week: 'a week', month: 'a month', year: 'a year' } as const

interface ShownPrice {
  /** In the smallest unit of the currency. */
  amount: number
  currency: string
  /** Null for a single payment. */
  interval: keyof typeof INTERVAL_WORDS | null
}

/** Formats a price with its interval: `$12.00 a month`, `¥500`. */
export function formatPrice({ amount, currency, interval }: ShownPrice): string {
  const price = formatMoney(amount, currency)
  return interval === null ? price : `${price} ${INTERVAL_WORDS[interval]}`
}

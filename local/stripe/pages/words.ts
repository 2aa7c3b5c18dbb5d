import type { Price } from '../types.ts'

/** Formats an amount that is in the currency's smallest unit (for some currencies, such as the yen, the unit itself). */
export function formatAmount(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions()
  return format.format(amount / 10 ** digits)
}

/** Returns the interval of a price as text, such as ` per month`; empty for a one-time price. */
export function formatInterval({ recurring }: Price): string {
  if (recurring === null) return ''
  const { interval, interval_count: count } = recurring
  return count === 1 ? ` per ${interval}` : ` every ${count} ${interval}s`
}

/** Returns the quantity as text, such as ` × 3`; empty for one piece. */
export const formatQuantity = (quantity = 1): string => (quantity === 1 ? '' : ` × ${quantity}`)

export const formatIsoDay = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

import { digitsOf } from '@slipway/runtime/web/money.ts'

/**
 * Converts typed text like `12.50` to the smallest unit of the currency. Null unless it is an amount above
 * zero.
 */
export function parseMoney(typed: string, currency: string): number | null {
  const text = typed.trim().replace(',', '.')
  const digits = digitsOf(currency)
  const [, whole = '', part = ''] = /^(\d{1,8})(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === '' || part.length > digits) return null
  const amount = Number(whole + part.padEnd(digits, '0'))
  return amount > 0 ? amount : null
}

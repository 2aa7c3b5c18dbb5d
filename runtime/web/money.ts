/** Currencies in which Stripe does not count hundredths. For a dozen of them `Intl` uses another number of decimals. */
const NO_DECIMALS = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ')
const THREE_DECIMALS = 'bhd jod kwd omr tnd'.split(' ')

/** Returns how many decimals an amount of this currency has. */
export function digitsOf(currency: string): 0 | 2 | 3 {
  const small = currency.toLowerCase()
  return NO_DECIMALS.includes(small) ? 0 : THREE_DECIMALS.includes(small) ? 3 : 2
}

/** Formats an amount, given in the smallest unit of its currency, in the reader's language: `$12.50`, `12,50 €`. */
export function formatMoney(amount: number, currency: string): string {
  const digits = digitsOf(currency)
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount / 10 ** digits)
}

import type { CallUsage } from './usage.ts'

interface TokenPrice {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
}

const tokenPrice = (
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite: number = input,
): TokenPrice => ({
  input,
  output,
  cacheRead,
  cacheWrite,
})

// US dollars at list price, as of November 2026. Prices change, and contracts may have other prices.
const MODEL_PRICES: Record<string, [pattern: string, price: TokenPrice][]> = {
  anthropic: [
    ['claude-sonnet-4(-[56])?', tokenPrice(3, 15, 0.3, 3.75)],
    ['claude-haiku-4-5', tokenPrice(1, 5, 0.1, 1.25)],
    ['claude-opus-4-[5-8]', tokenPrice(5, 25, 0.5, 6.25)],
    ['claude-opus-4(-1)?', tokenPrice(15, 75, 1.5, 18.75)],
  ],
  openai: [
    ['gpt-5(\\.1)?', tokenPrice(1.25, 10, 0.125)],
    ['gpt-5-mini', tokenPrice(0.25, 2, 0.025)],
    ['gpt-5-nano', tokenPrice(0.05, 0.4, 0.005)],
    ['gpt-5\\.2', tokenPrice(1.75, 14, 0.175)],
    ['gpt-4\\.1', tokenPrice(2, 8, 0.5)],
    ['gpt-4\\.1-mini', tokenPrice(0.4, 1.6, 0.1)],
  ],
}
/** The suffix of a model's name with a release date or `latest`, for which the price is the same. */
const VERSION_SUFFIX = '(-\\d{8}|-\\d{4}-\\d\\d-\\d\\d|-latest)?'

/**
 * Returns what tokens cost at the list price of the model's own provider, in US dollars. Null when the price is unknown, as for
 * every model that another server offers.
 */
export function costUsd(
  model: { provider: string; model: string },
  tokens: Pick<CallUsage, 'input' | 'output' | 'cacheRead' | 'cacheWrite'>,
): number | null {
  const known = (
    Object.hasOwn(MODEL_PRICES, model.provider) ? MODEL_PRICES[model.provider] : undefined
  )?.find(([pattern]) => new RegExp(`^${pattern}${VERSION_SUFFIX}$`).test(model.model))
  if (known === undefined) return null
  const [, each] = known
  const fresh = Math.max(0, tokens.input - tokens.cacheRead - tokens.cacheWrite)
  const micro =
    fresh * each.input +
    tokens.cacheRead * each.cacheRead +
    tokens.cacheWrite * each.cacheWrite +
    tokens.output * each.output
  return Math.round(micro) / 1_000_000
}

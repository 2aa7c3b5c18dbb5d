/** Returns the decimal separator of the person's language. */
function decimalMark(): '.' | ',' {
  const parts = new Intl.NumberFormat(undefined, { numberingSystem: 'latn' }).formatToParts(1.5)
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.'
}

/** Invisible characters that some languages write before a minus sign, and around a currency. */
const DIRECTION_MARKS = /[\u200E\u200F\u061C]/g

/**
 * Parses a number. Returns null for an empty text, NaN for text that is not a number. Both `1,5` and `1.5` are one and a half. Spaces and
 * apostrophes may group digits, and so may the group separator of the person's language, if three digits follow: `1,234` is 1234 in
 * English and 1.234 in German.
 */
export function readNumber(typed: string, decimal: '.' | ',' = decimalMark()): number | null {
  const text = withPlainDigits(typed)
    .replaceAll(DIRECTION_MARKS, '')
    .replaceAll(/[\s'’]/g, '')
    .replace('−', '-')
    // Arabic separators: unlike the comma and the point, each has the same meaning in every language.
    .replaceAll('٫', decimal)
    .replaceAll('٬', decimal === '.' ? ',' : '.')
  if (text === '') return null
  const group = decimal === '.' ? ',' : '.'
  const [d, g] = [`\\${decimal}`, `\\${group}`]
  // Groups of two digits are allowed, too, as in India: 12,34,567.
  if (new RegExp(`^-?[1-9]\\d{0,2}(${g}\\d{2,3})*${g}\\d{3}(${d}\\d*)?$`).test(text))
    return Number(text.replaceAll(group, '').replace(',', '.'))
  if (/^-?(\d+[.,]?\d*|[.,]\d+)$/.test(text)) return Number(text.replace(',', '.'))
  // A number from a language with the opposite separators. A separator that occurs twice cannot be the decimal separator.
  if (new RegExp(`^-?[1-9]\\d{0,2}(${d}\\d{3})+(${g}\\d*)?$`).test(text))
    return Number(text.replaceAll(decimal, '').replace(group, '.'))
  return Number.NaN
}

/** Some languages, such as Persian, have their own digits. In Unicode, a script's digits follow its zero. */
export const withPlainDigits = (typed: string): string =>
  typed.replaceAll(/(?!\d)\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    let zero = code
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
    return String((code - zero) % 10)
  })

/**
 * Removes a pasted currency: `€ 12`, `12 EUR`, and the currency notation of the person's language, such as `12 kr`. Other letters stay, so
 * that `12k` is not read as 12.
 */
export function withoutCurrency(typed: string, currency: string): string {
  const parts = new Intl.NumberFormat(undefined, { style: 'currency', currency }).formatToParts(0)
  const found = parts.find(({ type }) => type === 'currency')?.value ?? currency
  const symbol = found.replaceAll(DIRECTION_MARKS, '').replaceAll(/[$.]/g, '\\$&')
  const unit = `(?:${symbol}|${currency}|\\p{Sc})`
  const pattern = new RegExp(`^([-−]?)${unit}(?=.*\\p{Nd})|(?<=\\p{Nd}.*)${unit}$`, 'iu')
  return typed.replaceAll(DIRECTION_MARKS, '').trim().replace(pattern, '$1')
}

/** Formats a number with the language's decimal separator. `digits` is the number of decimals; by default as many as the value has. */
export function writeNumber(value: number, digits?: number): string {
  return new Intl.NumberFormat(undefined, {
    useGrouping: false,
    numberingSystem: 'latn',
    minimumFractionDigits: digits ?? 0,
    maximumFractionDigits: digits ?? 20,
  }).format(value)
}

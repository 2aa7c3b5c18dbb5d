/** In the language of the person. */
function decimalMark(): '.' | ',' {
  const parts = new Intl.NumberFormat(undefined, { numberingSystem: 'latn' }).formatToParts(1.5)
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.'
}

/**
 * Null when nothing was typed, NaN when it is not a number. `1,5` and `1.5` both are one and a half. Spaces and apostrophes group
 * digits. The grouping mark of the person's language groups before three digits: `1,234` is 1234 in English and 1.234 in German.
 */
export function readNumber(typed: string, decimal: '.' | ',' = decimalMark()): number | null {
  // Some languages write an invisible mark of direction before a minus sign.
  const text = typed.replaceAll(/[\s'’\u200E\u200F\u061C]/g, '').replace('−', '-')
  if (text === '') return null
  const group = decimal === '.' ? ',' : '.'
  const [d, g] = [`\\${decimal}`, `\\${group}`]
  // The second form groups two digits as well, as in India: 12,34,567.
  if (new RegExp(`^-?[1-9]\\d{0,2}(${g}\\d{2,3})*${g}\\d{3}(${d}\\d*)?$`).test(text))
    return Number(text.replaceAll(group, '').replace(',', '.'))
  if (/^-?(\d+[.,]?\d*|[.,]\d+)$/.test(text)) return Number(text.replace(',', '.'))
  // Copied from another language, whose marks are the other way round: a mark that repeats cannot be the decimal one.
  if (new RegExp(`^-?[1-9]\\d{0,2}(${d}\\d{3})+(${g}\\d*)?$`).test(text))
    return Number(text.replaceAll(decimal, '').replace(group, '.'))
  return Number.NaN
}

/** Removes a pasted unit: `€ 12` or `12 EUR`. Other letters stay, so `12k` is not 12. */
export function withoutUnit(typed: string, currency: string): string {
  const unit = new RegExp(`^(\\p{Sc}|${currency})(?=.*\\d)|(?<=\\d.*)(\\p{Sc}|${currency})$`, 'iu')
  return typed.trim().replace(unit, '')
}

/** With the person's own decimal mark. `digits`: how many decimals; by default as many as the value has. */
export function writeNumber(value: number, digits?: number): string {
  return new Intl.NumberFormat(undefined, {
    useGrouping: false,
    numberingSystem: 'latn',
    minimumFractionDigits: digits ?? 0,
    maximumFractionDigits: digits ?? 20,
  }).format(value)
}

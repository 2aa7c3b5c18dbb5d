/** The character before the decimals in the language of the person. */
function decimalMark(): '.' | ',' {
  const parts = new Intl.NumberFormat(undefined, { numberingSystem: 'latn' }).formatToParts(1.5)
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.'
}

/**
 * Returns the number that was typed; null when nothing was, NaN when it is no number. Both `1,5` and `1.5` are one and a
 * half, spaces and apostrophes group digits, and the mark that groups digits in the person's language does so before
 * three digits: `1,234` is 1234 in English and 1.234 in German.
 */
export function readNumber(typed: string, decimal: '.' | ',' = decimalMark()): number | null {
  // Some languages write a mark of direction, which is not seen, before a minus sign.
  const text = typed.replaceAll(/[\s'’\u200E\u200F\u061C]/g, '').replace('−', '-')
  if (text === '') return null
  const group = decimal === '.' ? ',' : '.'
  const [d, g] = [`\\${decimal}`, `\\${group}`]
  // The second form groups two digits as well, as in India: 12,34,567.
  if (new RegExp(`^-?[1-9]\\d{0,2}(${g}\\d{2,3})*${g}\\d{3}(${d}\\d*)?$`).test(text))
    return Number(text.replaceAll(group, '').replace(',', '.'))
  if (/^-?(\d+[.,]?\d*|[.,]\d+)$/.test(text)) return Number(text.replace(',', '.'))
  // Copied from another language: its marks are the other way round, and what repeats cannot be a decimal.
  if (new RegExp(`^-?[1-9]\\d{0,2}(${d}\\d{3})+(${g}\\d*)?$`).test(text))
    return Number(text.replaceAll(decimal, '').replace(group, '.'))
  return Number.NaN
}

/** Returns an amount that was pasted with its unit without it: `€ 12` or `12 EUR`. Other letters stay: `12k` is no 12. */
export function withoutUnit(typed: string, currency: string): string {
  const unit = new RegExp(`^(\\p{Sc}|${currency})(?=.*\\d)|(?<=\\d.*)(\\p{Sc}|${currency})$`, 'iu')
  return typed.trim().replace(unit, '')
}

/** Writes a number for a field, with the person's own decimal mark; `digits` are its decimals, as given by default. */
export function writeNumber(value: number, digits?: number): string {
  return new Intl.NumberFormat(undefined, {
    useGrouping: false,
    numberingSystem: 'latn',
    minimumFractionDigits: digits ?? 0,
    maximumFractionDigits: digits ?? 20,
  }).format(value)
}

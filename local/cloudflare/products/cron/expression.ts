/** One of the five fields of a cron expression. */
interface Field {
  title: string
  min: number
  max: number
  /** The names of the values; the first is the name of `min`. */
  names: string[]
  /** Matches expressions with `L`, `W` or `#`, which are not a list of values. */
  special: RegExp | null
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

const FIELDS: Field[] = [
  { title: 'minute', min: 0, max: 59, names: [], special: null },
  { title: 'hour', min: 0, max: 23, names: [], special: null },
  { title: 'day of the month', min: 1, max: 31, names: [], special: /^(?:LW?|\d+W)$/ },
  { title: 'month', min: 1, max: 12, names: MONTHS, special: null },
  { title: 'day of the week', min: 1, max: 7, names: WEEKDAYS, special: /^(?:\d|[A-Z]{3})(?:L|#[1-5])$/i },
]

/**
 * Rewrites a cron expression of the provider as one that croner reads: each list of values, ranges and steps becomes a list of
 * numbers, because croner refuses a range that goes past the end, such as `22-2`, and a step with a start, such as `5/15`. Throws
 * for an expression that the provider refuses, such as a date, which croner accepts. The grammar is that of the provider's parser,
 * https://github.com/cloudflare/saffron, except `L-3`, which croner cannot compute.
 */
export function toCronerPattern(expression: string): string {
  const texts = expression.split(/[ \t]+/)
  if (texts.length !== FIELDS.length) throw new Error('an expression has five fields')
  return FIELDS.map((field, at) => toCronerField(field, texts[at] ?? '')).join(' ')
}

function toCronerField(field: Field, text: string): string {
  if (text === '*' || field.special?.test(text) === true) return text
  if (text === 'L' && field.names === WEEKDAYS) return '7'
  const values = text.split(',').flatMap((item) => toValues(field, item))
  return [...new Set(values)].join(',')
}

/** Returns the values of a list item: a value, a range such as `1-5`, a step such as `5/15`, or a range with a step. */
function toValues(field: Field, item: string): number[] {
  const parts = /^(\*|\w+)(?:-(\w+))?(?:\/(\d+))?$/.exec(item)
  if (parts === null) throw new Error(`'${item}' is no ${field.title}`)
  const [, from = '', to, by] = parts
  if (from === '*' && (to !== undefined || by === undefined))
    throw new Error(`'${item}' is no ${field.title}`)
  const { min, max } = field
  const start = from === '*' ? min : toValue(field, from)
  const end = to === undefined ? (by === undefined ? start : max) : toValue(field, to)
  const step = Number(by ?? 1)
  if (step < 1 || step > max) throw new Error(`a step of the ${field.title} is between 1 and ${max}`)
  const count = max - min + 1
  // A range may go past the end of the field, as `FRI-MON` does.
  const length = (start <= end ? end - start : end - start + count) + 1
  return Array.from({ length: Math.ceil(length / step) }, (_, n) => min + ((start - min + n * step) % count))
}

function toValue({ title, min, max, names }: Field, text: string): number {
  const named = names.indexOf(text.toUpperCase())
  const value = named === -1 ? Number(/^\d+$/.test(text) ? text : Number.NaN) : min + named
  if (!(value >= min && value <= max)) throw new Error(`'${text}' is no ${title}`)
  return value
}

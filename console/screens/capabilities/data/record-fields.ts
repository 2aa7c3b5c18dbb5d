import { isRecord } from '@slipway/sdk/is-record.ts'
import { formatMoney } from '@slipway/runtime/web/money.ts'
import { enumLabel } from '@slipway/runtime/ui/words.ts'

/**
 * A field as the app declares it. An app that was shipped by an older version of Slipway omits the optional
 * properties.
 */
export interface FieldSchema {
  name: string
  type: string
  required: boolean
  index?: boolean
  unique?: boolean
  title?: string | undefined
  /** The choices of a field of type `enum`. */
  values?: string[] | undefined
  /** The collection that a field of type `ref` references. */
  ref?: string | undefined
  as?: 'long' | 'email' | 'url' | undefined
  /** The currency of an amount. The value is in its smallest unit. */
  currency?: string | undefined
  default?: unknown
}

/** System fields. The console shows them and sends only `rev`. */
const SYSTEM_FIELDS = new Set(['id', 'ownerId', 'rev', 'createdAt', 'updatedAt', 'partition'])

export const isSystemField = (name: string): boolean => SYSTEM_FIELDS.has(name)

export type RecordProblem = 'number' | 'integer' | 'json' | 'required' | 'date' | 'choice' | 'yesNo'
export type ReadField = { value: unknown } | { problem: RecordProblem }

export const ownFields = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !SYSTEM_FIELDS.has(name)))

/** Returns the label of a field: its title, or its name as words (`lastWatered` becomes "Last watered"). */
export function fieldLabel({ name, title }: Pick<FieldSchema, 'name' | 'title'>): string {
  if (title !== undefined && title.trim() !== '') return title
  const words = name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns the label of a record: the first value that is not empty, or its id. */
export function recordName(record: Record<string, unknown> & { id: string }, fields: string[]): string {
  return fields.map((name) => cellText(record[name])).find((words) => words.trim() !== '') ?? record.id
}

/**
 * Returns a value as one line of text: an amount in the format of its currency, a choice as the app shows it.
 */
export function cellText(
  value: unknown,
  { currency, type }: Partial<Pick<FieldSchema, 'currency' | 'type'>> = {},
): string {
  if (value === null || value === undefined) return ''
  if (type === 'enum') return enumLabel(String(value))
  if (typeof value === 'number' && currency !== undefined) return formatMoney(value, currency)
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (isTexts(value)) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const isText = (type: string) => !['number', 'integer', 'boolean', 'list', 'json'].includes(type)
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string')

/** True when each text is a single line. Any other list is shown as JSON. */
const isListOfLines = (value: unknown): value is string[] =>
  isTexts(value) &&
  value.every((entry) => entry !== '' && entry === entry.trim() && !/^\[|[\r\n]/.test(entry))

/**
 * Returns a value as the text of its form field. A list has one line per entry. A required boolean without a value is false, because an
 * empty check box looks the same.
 */
export function recordFieldText(
  { type, required = false }: Pick<FieldSchema, 'type'> & { required?: boolean },
  value: unknown,
): string {
  if (value === null || value === undefined) return type === 'boolean' && required ? 'false' : ''
  if (type === 'list' && isListOfLines(value) && value.length > 0) return value.join('\n')
  return isText(type) && typeof value === 'string' ? value : JSON.stringify(value)
}

/** Accepts a choice in any case, because spreadsheets often capitalize: `Open` means the choice `open`. */
function readChoice(text: string, values: string[] | undefined): ReadField {
  if (values === undefined || values.includes(text)) return { value: text }
  const value = values.find((one) => one.toLowerCase() === text.toLowerCase())
  return value === undefined ? { problem: 'choice' } : { value }
}

/** Parses the text of a field. Empty text is null, or a problem in a required field. */
export function readRecordField(field: FieldSchema, text: string): ReadField {
  const { type } = field
  const trimmed = text.trim()
  if (trimmed === '') return field.required ? { problem: 'required' } : { value: null }
  switch (type) {
    case 'boolean':
      return readYesNo(trimmed)
    case 'number':
    case 'integer':
      return readNumber(trimmed, type)
    case 'date':
      // Check only the beginning. The app validates the whole date.
      return /^\d{4}-\d{2}-\d{2}/.test(trimmed) ? { value: trimmed } : { problem: 'date' }
    case 'enum':
      return readChoice(trimmed, field.values)
    case 'list':
      return trimmed.startsWith('[') ? readJson(trimmed) : { value: trimmedLines(text) }
    case 'json':
      return readJson(trimmed)
    default:
      return { value: text }
  }
}

const trimmedLines = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

function readYesNo(text: string): ReadField {
  const word = text.toLowerCase()
  if (['true', 'yes', '1'].includes(word)) return { value: true }
  return ['false', 'no', '0'].includes(word) ? { value: false } : { problem: 'yesNo' }
}

function readNumber(text: string, type: 'number' | 'integer'): ReadField {
  const value = Number(text)
  if (!Number.isFinite(value)) return { problem: 'number' }
  return type === 'integer' && !Number.isSafeInteger(value) ? { problem: 'integer' } : { value }
}

function readJson(text: string): ReadField {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { problem: 'json' }
  }
}

/** Parses the JSON of a record. Null when it is not an object. */
export function readRecord(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text)
    return isRecord(value) ? ownFields(value) : null
  } catch {
    return null
  }
}

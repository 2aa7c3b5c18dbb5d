import { isRecord } from '@slipway/sdk/is-record.ts'
import { dataText } from './text.en.ts'
import { cellText, type FieldSchema, fieldLabel, readRecordField } from './record-fields.ts'

export type Test = keyof typeof dataText.tests

export interface Filter {
  field: string
  test: Test
  value: string | number | boolean | null
}

const isTest = (test: string): test is Test => Object.hasOwn(dataText.tests, test)
const isValue = (value: unknown): value is Filter['value'] =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

/**
 * True when the live app can sort and filter by the field: declared indexes, unique fields and references.
 */
export const isIndexed = ({ type, index, unique }: FieldSchema): boolean =>
  index === true || unique === true || type === 'ref'

export function testsOf({ type }: FieldSchema): Test[] {
  if (type === 'boolean') return ['eq']
  if (type === 'enum' || type === 'ref') return ['eq', 'ne']
  return type === 'text' ? ['eq', 'ne', 'prefix'] : ['eq', 'ne', 'gte', 'lte']
}

/** Parses the filters of a URL. Drops invalid filters, so that an old link still shows records. */
export function readFilters(where: string | undefined): Filter[] {
  try {
    const all = JSON.parse(where ?? '{}')
    if (!isRecord(all)) return []
    return Object.entries(all).flatMap(([field, tests]) =>
      typeof tests === 'object' && tests !== null
        ? Object.entries(tests).flatMap(([test, value]) =>
            isTest(test) && isValue(value) ? [{ field, test, value }] : [],
          )
        : [],
    )
  } catch {
    return []
  }
}

/** Returns the filters as text for the URL, or undefined when there are none. */
export function whereOf(filters: readonly Filter[]): string | undefined {
  if (filters.length === 0) return undefined
  const where: Record<string, Record<string, unknown>> = {}
  for (const { field, test, value } of filters) where[field] = { ...where[field], [test]: value }
  return JSON.stringify(where)
}

/** Adds a filter. It replaces a filter with the same field and comparison. */
export const withFilter = (filters: readonly Filter[], added: Filter): Filter[] => [
  ...filters.filter(({ field, test }) => field !== added.field || test !== added.test),
  added,
]

/** Returns the filter for typed text, or null when the text does not fit the field. */
export function recordFilter(field: FieldSchema, test: Test, text: string): Filter | null {
  if (test === 'prefix') return text === '' ? null : { field: field.name, test, value: text }
  // Only “is” and “is not” can compare with an empty value: “at least” and “at most” have no meaning without a value.
  const read = readRecordField({ ...field, required: test === 'gte' || test === 'lte' }, text)
  return 'value' in read && isValue(read.value) ? { field: field.name, test, value: read.value } : null
}

/** Describes a filter as a sentence: "Light is sun". */
export function describeFilter({ field, test, value }: Filter, fields: FieldSchema[], name?: string): string {
  const known = fields.find((one) => one.name === field)
  const shown = value === null ? dataText.filterEmpty : (name ?? cellText(value, known))
  return `${fieldLabel(known ?? { name: field })} ${dataText.tests[test]} ${shown}`
}

export const sortsOf = (fields: FieldSchema[]): { value: string; label: string }[] => [
  { value: '', label: dataText.sortNewest },
  { value: 'createdAt', label: dataText.sortOldest },
  { value: '-updatedAt', label: dataText.sortChanged },
  ...fields.filter(isIndexed).flatMap((field) => [
    { value: field.name, label: dataText.sortUp(fieldLabel(field)) },
    { value: `-${field.name}`, label: dataText.sortDown(fieldLabel(field)) },
  ]),
]

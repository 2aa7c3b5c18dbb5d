import type { StoredRecord } from './frames.ts'
import type { Condition, ParsedQuery, ScalarValue } from './query.ts'

/** Returns whether a record matches a query, by the same rules as the SQL in the Durable Object. */
export const matchesQuery = (record: StoredRecord, query: ParsedQuery): boolean =>
  query.conditions.every((condition) => conditionHolds(toScalar(record[condition.field]), condition))

/**
 * Compares two records in the same order as the SQL in the Durable Object: nulls first, equal values by id.
 */
export function compareRecords(a: StoredRecord, b: StoredRecord, sort: ParsedQuery['sort']): number {
  const order = compareScalars(toScalar(a[sort.field]), toScalar(b[sort.field])) || compareScalars(a.id, b.id)
  return sort.isDescending ? -order : order
}

function conditionHolds(value: ScalarValue, { operator, value: wanted }: Condition): boolean {
  if (operator === 'in') return Array.isArray(wanted) && value !== null && wanted.includes(value)
  if (Array.isArray(wanted)) return false
  if (operator === 'eq') return value === wanted
  if (operator === 'ne') return value !== wanted
  if (value === null || wanted === null) return false
  if (operator === 'prefix') return typeof value === 'string' && value.startsWith(String(wanted))
  const order = compareScalars(value, wanted)
  if (operator === 'gt') return order > 0
  if (operator === 'gte') return order >= 0
  return operator === 'lt' ? order < 0 : order <= 0
}

function toScalar(value: unknown): ScalarValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

function compareScalars(a: ScalarValue, b: ScalarValue): number {
  if (a === b) return 0
  if (a === null) return -1
  if (b === null) return 1
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b)
  return a < b ? -1 : 1
}

/** Compares by code point, as SQLite does. The operator `<` compares UTF-16 units, which orders emoji differently. */
function compareTexts(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return (a.codePointAt(at) ?? -1) < (b.codePointAt(at) ?? -1) ? -1 : 1
}

import { invalid } from '../kernel/errors.ts'
import { isIndexed, type CollectionSpec } from '../kernel/manifest.ts'
import { fieldsOf, isFields, requireWholeNumber } from '../kernel/fields.ts'

export type FilterOperator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'prefix'
export type ScalarValue = string | number | boolean | null

export interface Condition {
  field: string
  operator: FilterOperator
  value: ScalarValue | ScalarValue[]
}

/** A query that was validated against its collection. Pages and Durable Objects use the same parser. */
export interface ParsedQuery {
  conditions: Condition[]
  sort: { field: string; isDescending: boolean }
  limit: number
  cursor: { value: ScalarValue; id: string } | null
}

const OPERATOR_NAMES: readonly string[] = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'prefix']
const LIMIT_DEFAULT = 50
const PAGE_LIMIT_MAX = 200
const IN_VALUES_MAX = 50

/** Validates a query. Throws an `invalid_request` that names `where.<field>`, `sort`, `limit` or `cursor`. */
export function parseQuery(collection: CollectionSpec, query: unknown): ParsedQuery {
  const given = fieldsOf(query)
  const limit = requireWholeNumber('limit', given['limit'] ?? LIMIT_DEFAULT, PAGE_LIMIT_MAX)
  const sort = given['sort'] ?? '-createdAt'
  if (typeof sort !== 'string') throw invalid('sort', 'must be text')
  const field = sort.startsWith('-') ? sort.slice(1) : sort
  if (!canQuery(collection, field)) throw invalid('sort', `"${field}" has no index`)
  return {
    conditions: parseWhere(collection, given['where'] ?? {}),
    sort: { field, isDescending: sort.startsWith('-') },
    limit,
    cursor: given['cursor'] == null ? null : decodeCursor(given['cursor']),
  }
}

function canQuery(collection: CollectionSpec, field: string): boolean {
  if (field === 'id' || field === 'createdAt' || field === 'updatedAt') return true
  const spec = Object.hasOwn(collection.fields, field) ? collection.fields[field] : undefined
  return spec !== undefined && isIndexed(spec)
}

function parseWhere(collection: CollectionSpec, where: unknown): Condition[] {
  if (!isFields(where)) throw invalid('where', 'must be an object')
  return Object.entries(where).flatMap(([field, test]) => {
    if (test === undefined) return []
    if (!canQuery(collection, field))
      throw invalid(`where.${field}`, 'has no index; add "index": true to the field')
    if (typeof test !== 'object' || test === null) return [parseCondition(field, 'eq', test)]
    return Object.entries(test).map(([operator, value]) => parseCondition(field, operator, value))
  })
}

function parseCondition(field: string, operator: string, value: unknown): Condition {
  if (!OPERATOR_NAMES.includes(operator)) throw invalid(`where.${field}`, `${operator} is not an operator`)
  if (operator === 'in') {
    if (!Array.isArray(value) || value.length > IN_VALUES_MAX || !value.every(isScalar)) {
      throw invalid(`where.${field}`, `in takes a list of at most ${IN_VALUES_MAX} values`)
    }
    return { field, operator, value }
  }
  if (!isScalar(value) || (operator === 'prefix' && typeof value !== 'string')) {
    throw invalid(`where.${field}`, `${operator} takes a plain value`)
  }
  return { field, operator: operator as FilterOperator, value }
}

const isScalar = (value: unknown): value is ScalarValue =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)

/** Returns a cursor for the position after a row. Callers treat it as opaque. */
export const encodeCursor = (value: ScalarValue, id: string): string =>
  btoa(encodeURIComponent(JSON.stringify([value, id])))

function decodeCursor(cursor: unknown): { value: ScalarValue; id: string } {
  try {
    const { 0: value, 1: id } = fieldsOf(JSON.parse(decodeURIComponent(atob(String(cursor)))))
    if (isScalar(value) && typeof id === 'string') return { value, id }
  } catch {
    // Ignore the parse error: the next line throws the same error for every invalid cursor.
  }
  throw invalid('cursor', 'is not a cursor of this list')
}

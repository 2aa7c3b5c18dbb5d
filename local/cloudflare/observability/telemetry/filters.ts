import type { SQLInputValue } from 'node:sqlite'
import * as z from 'zod'
import { ApiFailure } from '../../rest/failure.ts'

const Leaf = z.object({
  kind: z.literal('filter').optional(),
  key: z.string().max(200),
  operation: z.string(),
  type: z.enum(['string', 'number', 'boolean']).default('string'),
  value: z.union([z.string().max(1000), z.number(), z.boolean()]).optional(),
})
export type LeafFilter = z.output<typeof Leaf>

const Combination = z.enum(['and', 'or', 'AND', 'OR']).default('and')
const Group = z.object({
  kind: z.literal('group'),
  filterCombination: Combination,
  filters: z.array(Leaf).max(20),
})
export const EventFilter = z.union([Group, Leaf])
export const FilterCombination = Combination

/** A condition of a WHERE clause, and the values of its placeholders in order. */
export interface SqlCondition {
  sql: string
  params: SQLInputValue[]
}

const FIELD_COLUMNS: Record<string, string> = {
  timestamp: 'at',
  '$metadata.service': 'script',
  '$metadata.level': 'level',
  '$metadata.message': 'message',
  '$metadata.error': 'error',
  '$metadata.fingerprint': 'fingerprint',
  '$metadata.trigger': 'trigger_name',
  '$metadata.url': 'url',
  '$metadata.statusCode': 'status_code',
  '$metadata.requestId': 'request_id',
  '$metadata.type': 'type',
  '$workers.scriptName': 'script',
  '$workers.requestId': 'request_id',
  '$workers.outcome': 'outcome',
  '$workers.eventType': 'event_type',
}
// The path of a field in a JSON log line, such as `kind` or `user.id`.
const OWN_FIELD = /^[\w-]+(?:\.[\w-]+)*$/

/** Returns the SQL expression for a key of a telemetry query. The caller must bind the returned parameters. */
export function columnOf(key: string): SqlCondition {
  const column = Object.hasOwn(FIELD_COLUMNS, key) ? FIELD_COLUMNS[key] : undefined
  if (column !== undefined) return { sql: column, params: [] }
  if (!OWN_FIELD.test(key)) throw new ApiFailure(400, 10001, `The key ${key} is not known.`)
  const path = `$${key
    .split('.')
    .map((part) => `."${part}"`)
    .join('')}`
  return { sql: 'json_extract(source, ?)', params: [path] }
}

/** Converts filters to SQL. Without filters every row matches. Throws an `ApiFailure` for an unknown key or operation. */
export function toCondition(filters: z.output<typeof EventFilter>[], combination: string): SqlCondition {
  if (filters.length === 0) return { sql: '1', params: [] }
  const parts = filters.map((filter) =>
    'filters' in filter ? toCondition(filter.filters, filter.filterCombination) : leafCondition(filter),
  )
  const joined = parts.map(({ sql }) => sql).join(combination.toLowerCase() === 'or' ? ' OR ' : ' AND ')
  return { sql: `(${joined})`, params: parts.flatMap(({ params }) => params) }
}

const COMPARISON_SQL: Record<string, string> = {
  eq: '=',
  '=': '=',
  neq: 'IS NOT',
  '!=': 'IS NOT',
  gt: '>',
  '>': '>',
  gte: '>=',
  '>=': '>=',
  lt: '<',
  '<': '<',
  lte: '<=',
  '<=': '<=',
}

function leafCondition({ key, operation, type, value }: LeafFilter): SqlCondition {
  const column = columnOf(key)
  const conditionOn = (sql: string, ...params: SQLInputValue[]): SqlCondition => ({
    sql: sql.replace('@', column.sql),
    params: [...column.params, ...params],
  })
  const name = operation.toLowerCase()
  const comparison = Object.hasOwn(COMPARISON_SQL, name) ? COMPARISON_SQL[name] : undefined
  if (comparison !== undefined) return conditionOn(`@ ${comparison} ?`, toSqlValue(value, type))
  switch (name) {
    case 'exists':
      return conditionOn('@ IS NOT NULL')
    case 'is_null':
    case 'does_not_exist':
      return conditionOn('@ IS NULL')
    case 'includes':
      return conditionOn('instr(@, ?) > 0', String(value ?? ''))
    case 'not_includes':
    case 'does_not_include':
      return conditionOn("instr(coalesce(@, ''), ?) = 0", String(value ?? ''))
    case 'starts_with':
      return conditionOn('instr(@, ?) = 1', String(value ?? ''))
    // Compare as strings: the listed values are strings, but a field of a JSON log line may be a number.
    case 'in':
      return conditionOn('CAST(@ AS TEXT) IN (SELECT value FROM json_each(?))', toJsonList(value))
    case 'not_in':
      return conditionOn('CAST(@ AS TEXT) NOT IN (SELECT value FROM json_each(?))', toJsonList(value))
    default:
      throw new ApiFailure(400, 10001, `The operation ${operation} is not available in the local cloud.`)
  }
}

function toSqlValue(value: LeafFilter['value'], type: LeafFilter['type']): SQLInputValue {
  if (type === 'number') return Number(value)
  // Convert booleans: SQLite returns JSON booleans as 0 and 1.
  if (type === 'boolean') return String(value) === 'true' ? 1 : 0
  return String(value ?? '')
}

function toJsonList(value: LeafFilter['value']): string {
  return JSON.stringify(
    String(value ?? '')
      .split(',')
      .map((item) => item.trim()),
  )
}

import type { Condition, ParsedQuery, ScalarValue } from '../query.ts'

export interface Statement {
  sql: string
  values: unknown[]
}

const SYSTEM_COLUMNS: Record<string, string> = { createdAt: 'created_at', updatedAt: 'updated_at', id: 'id' }
/** The order of the columns that `toRow` expects. */
export const ROW_COLUMNS = 'id, owner, rev, created_at, updated_at, json'
/** `listStatement` also selects the value that the list is sorted by, in the column after `ROW_COLUMNS`. */
export const SORT_COLUMN = 6
const COMPARISON_SQL = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

// The expression must be identical to the expression of the index. Otherwise SQLite does not use the index and scans the table.
const columnOf = (field: string): string => SYSTEM_COLUMNS[field] ?? `json_extract(json, '$.${field}')`

/**
 * Returns the keyset query of one page. It reads one extra row, which shows whether there is a next page. With an owner, it reads only the
 * owner's records.
 */
export function listStatement(
  collection: string,
  query: ParsedQuery,
  owner: string | null = null,
): Statement {
  const columns = `${ROW_COLUMNS}, ${sortColumn(query)} as sorted`
  return pageStatement({ columns, table: `"c_${collection}"`, tie: 'id' }, ownerCondition(owner), query)
}

export const sortColumn = ({ sort }: ParsedQuery): string => columnOf(sort.field)

/** Like `listStatement`, for any table with the columns of a record. `tie` is the column that orders rows with equal values. */
export function pageStatement(
  { columns, table, tie }: { columns: string; table: string; tie: string },
  given: Statement[],
  query: ParsedQuery,
): Statement {
  const { where, values } = whereOf([...given, ...query.conditions.map(conditionSql), ...seekSql(query, tie)])
  const direction = query.sort.isDescending ? 'desc' : 'asc'
  return {
    sql:
      `select ${columns} from ${table}${where}` +
      ` order by ${columnOf(query.sort.field)} ${direction}, ${tie} ${direction} limit ?`,
    values: [...values, query.limit + 1],
  }
}

/** Counts the records of `owner`, or of all owners for null. */
export function countStatement(
  collection: string,
  conditions: readonly Condition[],
  owner: string | null,
): Statement {
  const { where, values } = whereOf([...ownerCondition(owner), ...conditions.map(conditionSql)])
  return { sql: `select count(*) as n from "c_${collection}"${where}`, values }
}

const ownerCondition = (owner: string | null): Statement[] =>
  owner === null ? [] : [{ sql: 'owner = ?', values: [owner] }]

const whereOf = (parts: Statement[]) => ({
  where: parts.length === 0 ? '' : ` where ${parts.map((part) => part.sql).join(' and ')}`,
  values: parts.flatMap((part) => part.values),
})

function conditionSql({ field, operator, value }: Condition): Statement {
  const column = columnOf(field)
  if (Array.isArray(value)) {
    // One parameter for the whole list, because a statement of a Durable Object takes at most 100.
    return { sql: `${column} in (select value from json_each(?))`, values: [JSON.stringify(value)] }
  }
  switch (operator) {
    case 'eq':
      return value === null
        ? { sql: `${column} is null`, values: [] }
        : { sql: `${column} = ?`, values: [toSqlValue(value)] }
    case 'ne':
      return { sql: `${column} is not ?`, values: [toSqlValue(value)] }
    case 'prefix':
      return { sql: `(${column} >= ? and ${column} < ?)`, values: [value, `${String(value)}\u{10FFFF}`] }
    case 'in':
      return { sql: 'false', values: [] }
    default:
      return { sql: `${column} ${COMPARISON_SQL[operator]} ?`, values: [toSqlValue(value)] }
  }
}

// A row value comparison such as "(f, id) > (?, ?)" is null when `f` is null, so the comparison is written out. Nulls sort first.
function seekSql({ sort, cursor }: ParsedQuery, tie: string): Statement[] {
  if (cursor === null) return []
  const column = columnOf(sort.field)
  const value = toSqlValue(cursor.value)
  if (sort.isDescending) {
    return cursor.value === null
      ? [{ sql: `(${column} is null and ${tie} < ?)`, values: [cursor.id] }]
      : [
          {
            sql: `(${column} < ? or (${column} = ? and ${tie} < ?) or ${column} is null)`,
            values: [value, value, cursor.id],
          },
        ]
  }
  return cursor.value === null
    ? [{ sql: `((${column} is null and ${tie} > ?) or ${column} is not null)`, values: [cursor.id] }]
    : [{ sql: `(${column} >= ? and (${column} > ? or ${tie} > ?))`, values: [value, value, cursor.id] }]
}

// SQLite has no booleans: json_extract returns 1 and 0 for them.
const toSqlValue = (value: ScalarValue): string | number | null =>
  typeof value === 'boolean' ? Number(value) : value

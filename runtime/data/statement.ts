import type { Condition, ParsedQuery, ScalarValue } from './query.ts'

/** A query and its parameters. */
export interface Statement {
  sql: string
  values: unknown[]
}

const COLUMNS: Record<string, string> = { createdAt: 'created_at', updatedAt: 'updated_at', id: 'id' }
/** In the order in which `toRow` reads them. */
export const ROW_COLUMNS = 'id, owner, rev, created_at, updated_at, json'
const COMPARE = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

// The expression must equal the index's exactly, otherwise SQLite scans the table.
const columnOf = (field: string): string => COLUMNS[field] ?? `json_extract(json, '$.${field}')`

/**
 * Returns the keyset query of one page; one extra row shows whether there is a next page. With an owner only its
 * records are on it.
 */
export function listStatement(
  collection: string,
  query: ParsedQuery,
  owner: string | null = null,
): Statement {
  const own = owner === null ? [] : [{ sql: 'owner = ?', values: [owner] }]
  const parts = [...own, ...query.conditions.map(conditionSql), ...seekSql(query)]
  const where = parts.length === 0 ? '' : ` where ${parts.map((part) => part.sql).join(' and ')}`
  const direction = query.sort.isDescending ? 'desc' : 'asc'
  return {
    sql:
      `select ${ROW_COLUMNS} from "c_${collection}"${where}` +
      ` order by ${columnOf(query.sort.field)} ${direction}, id ${direction} limit ?`,
    values: [...parts.flatMap((part) => part.values), query.limit + 1],
  }
}

function conditionSql({ field, operator, value }: Condition): Statement {
  const column = columnOf(field)
  if (Array.isArray(value)) {
    return { sql: `${column} in (${value.map(() => '?').join(', ')})`, values: value.map(bound) }
  }
  switch (operator) {
    case 'eq':
      return value === null
        ? { sql: `${column} is null`, values: [] }
        : { sql: `${column} = ?`, values: [bound(value)] }
    case 'ne':
      return { sql: `${column} is not ?`, values: [bound(value)] }
    case 'prefix':
      return { sql: `(${column} >= ? and ${column} < ?)`, values: [value, `${String(value)}\u{10FFFF}`] }
    case 'in':
      return { sql: 'false', values: [] }
    default:
      return { sql: `${column} ${COMPARE[operator]} ?`, values: [bound(value)] }
  }
}

// Row values ("(f, id) > (?, ?)") scan in SQLite, so the comparison is written out. Nulls sort first.
function seekSql({ sort, cursor }: ParsedQuery): Statement[] {
  if (cursor === null) return []
  const column = columnOf(sort.field)
  const value = bound(cursor.value)
  if (sort.isDescending) {
    return cursor.value === null
      ? [{ sql: `(${column} is null and id < ?)`, values: [cursor.id] }]
      : [
          {
            sql: `(${column} < ? or (${column} = ? and id < ?) or ${column} is null)`,
            values: [value, value, cursor.id],
          },
        ]
  }
  return cursor.value === null
    ? [{ sql: `((${column} is null and id > ?) or ${column} is not null)`, values: [cursor.id] }]
    : [{ sql: `(${column} >= ? and (${column} > ? or id > ?))`, values: [value, value, cursor.id] }]
}

// SQLite has no booleans: json_extract returns 1 and 0 for them.
const bound = (value: ScalarValue): string | number | null =>
  typeof value === 'boolean' ? Number(value) : value

import type { Telemetry } from '../../observability/telemetry/telemetry.ts'
import { DATASET_COLUMNS, SqlParser, toJsonValue } from './expressions.ts'
import type { SqlPart } from './functions.ts'
import { readTokens, SqlError } from './tokens.ts'

export interface SqlResult {
  meta: { name: string; type: string }[]
  data: Record<string, unknown>[]
  rows: number
}

interface SelectedColumn extends SqlPart {
  name: string
}

const ROWS_MAX = 10_000

/** Runs an Analytics Engine query over the points of an account. Throws a `SqlError` with the position of the error. */
export function queryPoints(telemetry: Telemetry, accountId: string, sql: string): SqlResult {
  const datasets = telemetry
    .all<{ dataset: string }>('SELECT DISTINCT dataset FROM points WHERE account_id = ?', accountId)
    .map(({ dataset }) => dataset)
  const tokens = readTokens(sql)
  const aliases = new Map<string, SqlPart>()
  const reader = new SqlParser(tokens, aliases)
  if (reader.take('SHOW')) {
    reader.expect('TABLES')
    requireEndOfQuery(reader)
    const data = datasets.map((dataset) => ({ dataset }))
    return { meta: [{ name: 'dataset', type: 'String' }], data, rows: data.length }
  }
  const columns = readColumns(reader, sql)
  reader.expect('FROM')
  const { at } = reader.next
  const dataset = reader.word('a dataset')
  if (!datasets.includes(dataset)) throw new SqlError(`Unknown table ${dataset}`, at)
  const where = reader.take('WHERE') ? ` AND ${reader.expression().sql}` : ''
  // The expressions that are parsed from here on can use the column aliases.
  for (const [index, { name, type }] of columns.entries()) aliases.set(name, { sql: `c${index}`, type })
  const tail = readTail(reader)
  requireEndOfQuery(reader)
  const shown = columns.map((column, index) => `${column.sql} AS c${index}`)
  const [account, table] = [reader.params.push(accountId), reader.params.push(dataset)]
  const rows = runQuery(
    telemetry,
    `SELECT ${shown.join(', ')} FROM points WHERE account_id = ?${account} AND dataset = ?${table}${where}${tail}`,
    reader.params,
  )
  return {
    meta: columns.map(({ name, type }) => ({ name, type })),
    data: rows.map((row) =>
      Object.fromEntries(columns.map(({ name, type }, index) => [name, toJsonValue(row[`c${index}`], type)])),
    ),
    rows: rows.length,
  }
}

function readColumns(reader: SqlParser, sql: string): SelectedColumn[] {
  reader.expect('SELECT')
  if (reader.take('*')) return Object.entries(DATASET_COLUMNS).map(([name, part]) => ({ name, ...part }))
  const columns: SelectedColumn[] = []
  do {
    const from = reader.next.at
    const part = reader.expression()
    const own = sql.slice(from, reader.next.at).trim()
    columns.push({ ...part, name: reader.take('AS') ? reader.word('a name') : own })
  } while (reader.take(','))
  return columns
}

function readTail(reader: SqlParser): string {
  let tail = ''
  if (reader.take('GROUP')) {
    reader.expect('BY')
    tail += ` GROUP BY ${reader
      .list()
      .map(({ sql }) => sql)
      .join(', ')}`
  }
  if (reader.take('HAVING')) tail += ` HAVING ${reader.expression().sql}`
  if (reader.take('ORDER')) {
    reader.expect('BY')
    const orders: string[] = []
    do {
      const { sql } = reader.expression()
      orders.push(`${sql}${reader.take('DESC') ? ' DESC' : (reader.take('ASC'), '')}`)
    } while (reader.take(','))
    tail += ` ORDER BY ${orders.join(', ')}`
  }
  const limit = reader.take('LIMIT') ? reader.wholeNumber() : ROWS_MAX
  const offset = reader.take('OFFSET') ? reader.wholeNumber() : 0
  return `${tail} LIMIT ${Math.min(limit, ROWS_MAX)} OFFSET ${offset}`
}

function requireEndOfQuery(reader: SqlParser): void {
  if (reader.take('FORMAT')) reader.expect('JSON')
  while (reader.take(';'));
  if (reader.next.kind !== 'end') throw reader.problem('Expected the end of the query')
}

function runQuery(telemetry: Telemetry, sql: string, params: string[]): Record<string, unknown>[] {
  try {
    return telemetry.all<Record<string, unknown>>(sql, ...params)
  } catch (error) {
    // The query could be parsed but not executed, for example because of an aggregate function in WHERE.
    throw new SqlError(
      `The query cannot be run (${error instanceof Error ? error.message : String(error)})`,
      0,
    )
  }
}

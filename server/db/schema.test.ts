import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { testDatabase, type TestDatabase } from '../testing/database.ts'

let database: TestDatabase
const SQL_TYPES: Record<string, string> = {
  text: 'string',
  integer: 'number',
  bigint: 'number',
  boolean: 'boolean',
  bytea: 'Buffer',
  ARRAY: 'string[]',
  'timestamp with time zone': 'Date',
}

type Tables = Record<string, Record<string, string>>

/**
 * Reads the columns of each table from the source of its interface, because types do not exist at run time. A literal
 * type, a union of literals and `JsonText` count as text, and a `JsonColumn` counts as `json`.
 */
function declaredTables(): Tables {
  const folder = new URL('tables/', import.meta.url)
  const source = readdirSync(folder)
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    .join('\n')
  const bodyOf = (name: string) => new RegExp(`export interface ${name} {\n([^}]*)}`).exec(source)?.[1] ?? ''
  const linesOf = (body: string) =>
    [...body.matchAll(/^ {2}(\w+): (.+)$/gm)].map(([, name, type]) => [name, type])
  const groups = [...source.matchAll(/^export interface \w+Tables {\n([^}]*)}/gm)].map(
    ([, body]) => body ?? '',
  )
  const unions = [...source.matchAll(/^export type (\w+) =/gm)].map(([, name]) => name ?? '')
  const normalizeType = (type: string) => {
    const outer = /^(Generated|GeneratedAlways)<(.*)>$/.exec(type)
    const isJson = (part: string) => part.startsWith('JsonColumn<')
    const parts = (outer?.[2] ?? type).split(' | ').map((part) => part.trim())
    const isText = (part: string) =>
      part.startsWith("'") || part.startsWith('JsonText<') || unions.includes(part)
    const kinds = new Set(parts.map((part) => (isText(part) ? 'string' : isJson(part) ? 'json' : part)))
    return `${outer?.[1] ?? ''} ${[...kinds].sort().join(' | ')}`.trim()
  }
  return Object.fromEntries(
    groups
      .flatMap(linesOf)
      .map(([table, type]) => [
        table,
        Object.fromEntries(
          linesOf(bodyOf(type ?? '')).map(([column, text]) => [column, normalizeType(text ?? '')]),
        ),
      ]),
  ) as Tables
}

async function actualTables(): Promise<Tables> {
  const { rows } = await database.pool.query<
    Record<'t' | 'c' | 'd' | 'n' | 'i', string> & { f: string | null }
  >(
    `select table_name t, column_name c, data_type d, is_nullable n, is_identity i, column_default f
     from information_schema.columns where table_schema = 'public'`,
  )
  const tables: Tables = {}
  for (const { t, c, d, n, i, f } of rows) {
    const type = [SQL_TYPES[d] ?? d, ...(n === 'YES' ? ['null'] : [])].sort().join(' | ')
    const made = i === 'YES' ? 'GeneratedAlways ' : f === null ? '' : 'Generated '
    ;(tables[t] ??= {})[c] = made + type
  }
  return tables
}

describe('the schema types', () => {
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.drop())

  test('the TypeScript schema matches the columns, nulls, defaults and types of the migrated database', async () => {
    const declared = declaredTables()
    assert.ok(Object.keys(declared).length > 20)
    assert.deepEqual(declared, await actualTables())
  })

  test('id columns compare byte by byte, so that joins on them can use an index', async () => {
    const { rows } = await database.pool.query<{ column: string }>(
      `select c.table_name || '.' || c.column_name as column
     from information_schema.columns c
     where table_schema = 'public' and collation_name is distinct from 'C' and data_type = 'text'
       and (column_name in ('project_id', 'ticket_id', 'run_id', 'parent_id', 'model_connection_id'))
       and table_name not in ('events', 'activity')`,
    )
    assert.deepEqual(rows, [])
  })

  test('every foreign key that does not reference users has an index, so that deleting a referenced row scans no whole table', async () => {
    // A foreign key to users needs no index: users are rarely deleted, and the tables that reference them
    // without an index are small.
    const { rows } = await database.pool.query<{ key: string }>(
      `select f.conrelid::regclass || ' ' || pg_get_constraintdef(f.oid) as key
     from pg_constraint f
     where f.contype = 'f' and f.connamespace = 'public'::regnamespace and f.confrelid <> '"user"'::regclass
       and not exists (select from pg_index i where i.indrelid = f.conrelid and i.indkey[0] = any (f.conkey))`,
    )
    assert.deepEqual(rows, [])
  })
})

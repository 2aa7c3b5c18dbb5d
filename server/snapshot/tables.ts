import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { AdminError } from '../admin/admin-error.ts'
import { connectionOptions } from '../db/database.ts'
import type { SnapshotManifest, StoredTable } from './manifest.ts'

/** Tables that are not copied: tables filled by the migrations, and the job library's daily statistics, whose partitions change daily. */
const EXCLUDED_TABLES = new Set([
  'public.schema_migrations',
  'pgboss.version',
  'pgboss.queue_stats',
  'pgboss.bam',
  'pgboss.warning',
])

type TableShape = Pick<StoredTable, 'schema' | 'name' | 'columns'>

const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`
const qualifiedName = ({ schema, name }: Pick<TableShape, 'schema' | 'name'>): string =>
  `${schema}.${quoteIdentifier(name)}`
const columnList = ({ columns }: TableShape): string => columns.map(quoteIdentifier).join(', ')

/** Opens one connection without timeouts for a whole dump or load. */
export async function openSession(url: string): Promise<Client> {
  const client = new Client({ ...connectionOptions(url), application_name: 'slipway backup' })
  // Ignore the error event, because the running statement rejects too.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Lists the tables and their columns. Generated columns are left out, because they cannot be written. */
export async function listTables(client: Client): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(
    `select n.nspname as schema, c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by 1, 2 order by 1, 2`,
  )
  return rows.filter((table) => !EXCLUDED_TABLES.has(`${table.schema}.${table.name}`))
}

/** Begins the single snapshot from which everything is read. No migration can change a table until the snapshot ends. */
export async function beginSnapshot(client: Client, tables: TableShape[]): Promise<void> {
  await client.query('begin isolation level repeatable read read only')
  await client.query(`lock table ${tables.map(qualifiedName).join(', ')} in access share mode`)
}

/**
 * Writes a table's rows, in Postgres's own text format and compressed, to a file that only its owner can
 * read.
 */
export async function writeTable(client: Client, table: TableShape, file: string): Promise<number> {
  const rows = client.query(
    copyTo(`copy (select ${columnList(table)} from ${qualifiedName(table)}) to stdout`),
  )
  await pipeline(
    rows,
    createGzip({ level: 1 }),
    createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
  )
  return rows.rowCount
}

/**
 * Reads the values of the sequences. Call it after the rows were read: a sequence only increases, so no row then has a value above that of
 * its sequence.
 */
export async function readSequences(client: Client): Promise<SnapshotManifest['sequences']> {
  const { rows } = await client.query<{ name: string; value: string; isCalled: boolean }>(
    `select sequencename as name, coalesce(last_value, start_value)::text as value,
       last_value is not null as "isCalled"
     from pg_sequences where schemaname = 'public' order by 1`,
  )
  return rows
}

/**
 * Fills the empty, migrated tables in the transaction of `client`. Triggers are off, because their results are among the rows. Foreign keys
 * are dropped and created again, which checks every row whatever the order of tables.
 */
export async function loadTables(
  client: Client,
  manifest: SnapshotManifest,
  fileOf: (table: StoredTable) => string,
): Promise<void> {
  requireSameTables(await listTables(client), manifest.tables)
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0
       and connamespace in ('public'::regnamespace, 'pgboss'::regnamespace)`,
  )
  const { rows: triggers } = await client.query<{ table: string; name: string }>(
    `select tgrelid::regclass::text as table, tgname as name from pg_trigger
     where not tgisinternal and tgenabled = 'O'`,
  )
  for (const { table, name } of keys)
    await client.query(`alter table ${table} drop constraint ${quoteIdentifier(name)}`)
  for (const { table, name } of triggers)
    await client.query(`alter table ${table} disable trigger ${quoteIdentifier(name)}`)
  for (const table of manifest.tables) await loadTable(client, table, fileOf(table))
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${quoteIdentifier(name)} ${definition}`)
  for (const { table, name } of triggers)
    await client.query(`alter table ${table} enable trigger ${quoteIdentifier(name)}`)
  for (const { name, value, isCalled } of manifest.sequences)
    await client.query('select setval($1::regclass, $2, $3)', [
      `public.${quoteIdentifier(name)}`,
      value,
      isCalled,
    ])
}

async function loadTable(client: Client, table: StoredTable, file: string): Promise<void> {
  const into = client.query(copyFrom(`copy ${qualifiedName(table)} (${columnList(table)}) from stdin`))
  await pipeline(createReadStream(file), createGunzip(), into)
  if (into.rowCount === table.rows) return
  throw new AdminError(
    `The backup is damaged: ${table.file} holds ${into.rowCount} rows and should hold ${table.rows}.`,
  )
}

/**
 * Throws when the tables differ. The same migrations create the same tables, so only the job library's schema
 * can differ.
 */
function requireSameTables(ours: TableShape[], theirs: TableShape[]): void {
  const describeTable = (table: TableShape) => `${qualifiedName(table)} (${columnList(table)})`
  const [mine, given] = [new Set(ours.map(describeTable)), new Set(theirs.map(describeTable))]
  const other = theirs.find((table) => !mine.has(describeTable(table)))
  const lacking = ours.find((table) => !given.has(describeTable(table)))
  const wrong = other ?? lacking
  if (wrong === undefined) return
  const problem = other === undefined ? 'no' : 'another'
  throw new AdminError(
    `The backup does not fit this release: it has ${problem} table ${qualifiedName(wrong)}.`,
  )
}

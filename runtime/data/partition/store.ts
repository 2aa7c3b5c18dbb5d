import type { SyncStorage } from 'cloudflare:workers'
import type { JsonText } from '../../kernel/json-text.ts'
import { isIndexed, type CollectionSpec, type Manifest } from '../../kernel/manifest.ts'
import type { RecordFields } from '../calls.ts'
import { asDeclaredType } from './convert.ts'
import { createLinkTable } from './links.ts'
import type { LogOp, MutateResult, RawPage, RecordRow, StoredRecord } from '../frames.ts'
import { type Condition, encodeCursor, type ParsedQuery, type ScalarValue } from '../query.ts'
import { DEFAULT_LIMITS, type DataLimits } from './limits.ts'
import { PageCache } from './page-cache.ts'
import { countStatement, listStatement, ROW_COLUMNS, SORT_COLUMN, type Statement } from './statement.ts'
import { HOUR_MS } from '../../kernel/durations.ts'

/** Stored with the tables, so that later code can tell which version created them. Increase this number when the tables change. */
const TABLES_VERSION = 1

const LOG_ROWS_MAX = 10_000
const MUTATION_HOURS = 24
const TRIM_EVERY = 200
/**
 * The most characters of missed changes that a page receives. The whole log could exceed the 128 MB of memory of a Durable Object, so that
 * any visitor could end the object by reconnecting.
 */
const CATCH_UP_CHARS_MAX = 1e7
/** How many of the latest manifests are used: removing a record also clears references that only an older manifest among them declares. */
const MANIFESTS_MAX = 10

/** The values of `_meta` by their keys. */
interface MetaValues {
  tables: string
  floor: string
  acked: string
  /** The ids of the applied migrations. */
  migrations: JsonText<string[]>
  /** The names of the references for which `sweepRefs` has cleared dangling ids. */
  refs: JsonText<string[]>
}

/** `row` is null when the record was removed. */
export interface LogEntry {
  seq: number
  collection: string
  id: string
  owner: string | null
  row: RecordRow | null
}

type LogLine = Omit<LogEntry, 'row'> & { json: JsonText<RecordRow> | null }

/** The result of a mutation, with the hash of its request: a repeated id must have the same request. */
interface StoredMutation {
  hash: string
  result: JsonText<MutateResult>
}

/** The tables of one partition. Every method is synchronous, so one transaction can span several calls. */
export class PartitionStore {
  readonly #storage: SyncStorage
  readonly limits: DataLimits
  readonly #pages = new PageCache()
  #ackedSeq: number | null = null
  #headSeq: number | null = null
  #manifests: Manifest[] | null = null

  constructor(storage: SyncStorage, limits: DataLimits = DEFAULT_LIMITS) {
    this.#storage = storage
    this.limits = limits
    this.run('create table if not exists _meta (key text primary key, value text) without rowid')
    this.run('create table if not exists manifests (hash text primary key, at text, json text) without rowid')
    this.run(`create table if not exists log (seq integer primary key, at text, op text,
      collection text, id text, rev integer, owner text, json text)`)
    this.run(
      'create table if not exists mutations (id text primary key, at text, hash text, result text) without rowid',
    )
    this.run("insert or ignore into _meta values ('tables', ?), ('floor', '0')", String(TABLES_VERSION))
  }

  run<Row = unknown>(sql: string, ...values: unknown[]): Row[] {
    return this.#storage.sql.exec<Row>(sql, ...values).toArray()
  }

  #queryRows(sql: string, ...values: unknown[]): RecordRow[] {
    return this.#storage.sql
      .exec(sql, ...values)
      .raw()
      .toArray()
      .map(toRow)
  }

  transact<T>(work: () => T): T {
    try {
      return this.#storage.transactionSync(work)
    } catch (error) {
      // The transaction was rolled back, so the cached values are wrong.
      this.#ackedSeq = null
      this.#headSeq = null
      this.#manifests = null
      this.#pages.forget()
      throw error
    }
  }

  meta<Key extends keyof MetaValues>(key: Key): MetaValues[Key] | null {
    return (
      this.run<{ value: MetaValues[Key] }>('select value from _meta where key = ?', key)[0]?.value ?? null
    )
  }

  setMeta<Key extends keyof MetaValues>(key: Key, value: MetaValues[Key]): void {
    this.run(
      'insert into _meta values (?, ?) on conflict (key) do update set value = excluded.value',
      key,
      value,
    )
  }

  readManifest(hash: string): Manifest | null {
    const row = this.run<{ json: JsonText<Manifest> }>('select json from manifests where hash = ?', hash)[0]
    return row === undefined ? null : JSON.parse(row.json)
  }

  /** Returns the manifest of the latest release; null before the first release. */
  latestManifest(): Manifest | null {
    return this.manifests()[0] ?? null
  }

  /** Returns the manifests of the latest releases, at most `MANIFESTS_MAX`, newest first. */
  manifests(): readonly Manifest[] {
    this.#manifests ??= this.run<{ json: JsonText<Manifest> }>(
      'select json from manifests order by at desc limit ?',
      MANIFESTS_MAX,
    ).map((row) => JSON.parse(row.json))
    return this.#manifests
  }

  /** Creates the tables and indexes that a manifest needs. Never removes any, so that older releases keep working. */
  prepare(hash: string, manifest: Manifest, at: string): void {
    for (const [name, collection] of Object.entries(manifest.collections)) this.#createTable(name, collection)
    this.#pages.forget()
    this.#manifests = null
    this.run('insert or replace into manifests values (?, ?, ?)', hash, at, JSON.stringify(manifest))
  }

  /** Returns every collection that has a table, declared or not, sorted by name. */
  collections(): string[] {
    const tables = "select name from sqlite_master where type = 'table' and name glob 'c_*' order by name"
    return this.run<{ name: string }>(tables).map(({ name }) => name.slice('c_'.length))
  }

  ensureTable(name: string): void {
    this.run(`create table if not exists "c_${name}" (id text primary key, owner text, rev integer not null,
      created_at text not null, updated_at text not null, json text not null) without rowid`)
  }

  #createTable(name: string, collection: CollectionSpec): void {
    this.ensureTable(name)
    this.run(`create index if not exists "i_${name}_created" on "c_${name}" (created_at, id)`)
    if (collection.read === 'owner')
      this.run(`create index if not exists "i_${name}_owner" on "c_${name}" (owner, created_at, id)`)
    for (const [field, spec] of Object.entries(collection.fields)) {
      if (!isIndexed(spec)) continue
      this.run(
        `create index if not exists "i_${name}_f_${field}" on "c_${name}" (json_extract(json, '$.${field}'), id)`,
      )
    }
    createLinkTable(this, name, collection)
  }

  read(collection: string, id: string): RecordRow | null {
    return this.#queryRows(`select ${ROW_COLUMNS} from "c_${collection}" where id = ?`, id)[0] ?? null
  }

  holds(collection: string, id: string): boolean {
    return this.run(`select 1 from "c_${collection}" where id = ?`, id).length > 0
  }

  write(collection: string, row: RecordRow): void {
    this.run(
      `insert or replace into "c_${collection}" (id, owner, rev, created_at, updated_at, json) values (?, ?, ?, ?, ?, ?)`,
      row.id,
      row.owner,
      row.rev,
      row.created_at,
      row.updated_at,
      row.json,
    )
  }

  remove(collection: string, id: string): void {
    this.run(`delete from "c_${collection}" where id = ?`, id)
  }

  /** Returns at most 100 of a person's records in a collection, because all of them may exceed the memory of a Durable Object. */
  ownedBy(collection: string, owner: string): RecordRow[] {
    return this.#queryRows(`select ${ROW_COLUMNS} from "c_${collection}" where owner = ? limit 100`, owner)
  }

  /**
   * Removes a person's id from the log and deletes stored results that contain it. Without the stored result,
   * a mutation that the page sends a second time is applied a second time.
   */
  forgetOwner(owner: string): void {
    this.run("update log set owner = null, json = json_set(json, '$.owner', null) where owner = ?", owner)
    this.run('delete from mutations where instr(result, ?) > 0', owner)
  }

  /** Counts the records of `owner`. For null, counts all records. */
  count(owner: string | null = null): number {
    return this.collections().reduce((sum, name) => sum + this.countOf(name, [], owner), 0)
  }

  /** Returns the id of another record with this value; null when no record has it. */
  holderOf(collection: string, field: string, value: unknown, exceptId: string): string | null {
    const row = this.run<Pick<RecordRow, 'id'>>(
      `select id from "c_${collection}" where json_extract(json, '$.${field}') = ? and id <> ? limit 1`,
      typeof value === 'boolean' ? Number(value) : value,
      exceptId,
    )[0]
    return row?.id ?? null
  }

  /** Returns a page as JSON. Cached until the next write: the same query of the same release returns the same page. */
  page(
    hash: string,
    name: string,
    collection: CollectionSpec,
    ask: { query: ParsedQuery; owner: string | null },
  ): JsonText<RawPage> {
    const { query, owner } = ask
    const statement = listStatement(name, query, owner)
    const question = JSON.stringify([hash, statement])
    const known = this.#pages.find(question, this.head()) as JsonText<RawPage> | null
    if (known !== null) return known
    const page = JSON.stringify(this.#queryPage(statement, collection, query))
    this.#pages.keep(question, page)
    return page
  }

  /** Returns the number of matching records. Like a page, the number is cached until the next write. */
  countOf(name: string, conditions: readonly Condition[], owner: string | null): number {
    const { sql, values } = countStatement(name, conditions, owner)
    const question = JSON.stringify([sql, values])
    const known = this.#pages.find(question, this.head())
    if (known !== null) return Number(known)
    const count = Number(this.run<{ n: number }>(sql, ...values)[0]?.n)
    this.#pages.keep(question, String(count))
    return count
  }

  #queryPage({ sql, values }: Statement, collection: CollectionSpec, query: ParsedQuery): RawPage {
    const found = this.#storage.sql
      .exec(sql, ...values)
      .raw()
      .toArray()
    const rows = found.slice(0, query.limit)
    const items = rows.map((columns) => toRecord(toRow(columns), collection))
    const last = rows.at(-1)
    const hasMore = found.length > query.limit && last !== undefined
    // The rows are sorted by the stored value. The record's value may have been converted to another type.
    const sortValue = last?.[SORT_COLUMN] as ScalarValue
    return {
      items,
      nextCursor: hasMore ? encodeCursor(sortValue, last[0] as string) : null,
      seq: this.head(),
    }
  }

  /** The number of the last operation. Stays the same when the log is trimmed. */
  head(): number {
    this.#headSeq ??= this.#readHead()
    return this.#headSeq
  }

  /**
   * Returns the number of the last operation. When trimming has emptied the log, returns `floor`, the number of the last trimmed operation.
   */
  #readHead(): number {
    const [last] = this.run<{ seq: number | null }>('select max(seq) as seq from log')
    return Math.max(last?.seq ?? 0, Number(this.meta('floor')))
  }

  append(op: 'put' | 'remove', collection: string, row: RecordRow, at: string): LogEntry {
    const seq = this.head() + 1
    this.run(
      'insert into log (seq, at, op, collection, id, rev, owner, json) values (?, ?, ?, ?, ?, ?, ?, ?)',
      seq,
      at,
      op,
      collection,
      row.id,
      row.rev,
      row.owner,
      // Store the whole row, because a record's timestamps are not in its own JSON.
      op === 'put' ? JSON.stringify(row) : null,
    )
    this.#headSeq = seq
    return { seq, collection, id: row.id, owner: row.owner, row: op === 'put' ? row : null }
  }

  /** Returns the operations after `seq`, oldest first. Null when some of them were trimmed or all of them exceed `CATCH_UP_CHARS_MAX`. */
  since(seq: number): LogEntry[] | null {
    if (seq > this.head() || seq < Number(this.meta('floor'))) return null
    const [missed] = this.run<{ chars: number | null }>(
      'select sum(length(json)) as chars from log where seq > ?',
      seq,
    )
    if (Number(missed?.chars) > CATCH_UP_CHARS_MAX) return null
    return this.run<LogLine>(
      'select seq, collection, id, owner, json from log where seq > ? order by seq',
      seq,
    ).map(toEntry)
  }

  /** Returns the next operations to send to the directory, oldest first. */
  unsent(limit: number): (LogEntry & { at: string })[] {
    const sql = 'select seq, at, collection, id, owner, json from log where seq > ? order by seq limit ?'
    return this.run<LogLine & { at: string }>(sql, this.acked, limit).map((line) => ({
      ...toEntry(line),
      at: line.at,
    }))
  }

  /** The number of the last operation that the directory has confirmed. */
  get acked(): number {
    this.#ackedSeq ??= Number(this.meta('acked') ?? 0)
    return this.#ackedSeq
  }

  set acked(seq: number) {
    this.setMeta('acked', String(seq))
    this.#ackedSeq = seq
  }

  readMutation(id: string): StoredMutation | null {
    return this.run<StoredMutation>('select hash, result from mutations where id = ?', id)[0] ?? null
  }

  keepMutation(id: string, { hash, result }: StoredMutation, at: string): void {
    this.run('insert into mutations values (?, ?, ?, ?)', id, at, hash, result)
  }

  /** Deletes old log entries and mutation ids. Runs only about every 200th operation, to save work. */
  trim(now: Date, head: number, added: number): void {
    if (Math.floor(head / TRIM_EVERY) === Math.floor((head - added) / TRIM_EVERY)) return
    const hoursAgo = (hours: number) => new Date(now.getTime() - hours * HOUR_MS).toISOString()
    this.run('delete from mutations where at < ?', hoursAgo(MUTATION_HOURS))
    this.run(
      'delete from log where (seq <= ? or at < ?) and seq <= ?',
      head - LOG_ROWS_MAX,
      hoursAgo(24 * this.limits.logDays),
      // Never delete operations that the directory, the Durable Object that lists all partitions, has not received.
      this.acked,
    )
    const first = this.run<{ seq: number | null }>('select min(seq) as seq from log')[0]?.seq
    this.setMeta('floor', String(first === null || first === undefined ? head : first - 1))
  }
}

const toRow = ([id, owner, rev, created_at, updated_at, json]: unknown[]) =>
  ({ id, owner, rev, created_at, updated_at, json }) as RecordRow

const toEntry = ({ seq, collection, id, owner, json }: LogLine): LogEntry => ({
  seq,
  collection,
  id,
  owner,
  row: json === null ? null : JSON.parse(json),
})

/**
 * Converts a row to the record that callers get, with exactly the declared fields. Fields that only another release declares stay in the
 * row. A field that was added later reads as null.
 */
export const toRecord = (row: RecordRow, collection: CollectionSpec): StoredRecord =>
  recordOf(row, JSON.parse(row.json), collection)

/** Like `toRecord`, for a row whose JSON is already parsed. */
export function recordOf(row: RecordRow, stored: RecordFields, { fields }: CollectionSpec): StoredRecord {
  // Assign fields in a loop without intermediate arrays, because a page has hundreds of records.
  const record: RecordFields = { id: row.id }
  for (const [name, spec] of Object.entries(fields)) record[name] = asDeclaredType(spec, stored[name])
  record['ownerId'] = row.owner
  record['rev'] = row.rev
  record['createdAt'] = row.created_at
  record['updatedAt'] = row.updated_at
  return record as StoredRecord
}

export const toLogOp = ({ seq, collection, id, row }: LogEntry, spec: CollectionSpec): LogOp =>
  row === null
    ? { seq, op: 'remove', collection, id }
    : { seq, op: 'put', collection, id, record: toRecord(row, spec) }

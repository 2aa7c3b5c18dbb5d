import type { SyncStorage } from 'cloudflare:workers'
import type { Batch, BatchOp, RecordRow } from '../data/frames.ts'
import type { Manifest } from '../kernel/manifest.ts'
import { Backlog } from './backlog.ts'
import { foldText } from '../kernel/fold.ts'
import type { DirectoryRow } from './frames.ts'
import { ftsQueryOf, scopeOf, searchedFields, searchText, textFields, wordsOf } from './search-terms.ts'
import { type RunSql, sqlRunner } from '../kernel/objects/sql.ts'
import type { JsonText } from '../kernel/json-text.ts'

/** How many entries one alarm reindexes after another field became searchable. */
const REINDEX_ROWS = 2000

/** How many entries a search without an index reads at a time. */
const SCAN_ROWS = 500

export interface Search {
  q: string
  /** The partitions to search; null for all. */
  partitions: string[] | null
  /** Search only records of this owner; null for all owners. */
  owner: string | null
  limit: number
}

export interface DirectoryEntry extends RecordRow {
  key: number
  collection: string
  partition: string
  partial: 0 | 1
}

interface DirectoryChange {
  added: number
  at: string
}

/** The read model of all partitions. Every method is synchronous, so each is one transaction. */
export class DirectoryStore {
  readonly #storage: SyncStorage
  readonly #runSql: RunSql
  #searchedFields: Map<string, string[]> | null = null
  readonly backlog: Backlog

  constructor(storage: SyncStorage) {
    this.#storage = storage
    this.#runSql = sqlRunner(storage)
    this.#runSql('create table if not exists _meta (key text primary key, value text) without rowid')
    this.#runSql(
      'create table if not exists manifests (hash text primary key, at text, json text) without rowid',
    )
    this.#runSql(`create table if not exists entries (key integer primary key, collection text not null,
      partition text not null, id text not null, owner text, rev integer not null, created_at text not null,
      updated_at text not null, json text not null, partial integer not null,
      unique (collection, partition, id))`)
    this.#runSql('create index if not exists entries_newest on entries (collection, created_at, id)')
    this.#runSql('create index if not exists entries_partition on entries (partition)')
    this.#runSql('create table if not exists applied (partition text primary key, seq integer) without rowid')
    this.#runSql(
      'create table if not exists totals (collection text primary key, count integer, updated_at text) without rowid',
    )
    this.#runSql(`create virtual table if not exists search using fts5 (scope, text, content='',
      contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2')`)
    this.#runSql(
      'create table if not exists reindex (collection text primary key, next integer) without rowid',
    )
    this.#runSql('create table if not exists spent (jti text primary key, expires_at integer) without rowid')
    this.backlog = new Backlog(storage, (hash) => this.readManifest(hash))
  }

  readManifest(hash: string): Manifest | null {
    const [row] = this.#runSql<{ json: JsonText<Manifest> }>(
      'select json from manifests where hash = ?',
      hash,
    )
    return row === undefined ? null : JSON.parse(row.json)
  }

  /** Stores a manifest, which becomes active unless a manifest was activated before. */
  prepare(hash: string, manifest: Manifest, at: string): void {
    this.#storage.transactionSync(() => {
      this.#runSql('insert or ignore into manifests values (?, ?, ?)', hash, at, JSON.stringify(manifest))
      if (this.#readMeta('chosen') === null) this.#setActiveRelease(hash, manifest)
    })
  }

  /** Makes a manifest active, even if other manifests are prepared later. Returns false when the manifest is not known. */
  activate(hash: string): boolean {
    return this.#storage.transactionSync(() => {
      const manifest = this.readManifest(hash)
      if (manifest === null) return false
      this.#setMeta('chosen', hash)
      this.#setActiveRelease(hash, manifest)
      return true
    })
  }

  active(): { hash: string; manifest: Manifest } | null {
    const hash = this.#readMeta('active')
    const manifest = hash === null ? null : this.readManifest(hash)
    return hash === null || manifest === null ? null : { hash, manifest }
  }

  #setActiveRelease(hash: string, manifest: Manifest): void {
    const before = this.#searchFields()
    this.#setMeta('active', hash)
    this.#searchedFields = null
    for (const [name] of Object.entries(manifest.collections)) {
      const isSame = String(before.get(name) ?? []) === String(this.#searchFields().get(name) ?? [])
      if (!isSame) this.#runSql('insert or replace into reindex values (?, 0)', name)
    }
    this.backlog.plan(hash, manifest)
  }

  /** The searched fields by collection. Cached until another manifest becomes active. */
  #searchFields(): Map<string, string[]> {
    this.#searchedFields ??= new Map(
      Object.entries(this.active()?.manifest.collections ?? {}).map(([name, { fields }]) => [
        name,
        searchedFields(fields),
      ]),
    )
    return this.#searchedFields
  }

  /** Reindexes the next entries of collections whose searched fields changed. Returns true while more remain. */
  reindexSome(): boolean {
    return this.#storage.transactionSync(() => {
      const [job] = this.#runSql<{ collection: string; next: number }>(
        'select collection, next from reindex limit 1',
      )
      if (job === undefined) return false
      const { collection } = job
      const rows = this.#runSql<Pick<DirectoryEntry, 'key' | 'json'>>(
        'select key, json from entries where collection = ? and key > ? order by key limit ?',
        collection,
        job.next,
        REINDEX_ROWS,
      )
      for (const row of rows) this.#indexAgain(row.key, collection, row.json)
      const last = rows.at(-1)
      if (rows.length < REINDEX_ROWS) this.#runSql('delete from reindex where collection = ?', collection)
      else this.#runSql('update reindex set next = ? where collection = ?', last?.key, collection)
      return this.#runSql('select 1 from reindex limit 1').length > 0
    })
  }

  /** Applies a batch of a partition's log. Skips operations that were applied before. */
  apply(partition: string, batch: Batch): void {
    this.#storage.transactionSync(() => {
      const sql = 'select seq from applied where partition = ?'
      const seen = this.#runSql<{ seq: number }>(sql, partition)[0]?.seq ?? 0
      const changes = new Map<string, DirectoryChange>()
      for (const op of batch.ops) {
        if (op.seq <= seen) continue
        const added = this.#applyBatchOp(partition, op)
        if (added === null) continue
        const before = changes.get(op.collection) ?? { added: 0, at: op.at }
        const at = op.at > before.at ? op.at : before.at
        changes.set(op.collection, { added: before.added + added, at })
      }
      for (const [collection, change] of changes) this.#addToTotal(collection, change)
      if (batch.to > seen)
        this.#runSql(
          'insert into applied (partition, seq) values (?, ?) on conflict (partition) do update set seq = excluded.seq',
          partition,
          batch.to,
        )
      if (batch.migrations !== undefined) this.backlog.note(partition, batch.migrations)
    })
  }

  /** Returns by how much the number of entries changed; null when nothing changed. */
  #applyBatchOp(partition: string, { collection, id, row, isPartial }: BatchOp): number | null {
    if (row === null) return this.#removeEntry(partition, collection, id)
    const { owner, rev, created_at, updated_at, json } = row
    const partial = isPartial ? 1 : 0
    const key = this.#keyReturnedBy(
      `insert into entries (collection, partition, id, owner, rev, created_at, updated_at, json, partial)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (collection, partition, id) do nothing returning key`,
      [collection, partition, id, owner, rev, created_at, updated_at, json, partial],
    )
    if (key !== null) {
      this.#indexRecord(key, collection, json)
      return 1
    }
    const known = this.#keyReturnedBy(
      `update entries set owner = ?, rev = ?, updated_at = ?, json = ?, partial = ?
       where collection = ? and partition = ? and id = ? returning key`,
      [owner, rev, updated_at, json, partial, collection, partition, id],
    )
    if (known !== null) this.#indexAgain(known, collection, json)
    return 0
  }

  #removeEntry(partition: string, collection: string, id: string): number | null {
    const sql = 'delete from entries where collection = ? and partition = ? and id = ? returning key'
    const key = this.#keyReturnedBy(sql, [collection, partition, id])
    if (key === null) return null
    this.#runSql('delete from search where rowid = ?', key)
    return -1
  }

  /** Returns the key of the entry that a statement changed; null when the statement changed no entry. */
  #keyReturnedBy(sql: string, values: unknown[]): number | null {
    return this.#runSql<Pick<DirectoryEntry, 'key'>>(sql, ...values)[0]?.key ?? null
  }

  #indexAgain(key: number, collection: string, json: RecordRow['json']): void {
    this.#runSql('delete from search where rowid = ?', key)
    this.#indexRecord(key, collection, json)
  }

  #indexRecord(key: number, collection: string, json: RecordRow['json']): void {
    const names = this.#searchFields().get(collection) ?? []
    const text = names.length === 0 ? '' : searchText(names, JSON.parse(json))
    if (text === '') return
    this.#runSql('insert into search (rowid, scope, text) values (?, ?, ?)', key, scopeOf(collection), text)
  }

  #addToTotal(collection: string, { added, at }: DirectoryChange): void {
    this.#runSql(
      `insert into totals values (?, ?, ?) on conflict (collection) do update
       set count = count + excluded.count, updated_at = max(updated_at, excluded.updated_at)`,
      collection,
      added,
      at,
    )
  }

  partitions(): string[] {
    const sql = 'select partition from applied order by partition'
    return this.#runSql<{ partition: string }>(sql).map(({ partition }) => partition)
  }

  /** Removes all entries of a partition, and updates the counts and the search index. */
  forget(partition: string): void {
    this.#storage.transactionSync(() => {
      const sql = 'delete from entries where partition = ? returning key, collection'
      const gone = this.#runSql<Pick<DirectoryEntry, 'key' | 'collection'>>(sql, partition)
      for (const { key } of gone) this.#runSql('delete from search where rowid = ?', key)
      const counts = Map.groupBy(gone, ({ collection }) => collection)
      for (const [collection, entries] of counts)
        this.#addToTotal(collection, { added: -entries.length, at: new Date().toISOString() })
      this.#runSql('delete from applied where partition = ?', partition)
      this.backlog.forget(partition)
    })
  }

  count(partition: string): number {
    const sql = 'select count(*) as n from entries where partition = ?'
    return Number(this.#runSql<{ n: number }>(sql, partition)[0]?.n)
  }

  totals(): Record<string, { count: number; updatedAt: string }> {
    const rows = this.#runSql<{ collection: string; count: number; updated_at: string }>(
      'select collection, count, updated_at from totals',
    )
    return Object.fromEntries(
      rows.map(({ collection, count, updated_at }) => [collection, { count, updatedAt: updated_at }]),
    )
  }

  newest(collection: string, limit: number): DirectoryRow[] {
    return this.#runSql<DirectoryEntry>(
      'select * from entries where collection = ? order by created_at desc, id desc limit ?',
      collection,
      limit,
    ).map(directoryRowOf)
  }

  holds(collection: string, partition: string, id: string): boolean {
    const sql = 'select 1 from entries where collection = ? and partition = ? and id = ?'
    return this.#runSql(sql, collection, partition, id).length > 0
  }

  /** Returns the best matches first. */
  search(collection: string, search: Search): DirectoryRow[] {
    if ((this.#searchFields().get(collection) ?? []).length === 0)
      return this.#scanRecords(collection, search)
    const match = ftsQueryOf(collection, search.q)
    if (match === null) return []
    const within = scopeSql(search)
    return this.#runSql<DirectoryEntry>(
      `select e.* from search join entries e on e.key = search.rowid
       where search match ? and e.collection = ?${within.sql}
       order by bm25(search, 0, 1), e.key limit ?`,
      match,
      collection,
      ...within.values,
      search.limit,
    ).map(directoryRowOf)
  }

  /**
   * Searches a collection without searched fields: returns the newest records with every word in their text fields. Reads entries until it
   * has found enough, so that writes need no index. Compares in JavaScript, because SQLite folds accents only inside its full-text index.
   */
  #scanRecords(collection: string, search: Search): DirectoryRow[] {
    const names = textFields(this.active()?.manifest.collections[collection]?.fields ?? {})
    const words = wordsOf(foldText(search.q))
    if (names.length === 0 || words.length === 0) return []
    const within = scopeSql(search)
    const hits: DirectoryRow[] = []
    let last: DirectoryEntry | null = null
    do {
      const after: string =
        last === null ? '' : ' and created_at <= ? and (created_at < ? or id < ? or (id = ? and key < ?))'
      const afterValues = last === null ? [] : [last.created_at, last.created_at, last.id, last.id, last.key]
      const rows: DirectoryEntry[] = this.#runSql<DirectoryEntry>(
        `select * from entries where collection = ?${after}${within.sql}
         order by created_at desc, id desc, key desc limit ?`,
        collection,
        ...afterValues,
        ...within.values,
        SCAN_ROWS,
      )
      hits.push(...rows.filter((row) => holdsWords(names, row, words)).map(directoryRowOf))
      last = rows.length < SCAN_ROWS ? null : (rows.at(-1) ?? null)
    } while (last !== null && hits.length < search.limit)
    return hits.slice(0, search.limit)
  }

  /** Marks a single-use token as used, by its id (`jti`). Returns false when it was used before. */
  spend(jti: string, expiresAt: number, now: number): boolean {
    this.#runSql('delete from spent where expires_at < ?', now)
    const sql = 'insert or ignore into spent values (?, ?) returning jti'
    return this.#runSql(sql, jti, expiresAt).length > 0
  }

  #readMeta(key: string): string | null {
    const sql = 'select value from _meta where key = ?'
    return this.#runSql<{ value: string }>(sql, key)[0]?.value ?? null
  }

  #setMeta(key: string, value: string): void {
    this.#runSql('insert or replace into _meta values (?, ?)', key, value)
  }
}

function holdsWords(names: readonly string[], { json }: RecordRow, words: readonly string[]): boolean {
  const text = foldText(searchText(names, JSON.parse(json)))
  return words.every((word) => text.includes(word))
}

export const directoryRowOf = (entry: DirectoryEntry): DirectoryRow => {
  const { id, owner, rev, created_at, updated_at, json } = entry
  const row = { id, owner, rev, created_at, updated_at, json }
  return { partition: entry.partition, row, isPartial: entry.partial === 1 }
}

function scopeSql({ partitions, owner }: Search): { sql: string; values: string[] } {
  const among = partitions === null ? '' : ` and partition in (${partitions.map(() => '?').join(', ')})`
  return {
    sql: `${among}${owner === null ? '' : ' and owner = ?'}`,
    values: [...(partitions ?? []), ...(owner === null ? [] : [owner])],
  }
}

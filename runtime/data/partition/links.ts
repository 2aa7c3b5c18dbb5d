import { type CollectionSpec, isRefList, type ReferentialAction } from '../../kernel/manifest.ts'
import type { RecordRow } from '../frames.ts'

interface SqlRunner {
  run<Row = unknown>(sql: string, ...values: unknown[]): Row[]
}

/** A field whose values are ids of records of the same partition. */
export interface RefField {
  collection: string
  field: string
  target: string
  isList: boolean
  onRemove: ReferentialAction
}

const columnsOf = (table: string) =>
  ['id', 'owner', 'rev', 'created_at', 'updated_at', 'json'].map((name) => `${table}.${name}`).join(', ')

/**
 * Creates the table of links, with a row for each entry of a reference list, because SQLite cannot index list entries. Triggers fill it, so
 * that every kind of write updates it.
 */
export function createLinkTable(store: SqlRunner, name: string, collection: CollectionSpec): void {
  const lists = Object.entries(collection.fields).filter(([, spec]) => isRefList(spec))
  if (lists.length === 0) return
  store.run(
    'create table if not exists links (field text, target text, id text, primary key (field, target, id)) without rowid',
  )
  store.run('create index if not exists links_from on links (field, id)')
  for (const [field] of lists) {
    const trigger = `l_${name}_${field}`
    if (store.run("select 1 from sqlite_master where type = 'trigger' and name = ?", trigger).length > 0)
      continue
    const own = `'${name}.${field}'`
    const entries = (row: string) =>
      `select ${own}, entry.value, ${row}.id from json_each(${row}.json, '$.${field}') entry where entry.type = 'text'`
    // `insert or replace` does not fire a delete trigger, so this trigger deletes the old links first.
    store.run(`create trigger "${trigger}" after insert on "c_${name}" begin
      delete from links where field = ${own} and id = new.id;
      insert or ignore into links ${entries('new')};
    end`)
    store.run(`create trigger "${trigger}_gone" after delete on "c_${name}" begin
      delete from links where field = ${own} and id = old.id;
    end`)
    const all = entries('c').replace(' from ', ` from "c_${name}" c, `)
    store.run(`insert or ignore into links ${all}`)
  }
}

/** Returns at most `limit` records that refer to `id`. Both statements use an index. */
export function referrers(store: SqlRunner, ref: RefField, id: string, limit: number): RecordRow[] {
  return ref.isList
    ? store.run<RecordRow>(
        `select ${columnsOf('c')} from links l join "c_${ref.collection}" c on c.id = l.id
           where l.field = ? and l.target = ? limit ?`,
        `${ref.collection}.${ref.field}`,
        id,
        limit,
      )
    : store.run<RecordRow>(
        `select ${columnsOf('c')} from "c_${ref.collection}" c where json_extract(json, '$.${ref.field}') = ? limit ?`,
        id,
        limit,
      )
}

/**
 * Returns the records with a dangling reference. Scans the whole index, so call it only when a reference is newly declared or after a
 * migration.
 */
export function danglingReferrers(store: SqlRunner, ref: RefField): RecordRow[] {
  const isMissing = (id: string) => `not exists (select 1 from "c_${ref.target}" t where t.id = ${id})`
  const value = `json_extract(c.json, '$.${ref.field}')`
  return ref.isList
    ? store.run<RecordRow>(
        `select distinct ${columnsOf('c')} from links l join "c_${ref.collection}" c on c.id = l.id
           where l.field = ? and ${isMissing('l.target')}`,
        `${ref.collection}.${ref.field}`,
      )
    : store.run<RecordRow>(
        `select ${columnsOf('c')} from "c_${ref.collection}" c where ${value} is not null and ${isMissing(value)}`,
      )
}

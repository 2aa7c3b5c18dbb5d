import type { SyncStorage } from 'cloudflare:workers'
import type { StoredRow } from '../data/partition/transfer.ts'
import { ApiError, invalid } from '../kernel/errors.ts'
import type { RoomMessage } from './types.ts'
import { hasTable, type RunSql, sqlRunner } from '../kernel/objects/sql.ts'
import type { JsonText } from '../kernel/json-text.ts'

const STATE_BYTES_MAX = 64 * 1024
const KEY_CHARS_MAX = 100
/** Limits the stored messages by size, in addition to their number, because a single message may have 32 KB. */
const HISTORY_BYTES_MAX = 512 * 1024
const PAGE_ROWS = 200
const PAGE_BYTES = 600_000

/**
 * Marks rows of rooms when an app is copied to another cloud account: this value replaces the name of the collection in rows of records. No
 * collection can have this name.
 */
export const ROOMS_COLLECTION = '~rooms'

/** `m` is a message, `s` a key of the state. */
type RowKind = 'm' | 's'

const JSON_BYTES = 'length(cast(json as blob))'

/**
 * The messages and state of rooms, with the person who wrote each. Every method is synchronous, so each is one transaction. The tables are
 * created with the first message.
 */
export class RoomStore {
  readonly #storage: SyncStorage
  readonly #runSql: RunSql
  readonly #lastSeqs = new Map<string, number>()

  constructor(storage: SyncStorage) {
    this.#storage = storage
    this.#runSql = sqlRunner(storage)
  }

  // Checked every time, because the Durable Object's storage, with this table, may have been deleted since.
  get #isThere(): boolean {
    return hasTable(this.#runSql, '_room')
  }

  get isUsed(): boolean {
    return this.#isThere && this.#runSql('select 1 from _room limit 1').length > 0
  }

  #createTable(): void {
    this.#runSql(`create table if not exists _room (room text not null, kind text not null, key text not null,
      owner text, ref text, json text not null, primary key (room, kind, key)) without rowid`)
    this.#runSql('create index if not exists _room_refs on _room (room, ref) where ref is not null')
  }

  /**
   * Stores a message and deletes the oldest messages above `limit`. Returns the message with its number. When the same `ref` is sent again,
   * returns the message that was stored before.
   */
  append(
    room: string,
    message: Omit<RoomMessage, 'seq'>,
    { ref, limit, nowMs }: { ref: string | null; limit: number; nowMs: number },
  ): { message: RoomMessage; isNew: boolean } {
    const from = message.from
    return this.#storage.transactionSync(() => {
      const known = limit > 0 && ref !== null ? this.#findByRef(room, ref) : null
      if (known !== null) return { message: known, isNew: false }
      const kept = { seq: Math.max(nowMs, this.#lastSeqOf(room) + 1), ...message }
      this.#lastSeqs.set(room, kept.seq)
      if (limit > 0) {
        this.#createTable()
        const row = [messageKey(kept.seq), from?.userId ?? null, ref, JSON.stringify(kept)]
        this.#runSql("insert into _room values (?, 'm', ?, ?, ?, ?)", room, ...row)
        this.#trimMessages(room, limit)
      }
      return { message: kept, isNew: true }
    })
  }

  #findByRef(room: string, ref: string): RoomMessage | null {
    if (!this.#isThere) return null
    const [row] = this.#runSql<MessageRow>('select json from _room where room = ? and ref = ?', room, ref)
    return row === undefined ? null : JSON.parse(row.json)
  }

  #lastSeqOf(room: string): number {
    const known = this.#lastSeqs.get(room)
    if (known !== undefined) return known
    if (!this.#isThere) return 0
    const sql = "select max(key) as key from _room where room = ? and kind = 'm'"
    return Number(this.#runSql<{ key: string | null }>(sql, room)[0]?.key ?? 0)
  }

  #trimMessages(room: string, limit: number): void {
    this.#runSql(
      `delete from _room where room = ?1 and kind = 'm' and key <= (select key from (
         select key, row_number() over (order by key desc) as n, sum(${JSON_BYTES}) over (order by key desc) as size
         from _room where room = ?1 and kind = 'm') where n > ?2 or (size > ?3 and n > 1) order by key desc limit 1)`,
      room,
      limit,
      HISTORY_BYTES_MAX,
    )
  }

  /** Returns the messages with a higher number than `seq`, oldest first. */
  since(room: string, seq: number): RoomMessage[] {
    if (!this.#isThere) return []
    const sql = "select json from _room where room = ? and kind = 'm' and key > ? order by key"
    return this.#runSql<MessageRow>(sql, room, messageKey(seq)).map(({ json }) => JSON.parse(json))
  }

  state(room: string): Record<string, unknown> {
    if (!this.#isThere) return {}
    const rows = this.#runSql<{ key: string; json: JsonText<unknown> }>(
      "select key, json from _room where room = ? and kind = 's'",
      room,
    )
    return Object.fromEntries(rows.map(({ key, json }) => [key, JSON.parse(json)]))
  }

  /** Sets a key, which then belongs to this person; null removes it. Throws when the state becomes too large. */
  set(room: string, key: unknown, value: unknown, userId: string | null): void {
    if (typeof key !== 'string' || key === '' || key === '__proto__' || key.length > KEY_CHARS_MAX)
      throw invalid('key', `must have 1 to ${KEY_CHARS_MAX} characters`)
    this.#storage.transactionSync(() => {
      if (value === null || value === undefined) {
        if (this.#isThere)
          this.#runSql("delete from _room where room = ? and kind = 's' and key = ?", room, key)
        return
      }
      this.#createTable()
      const insert = "insert or replace into _room values (?, 's', ?, ?, null, ?)"
      this.#runSql(insert, room, key, userId, JSON.stringify(value))
      const size = `select sum(length(cast(key as blob)) + ${JSON_BYTES}) as size from _room where room = ? and kind = 's'`
      if (Number(this.#runSql<{ size: number }>(size, room)[0]?.size) > STATE_BYTES_MAX)
        throw invalid('value', 'the state of a room has at most 64 KB')
    })
  }

  /** Removes the messages and state of a person. Returns the removed keys. */
  forget(userId: string): { room: string; key: string }[] {
    if (!this.#isThere) return []
    const gone = this.#runSql<{ room: string; kind: string; key: string }>(
      'delete from _room where owner = ? returning room, kind, key',
      userId,
    )
    return gone.filter(({ kind }) => kind === 's').map(({ room, key }) => ({ room, key }))
  }

  /**
   * Adds a room, whose data another Durable Object stores, to the list in this object. Throws `conflict` when the
   * list already has `max` rooms.
   */
  addRoom(room: string, max: number | null): void {
    this.#runSql('create table if not exists _rooms (room text primary key) without rowid')
    const count = 'select count(*) as n from _rooms'
    const isFull = max !== null && Number(this.#runSql<{ n: number }>(count)[0]?.n) >= max
    if (isFull && !this.roomNames().includes(room))
      throw new ApiError('conflict', `A person may enter ${max} different rooms.`)
    this.#runSql('insert or ignore into _rooms values (?)', room)
  }

  roomNames(): string[] {
    const sql = 'select room from _rooms order by room'
    const isThere = hasTable(this.#runSql, '_rooms')
    return isThere ? this.#runSql<{ room: string }>(sql).map(({ room }) => room) : []
  }

  rows(after: string): { rows: StoredRow[]; next: string | null } {
    if (!this.#isThere) return { rows: [], next: null }
    const sql = `select room, kind, key, owner, json from _room where (room, kind, key) > (?, ?, ?)
      order by room, kind, key limit ?`
    const found = this.#runSql<StoredRoomRow>(sql, ...splitRowId(after), PAGE_ROWS + 1)
    const rows: StoredRow[] = []
    let size = 0
    for (const one of found) {
      size += one.json.length * 3
      const last = rows.at(-1)
      if (last !== undefined && (rows.length === PAGE_ROWS || size > PAGE_BYTES))
        return { rows, next: last.row.id }
      rows.push(toRow(one))
    }
    return { rows, next: null }
  }

  /** Stores rows unchanged. Idempotent. */
  take(rows: readonly StoredRow[]): void {
    this.#storage.transactionSync(() => {
      this.#createTable()
      for (const { row } of rows) {
        const insert = 'insert or replace into _room values (?, ?, ?, ?, null, ?)'
        this.#runSql(insert, ...splitRowId(row.id), row.owner, row.json)
      }
    })
  }
}

interface MessageRow {
  json: JsonText<RoomMessage>
}

interface StoredRoomRow {
  room: string
  kind: RowKind
  key: string
  owner: string | null
  /**
   * The JSON of a message, or of a value in the room's state. The type is that of a record's JSON, because the requests that copy an app to
   * another cloud account contain messages and records as unparsed text.
   */
  json: StoredRow['row']['json']
}

/** Padded with zeros, so that text order equals number order. */
const messageKey = (seq: number): string => String(seq).padStart(16, '0')

/** Splitting at spaces is safe, because neither the name nor the id of a room contains a space. */
const splitRowId = (id: string): [room: string, kind: string, key: string] => {
  const [room = '', kind = '', ...key] = id.split(' ')
  return [room, kind, key.join(' ')]
}

const toRow = ({ room, kind, key, owner, json }: StoredRoomRow): StoredRow => ({
  collection: ROOMS_COLLECTION,
  row: { id: `${room} ${kind} ${key}`, owner, rev: 0, created_at: '', updated_at: '', json },
})

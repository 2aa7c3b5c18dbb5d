import type { SyncStorage } from 'cloudflare:workers'
import { randomName } from '../kernel/access/actor.ts'
import { newKey } from '../kernel/secrets.ts'
import type { DeletedFile, FilePage, FileRef, NewFile } from './types.ts'

const TABLES_SQL = [
  `create table if not exists files (id text primary key, owner text not null, name text not null, type text not null,
     size integer not null, state text not null, multipart text, at integer not null) without rowid`,
  'create index if not exists files_page on files (state, owner, at desc, id desc)',
  'create index if not exists files_all on files (state, at desc, id desc)',
  `create table if not exists file_parts (id text not null, number integer not null, etag text not null,
     primary key (id, number)) without rowid`,
  'create table if not exists file_owners (owner text primary key, bytes integer not null) without rowid',
  'create table if not exists file_tickets (jti text primary key, expires integer not null) without rowid',
  'create table if not exists file_secret (secret text not null)',
]

/** The owner id of the app's own files. No person's id has this form. */
const APP_OWNER = 'app'
const ABANDONED_FILES_MAX = 20
/** The maximum number of files per step of an erasure. With all copies of pictures these are 1,400 keys, which take two delete calls. */
const ERASED_PER_STEP = 200

interface FileRow {
  id: string
  owner: string
  name: string
  type: string
  size: number
  state: 'open' | 'ready' | 'dead'
  multipart: string | null
  at: number
}

const toRef = (row: FileRow): FileRef => ({
  id: row.id,
  key: `f/${row.owner}/${row.id}`,
  name: row.name,
  type: row.type,
  size: row.size,
  ownerId: row.owner === APP_OWNER ? null : row.owner,
  createdAt: new Date(row.at).toISOString(),
})

const toDeletedFile = (row: FileRow): DeletedFile => ({
  id: row.id,
  key: toRef(row).key,
  multipart: row.multipart,
})

/**
 * The files of production or of the preview, and their total size for each owner. The bytes themselves are in
 * the bucket.
 */
export class FileStore {
  readonly #storage: SyncStorage

  constructor(storage: SyncStorage) {
    this.#storage = storage
    for (const statement of TABLES_SQL) storage.sql.exec(statement)
  }

  #queryFiles(query: string, ...values: unknown[]): FileRow[] {
    return this.#storage.sql.exec<FileRow>(query, ...values).toArray()
  }

  /**
   * The key that signs links, tickets and tokens, created on first use. Deleting the Durable Object's storage
   * deletes the key and so invalidates all of them.
   */
  secret(): string {
    const sql = 'select secret from file_secret'
    const known = this.#storage.sql.exec<{ secret: string }>(sql).toArray()[0]?.secret
    if (typeof known === 'string') return known
    const secret = newKey()
    this.#storage.sql.exec('insert into file_secret values (?)', secret)
    return secret
  }

  /**
   * Reserves the bytes of a new file. Returns null when they exceed the owner's limit. Calls `spend` only when there is room, so that a
   * refused upload leaves its ticket for a smaller file; nothing is reserved when `spend` throws.
   */
  reserve(
    file: NewFile,
    owner: string | null,
    bytesMax: number | null,
    now: number,
    spend = () => {},
  ): FileRef | null {
    return this.#storage.transactionSync(() => {
      const name = owner ?? APP_OWNER
      if (bytesMax !== null && this.bytesOf(name) + file.size > bytesMax) return null
      spend()
      const id = randomName()
      this.#storage.sql.exec(
        "insert into files values (?, ?, ?, ?, ?, 'open', null, ?)",
        id,
        name,
        file.name,
        file.type,
        file.size,
        now,
      )
      this.#addUsage(name, file.size)
      return this.#readRef(id, 'open')
    })
  }

  /** Adds files whose bytes are in the bucket already. Does not change a file that exists. */
  take(files: readonly FileRef[]): void {
    this.#storage.transactionSync(() => {
      for (const { id, ownerId, name, type, size, createdAt } of files) {
        const owner = ownerId ?? APP_OWNER
        const { rowsWritten } = this.#storage.sql.exec(
          "insert or ignore into files values (?, ?, ?, ?, ?, 'ready', null, ?)",
          id,
          owner,
          name,
          type,
          size,
          Date.parse(createdAt),
        )
        if (rowsWritten > 0) this.#addUsage(owner, size)
      }
    })
  }

  bytesOf(owner: string): number {
    const sql = 'select bytes from file_owners where owner = ?'
    return this.#storage.sql.exec<{ bytes: number }>(sql, owner).toArray()[0]?.bytes ?? 0
  }

  #addUsage(owner: string, bytes: number): void {
    this.#storage.sql.exec(
      'insert into file_owners values (?, ?) on conflict do update set bytes = bytes + excluded.bytes',
      owner,
      bytes,
    )
    // Delete the empty row, which would keep the id of an erased person.
    if (bytes < 0) this.#storage.sql.exec('delete from file_owners where owner = ? and bytes = 0', owner)
  }

  /** Returns null for an id that is not a text: the app's code may pass on a value of a request. */
  #readFile(id: unknown, state: FileRow['state']): FileRow | null {
    if (typeof id !== 'string') return null
    return this.#queryFiles('select * from files where id = ? and state = ?', id, state)[0] ?? null
  }

  #readRef(id: string, state: FileRow['state']): FileRef | null {
    const row = this.#readFile(id, state)
    return row === null ? null : toRef(row)
  }

  find(id: string): FileRef | null {
    return this.#readRef(id, 'ready')
  }

  findOpen(id: string): { file: FileRef; multipart: string | null } | null {
    const row = this.#readFile(id, 'open')
    return row === null ? null : { file: toRef(row), multipart: row.multipart }
  }

  setMultipart(id: string, multipart: string): string | null {
    const first = 'update files set multipart = coalesce(multipart, ?) where id = ? and state = ?'
    this.#storage.sql.exec(first, multipart, id, 'open')
    return this.#readFile(id, 'open')?.multipart ?? null
  }

  setPart(id: string, number: number, etag: string): void {
    this.#storage.sql.exec('insert or replace into file_parts values (?, ?, ?)', id, number, etag)
  }

  parts(id: string): { partNumber: number; etag: string }[] {
    const sql = 'select * from file_parts where id = ? order by number'
    const rows = this.#storage.sql.exec<{ number: number; etag: string }>(sql, id).toArray()
    return rows.map(({ number, etag }) => ({ partNumber: number, etag }))
  }

  finish(id: string): FileRef | null {
    return this.#storage.transactionSync(() => {
      this.#storage.sql.exec("update files set state = 'ready' where id = ? and state = 'open'", id)
      this.#storage.sql.exec('delete from file_parts where id = ?', id)
      return this.#readRef(id, 'ready')
    })
  }

  /** Lists files, newest first. `owner` undefined lists all files, null the app's own files. */
  list(owner: string | null | undefined, limit: number, after: { at: number; id: string } | null): FilePage {
    const wheres = ["state = 'ready'"]
    const values: unknown[] = []
    if (owner !== undefined) {
      wheres.push('owner = ?')
      values.push(owner ?? APP_OWNER)
    }
    if (after !== null) {
      // Two conditions instead of a row value, for which SQLite would not use the index.
      wheres.push('at <= ? and (at < ? or id < ?)')
      values.push(after.at, after.at, after.id)
    }
    const query = `select * from files where ${wheres.join(' and ')} order by at desc, id desc limit ?`
    const rows = this.#queryFiles(query, ...values, limit + 1)
    const items = rows.slice(0, limit)
    const last = items.at(-1)
    const nextCursor = rows.length > limit && last !== undefined ? `${last.at}:${last.id}` : null
    return { items: items.map(toRef), nextCursor }
  }

  /**
   * Marks a file as deleted and subtracts its bytes from the owner's total. Returns null when there is no
   * such file.
   */
  markDeleted(id: string): FileRef | null {
    return this.#storage.transactionSync(() => {
      const row = this.#readFile(id, 'ready') ?? this.#readFile(id, 'open')
      if (row === null) return null
      this.#storage.sql.exec("update files set state = 'dead' where id = ?", id)
      this.#addUsage(row.owner, -row.size)
      return toRef(row)
    })
  }

  /** Marks abandoned uploads as deleted. Returns deleted files whose bytes may still be in the bucket. */
  listDeleted(openedBefore: number): DeletedFile[] {
    const stale = "select * from files where state = 'open' and at < ? order by at desc limit ?"
    for (const { id } of this.#queryFiles(stale, openedBefore, ABANDONED_FILES_MAX)) this.markDeleted(id)
    return this.#queryFiles("select * from files where state = 'dead' limit ?", ABANDONED_FILES_MAX).map(
      toDeletedFile,
    )
  }

  /**
   * Marks an owner's unfinished uploads as deleted when they were opened before `openedBefore`, and subtracts their bytes from the total.
   */
  discardOpen(owner: string, openedBefore: number): DeletedFile[] {
    const open = "select * from files where state = 'open' and owner = ? and at < ?"
    const rows = this.#queryFiles(
      open,
      owner,
      Number.isFinite(openedBefore) ? openedBefore : Number.MAX_SAFE_INTEGER,
    )
    for (const { id } of rows) this.markDeleted(id)
    return rows.map(toDeletedFile)
  }

  /** Returns an owner's deleted files whose bytes may still be in the bucket. */
  listDeletedOf(owner: string): DeletedFile[] {
    const sql = "select * from files where state = 'dead' and owner = ? limit ?"
    return this.#queryFiles(sql, owner, ERASED_PER_STEP).map(toDeletedFile)
  }

  forget(ids: string[]): void {
    for (const id of ids) {
      this.#storage.sql.exec("delete from files where id = ? and state = 'dead'", id)
      this.#storage.sql.exec('delete from file_parts where id = ?', id)
    }
  }

  /** Marks a ticket as used. Returns false when it was used before. */
  spend(jti: string, expires: number, now: number): boolean {
    this.#storage.sql.exec('delete from file_tickets where expires < ?', now)
    const { rowsWritten } = this.#storage.sql.exec(
      'insert or ignore into file_tickets values (?, ?)',
      jti,
      expires,
    )
    return rowsWritten > 0
  }
}

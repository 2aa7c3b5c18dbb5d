import type { SyncStorage } from 'cloudflare:workers'
import type { User } from './types.ts'

/** Wrong passwords that cost nothing; after them each one doubles the pause. */
const FREE_ATTEMPTS = 5
const PAUSE_MAX_SECONDS = 900
/** When a series of wrong passwords is forgotten. */
const FORGET_MS = 86_400_000
const RESERVED_MS = 60_000

/** A person as the operator sees it. */
export interface ListedUser extends User {
  sessions: number
  methods: string[]
  lastSeenAt: string | null
}

/**
 * The list of a tier's people: whom an address belongs to, and what the operator sees. An entry is reserved (0) while a
 * person signs up, active (1), or frozen (2) while the person is erased.
 */
export class UserList {
  readonly #storage: SyncStorage

  constructor(storage: SyncStorage) {
    this.#storage = storage
    this.#run(`create table if not exists users (id text primary key, email text not null unique, name text not null,
      role text not null, is_active integer not null, created_at text not null, last_seen_at text) without rowid`)
    this.#run(`create table if not exists user_sessions (user text not null, id text not null,
      expires_at text not null, primary key (user, id)) without rowid`)
    this.#run('create index if not exists users_newest on users (created_at, id)')
    this.#run(
      'create table if not exists attempts (email text primary key, count integer, free_at integer) without rowid',
    )
  }

  #run(sql: string, ...values: unknown[]): Record<string, unknown>[] {
    return this.#storage.sql.exec(sql, ...values).toArray()
  }

  /**
   * Reserves an address for a new account; returns false when it has one. A sign-up that was cut off leaves its address
   * reserved, and after a minute another one may have it, under an id of its own.
   */
  reserve({ id, email, name, role, createdAt }: User): boolean {
    const staleAt = new Date(Date.parse(createdAt) - RESERVED_MS).toISOString()
    this.#run('delete from users where email = ? and is_active = 0 and created_at < ?', email, staleAt)
    const insert = 'insert or ignore into users values (?, ?, ?, ?, 0, ?, null) returning id'
    return this.#run(insert, id, email, name, role, createdAt).length > 0
  }

  /** Completes a sign-up; returns false when its reservation went to another one. */
  activate(id: string): boolean {
    return this.#run('update users set is_active = 1 where id = ? returning id', id).length > 0
  }

  idOf(email: string): string | null {
    const [row] = this.#run('select id from users where email = ? and is_active = 1', email)
    return (row?.['id'] as string | undefined) ?? null
  }

  find(id: string): User | null {
    const [row] = this.#run('select * from users where id = ? and is_active = 1', id)
    return row === undefined ? null : toUser(row)
  }

  /** Returns the newest first. */
  newest(limit: number, now: string): ListedUser[] {
    return this.#run(`${LISTED} order by created_at desc, id desc limit ?`, now, limit).map(toListed)
  }

  listed(id: string, now: string): ListedUser | null {
    const [row] = this.#run(`${LISTED} and id = ?`, now, id)
    return row === undefined ? null : toListed(row)
  }

  /** Counts a session of a person; the person was here at this time. */
  opened(
    id: string,
    { sessionId, expiresAt, at }: { sessionId: string; expiresAt: string; at: string },
  ): void {
    this.#run('insert or replace into user_sessions values (?, ?, ?)', id, sessionId, expiresAt)
    this.#run('update users set last_seen_at = ? where id = ?', at, id)
  }

  /** Forgets one session of a person, all, or all but one. */
  ended(id: string, { sessionId, exceptId }: { sessionId?: string; exceptId?: string | null }): void {
    if (sessionId === undefined)
      this.#run('delete from user_sessions where user = ? and id is not ?', id, exceptId ?? null)
    else this.#run('delete from user_sessions where user = ? and id = ?', id, sessionId)
  }

  change(id: string, change: { name?: string; role?: User['role'] }): void {
    this.#run(
      'update users set name = coalesce(?, name), role = coalesce(?, role) where id = ?',
      change.name ?? null,
      change.role ?? null,
      id,
    )
  }

  /** Ends every way in of a person and keeps the entry; also true when that was done before. */
  freeze(id: string): boolean {
    return (
      this.#run('update users set is_active = 2 where id = ? and is_active <> 0 returning id', id).length > 0
    )
  }

  /** Adds a person of another account. Idempotent. */
  take({ id, email, name, role, createdAt }: User): void {
    this.#run(
      'insert or replace into users values (?, ?, ?, ?, 1, ?, null)',
      id,
      email,
      name,
      role,
      createdAt,
    )
  }

  ids(): string[] {
    return this.#run('select id from users where is_active = 1 order by id').map((row) => row['id'] as string)
  }

  remove(id: string): boolean {
    const [row] = this.#run('delete from users where id = ? returning email', id)
    this.ended(id, {})
    if (row !== undefined) this.#run('delete from attempts where email = ?', row['email'])
    return row !== undefined
  }

  /**
   * Counts an attempt to sign in before its password is looked at, so that many at once gain nothing. Returns for how
   * many seconds this address has to wait; 0: not at all. Addresses without an account are counted alike.
   */
  attempt(email: string, nowMs: number): number {
    this.#run('delete from attempts where free_at < ?', nowMs - FORGET_MS)
    const [row] = this.#run('select count, free_at from attempts where email = ?', email)
    const waitMs = Number(row?.['free_at'] ?? 0) - nowMs
    if (waitMs > 0) return Math.ceil(waitMs / 1000)
    const count = Number(row?.['count'] ?? 0) + 1
    const pauseSeconds = count < FREE_ATTEMPTS ? 0 : Math.min(PAUSE_MAX_SECONDS, 2 ** (count - FREE_ATTEMPTS))
    this.#run('insert or replace into attempts values (?, ?, ?)', email, count, nowMs + pauseSeconds * 1000)
    return 0
  }

  forgetAttempts(email: string): void {
    this.#run('delete from attempts where email = ?', email)
  }
}

const LISTED = `select u.*, (select count(*) from user_sessions s where s.user = u.id and s.expires_at > ?) as sessions
  from users u where is_active = 1`

const toListed = (row: Record<string, unknown>): ListedUser => ({
  ...toUser(row),
  sessions: row['sessions'] as number,
  methods: ['password'],
  lastSeenAt: row['last_seen_at'] as string | null,
})

const toUser = (row: Record<string, unknown>): User => ({
  id: row['id'] as string,
  email: row['email'] as string,
  emailVerified: false,
  name: row['name'] as string,
  role: row['role'] as User['role'],
  createdAt: row['created_at'] as string,
})

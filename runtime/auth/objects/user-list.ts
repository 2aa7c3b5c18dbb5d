import type { SyncStorage } from 'cloudflare:workers'
import { ATTEMPTS_LIFETIME_MS, pauseAfterWrong } from '../../kernel/access/attempt-limiter.ts'
import { addColumns } from '../../kernel/objects/columns.ts'
import type { Identity } from './credentials.ts'
import type { ErasureCounts } from '../../kernel/objects/erasure.ts'
import type { User } from '../types.ts'
import { foldText } from '../../kernel/fold.ts'
import { type RunSql, sqlRunner } from '../../kernel/objects/sql.ts'
import type { JsonText } from '../../kernel/json-text.ts'

const RESERVATION_MS = 60_000
/** How many people a search reads from the table at a time. */
const SCAN_ROWS = 500

/** Returns the key under which attempts are counted. Passwords, codes and messages are counted separately. */
export const attemptsOf = {
  password: (email: string) => email,
  code: (email: string) => `code ${email}`,
  message: (email: string) => `message ${email}`,
}
const ATTEMPT_KEYS = Object.values(attemptsOf)

export interface UserChange {
  name?: string
  role?: User['role']
  emailVerified?: boolean
  methods?: string[]
  broken?: string[]
}

export interface PeopleQuery {
  /** A part of a name or address, or a whole id; empty for everyone. */
  q: string
  /** The last entry of the previous page. The time is included because the person with this id may have been erased since. */
  after: { createdAt: string; id: string } | null
  limit: number
}

export interface ListedUser extends User {
  sessions: number
  methods: string[]
  lastSeenAt: string | null
  /** The services that this person must link again. */
  brokenConnections: string[]
  /** True while the person's data is being removed; they can no longer sign in. */
  erasing: boolean
}

interface UserRow extends Pick<User, 'id' | 'email' | 'name' | 'role'> {
  is_active: 0 | 1 | 2
  created_at: string
  last_seen_at: string | null
  verified: 0 | 1
  methods: JsonText<string[]>
  broken: JsonText<string[]>
}

interface ListedRow extends UserRow {
  sessions: number
}

/**
 * The list of the people of an app, in production or in its preview. It decides to which person an email
 * address belongs. An entry is reserved (0) while a person signs up, active (1), or frozen (2) while the person is
 * erased.
 */
export class UserList {
  readonly #runSql: RunSql

  constructor(storage: SyncStorage) {
    this.#runSql = sqlRunner(storage)
    this.#runSql(`create table if not exists users (id text primary key, email text not null unique, name text not null,
      role text not null, is_active integer not null, created_at text not null, last_seen_at text,
      verified integer not null, methods text not null, broken text not null) without rowid`)
    addColumns(storage, 'users', {
      verified: 'integer not null default 0',
      methods: `text not null default '["password"]'`,
      broken: `text not null default '[]'`,
    })
    this.#runSql(`create table if not exists identities (provider text not null, subject text not null,
      user text not null, primary key (provider, subject)) without rowid`)
    this.#runSql('create index if not exists identities_user on identities (user)')
    this.#runSql(`create table if not exists user_sessions (user text not null, id text not null,
      expires_at text not null, primary key (user, id)) without rowid`)
    this.#runSql('create index if not exists users_newest on users (created_at, id)')
    // Stores which account a member of the operator's organization uses when they open the app from the console.
    this.#runSql(
      'create table if not exists user_members (member text primary key, user text not null) without rowid',
    )
    // Stores the counts of a person's data, which are taken before an erasure removes anything.
    this.#runSql(
      'create table if not exists erasures (user text primary key, counts text not null) without rowid',
    )
    this.#runSql(
      'create table if not exists attempts (email text primary key, count integer, free_at integer) without rowid',
    )
  }

  /**
   * Reserves the address. Returns false when the address has an account, or when another sign-up has reserved it less than a minute ago. An
   * interrupted sign-up leaves its address reserved, so after a minute another sign-up may reserve it under a new id.
   */
  reserve({ id, email, name, role, createdAt, emailVerified }: User): boolean {
    const staleAt = new Date(Date.parse(createdAt) - RESERVATION_MS).toISOString()
    this.#runSql('delete from users where email = ? and is_active = 0 and created_at < ?', email, staleAt)
    const insert = "insert or ignore into users values (?, ?, ?, ?, 0, ?, null, ?, '[]', '[]') returning id"
    return this.#runSql(insert, id, email, name, role, createdAt, Number(emailVerified)).length > 0
  }

  /** Turns the reserved entry into an active one. Returns false when another sign-up has taken the reservation. */
  activate(id: string): boolean {
    return this.#runSql('update users set is_active = 1 where id = ? returning id', id).length > 0
  }

  /** Frees a reserved address. Does not change an active account. */
  release(id: string): void {
    this.#runSql('delete from users where id = ? and is_active = 0', id)
  }

  linkMember(member: string, userId: string): void {
    this.#runSql('insert or replace into user_members values (?, ?)', member, userId)
  }

  /** Returns the id of the account that this member of the organization uses, active or not; null when it is missing or being erased. */
  ofMember(member: string): string | null {
    const sql = `select u.id from user_members m join users u on u.id = m.user where m.member = ? and u.is_active < 2`
    return this.#runSql<Pick<UserRow, 'id'>>(sql, member)[0]?.id ?? null
  }

  idOf(email: string): string | null {
    const sql = 'select id from users where email = ? and is_active = 1'
    return this.#runSql<Pick<UserRow, 'id'>>(sql, email)[0]?.id ?? null
  }

  /** Returns a person's address, even while the person is being erased. */
  emailOf(id: string): string | null {
    const sql = 'select email from users where id = ?'
    return this.#runSql<Pick<UserRow, 'email'>>(sql, id)[0]?.email ?? null
  }

  find(id: string): User | null {
    const [row] = this.#runSql<UserRow>('select * from users where id = ? and is_active = 1', id)
    return row === undefined ? null : toUser(row)
  }

  /** Returns names by person id. Leaves out people who do not exist. */
  names(ids: readonly string[]): Record<string, string> {
    const sql = 'select id, name from users where is_active = 1 and id in (select value from json_each(?))'
    const rows = this.#runSql<Pick<UserRow, 'id' | 'name'>>(sql, JSON.stringify(ids))
    return Object.fromEntries(rows.map(({ id, name }) => [id, name]))
  }

  /** Returns the newest people, including those who are being erased, newest first. */
  newest(limit: number, now: string): ListedUser[] {
    return this.page({ q: '', after: null, limit }, now)
  }

  /**
   * Returns one page of the people who match the query, newest first. Compares in JavaScript, because SQLite ignores case only in ASCII.
   */
  page({ q, after, limit }: PeopleQuery, now: string): ListedUser[] {
    const typed = foldText(q)
    const rows = q === '' ? limit : SCAN_ROWS
    const found: string[] = []
    for (let last = after; found.length < limit;) {
      const rest = last === null ? '' : ' and (created_at, id) < (?, ?)'
      const read = this.#runSql<Pick<UserRow, 'id' | 'email' | 'name'> & { createdAt: string }>(
        `select id, email, name, created_at as createdAt from users where is_active > 0${rest}
         order by created_at desc, id desc limit ?`,
        ...(last === null ? [] : [last.createdAt, last.id]),
        rows,
      )
      for (const { id, name, email } of read)
        if (id === q || foldText(`${name}\n${email}`).includes(typed)) found.push(id)
      last = read.at(-1) ?? null
      if (read.length < rows) break
    }
    return found.slice(0, limit).flatMap((id) => this.listed(id, now) ?? [])
  }

  listed(id: string, now: string): ListedUser | null {
    const [row] = this.#runSql<ListedRow>(`${LISTED_USERS_SQL} and id = ?`, now, id)
    return row === undefined ? null : toListedUser(row)
  }

  /** Records a session, and its time as the person's last visit. */
  opened(
    id: string,
    { sessionId, expiresAt, at }: { sessionId: string; expiresAt: string; at: string },
  ): void {
    this.#runSql('insert or replace into user_sessions values (?, ?, ?)', id, sessionId, expiresAt)
    this.#runSql('update users set last_seen_at = ? where id = ?', at, id)
  }

  /** Removes the session `sessionId`; without it, all sessions except `exceptId`. */
  ended(id: string, { sessionId, exceptId }: { sessionId?: string; exceptId?: string | null }): void {
    if (sessionId === undefined)
      this.#runSql('delete from user_sessions where user = ? and id is not ?', id, exceptId ?? null)
    else this.#runSql('delete from user_sessions where user = ? and id = ?', id, sessionId)
  }

  change(id: string, change: UserChange): void {
    const { name, role, emailVerified, methods, broken } = change
    this.#runSql(
      `update users set name = coalesce(?, name), role = coalesce(?, role), verified = coalesce(?, verified),
         methods = coalesce(?, methods), broken = coalesce(?, broken) where id = ?`,
      name ?? null,
      role ?? null,
      emailVerified === undefined ? null : Number(emailVerified),
      methods === undefined ? null : JSON.stringify(methods),
      broken === undefined ? null : JSON.stringify(broken),
      id,
    )
  }

  /** Returns the person who has linked this provider account; null when no active person has linked it. */
  byIdentity({ provider, subject }: Identity): string | null {
    const sql = `select u.id from identities i join users u on u.id = i.user
      where i.provider = ? and i.subject = ? and u.is_active = 1`
    return this.#runSql<Pick<UserRow, 'id'>>(sql, provider, subject)[0]?.id ?? null
  }

  /** Returns false when the provider account is already linked to another person. */
  link(id: string, { provider, subject }: Identity): boolean {
    this.#runSql('insert or ignore into identities values (?, ?, ?)', provider, subject, id)
    const sql = 'select 1 from identities where provider = ? and subject = ? and user = ?'
    return this.#runSql(sql, provider, subject, id).length > 0
  }

  countLinks(id: string): number {
    return this.#runSql('select 1 from identities where user = ?', id).length
  }

  unlink(id: string): void {
    this.#runSql('delete from identities where user = ?', id)
  }

  /** Returns how much data the erasure of this person removes and keeps; null while no counts are stored. */
  erasureOf(id: string): ErasureCounts | null {
    const sql = 'select counts from erasures where user = ?'
    const [row] = this.#runSql<{ counts: JsonText<ErasureCounts> }>(sql, id)
    return row === undefined ? null : JSON.parse(row.counts)
  }

  /** Returns the stored counts. Stores `counts` only if there are none yet: a later count would miss data that is already removed. */
  keepErasure(id: string, counts: ErasureCounts): ErasureCounts | null {
    // The `select` from `users` stores nothing once another call has removed the entry.
    const sql = 'insert or ignore into erasures select id, ? from users where id = ?'
    this.#runSql(sql, JSON.stringify(counts), id)
    return this.erasureOf(id)
  }

  /** Blocks sign-in and keeps the entry. Also returns true for an entry that is frozen already. */
  freeze(id: string): boolean {
    return (
      this.#runSql('update users set is_active = 2 where id = ? and is_active <> 0 returning id', id).length >
      0
    )
  }

  /** Adds a person who is copied from the app's previous cloud account. Idempotent. */
  take({ id, email, name, role, createdAt, emailVerified }: User, identities: Identity[]): void {
    const insert = `insert or replace into users values (?, ?, ?, ?, 1, ?, null, ?, '[]', '[]')`
    this.#runSql(insert, id, email, name, role, createdAt, Number(emailVerified))
    for (const identity of identities) this.link(id, identity)
  }

  ids(): string[] {
    const sql = 'select id from users where is_active = 1 order by id'
    return this.#runSql<Pick<UserRow, 'id'>>(sql).map(({ id }) => id)
  }

  remove(id: string): boolean {
    const sql = 'delete from users where id = ? returning email'
    const [row] = this.#runSql<Pick<UserRow, 'email'>>(sql, id)
    this.ended(id, {})
    this.#runSql('delete from user_members where user = ?', id)
    this.#runSql('delete from erasures where user = ?', id)
    if (row === undefined) return false
    for (const key of ATTEMPT_KEYS) this.#runSql('delete from attempts where email = ?', key(row.email))
    return true
  }

  /**
   * Counts a sign-in attempt. Called before the password is checked, so that concurrent attempts do not evade the limit. Returns how many
   * seconds the address must wait; 0 when it may continue. Addresses without an account are counted too.
   */
  attempt(email: string, nowMs: number): number {
    this.#runSql('delete from attempts where free_at < ?', nowMs - ATTEMPTS_LIFETIME_MS)
    const sql = 'select count, free_at from attempts where email = ?'
    const [row] = this.#runSql<{ count: number; free_at: number }>(sql, email)
    const waitMs = (row?.free_at ?? 0) - nowMs
    if (waitMs > 0) return Math.ceil(waitMs / 1000)
    const count = (row?.count ?? 0) + 1
    const freeAt = nowMs + pauseAfterWrong(count) * 1000
    this.#runSql('insert or replace into attempts values (?, ?, ?)', email, count, freeAt)
    return 0
  }

  forgetAttempts(email: string): void {
    this.#runSql('delete from attempts where email = ?', email)
  }
}

const LISTED_USERS_SQL = `select u.*, (select count(*) from user_sessions s where s.user = u.id and s.expires_at > ?) as sessions
  from users u where is_active > 0`

const toListedUser = (row: ListedRow): ListedUser => ({
  ...toUser(row),
  sessions: row.sessions,
  methods: JSON.parse(row.methods),
  lastSeenAt: row.last_seen_at,
  brokenConnections: JSON.parse(row.broken),
  erasing: row.is_active === 2,
})

const toUser = ({ id, email, verified, name, role, created_at }: UserRow): User => ({
  id,
  email,
  emailVerified: verified === 1,
  name,
  role,
  createdAt: created_at,
})

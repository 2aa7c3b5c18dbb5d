import type { SyncStorage } from 'cloudflare:workers'
import { addColumns } from '../../kernel/objects/columns.ts'
import type { Person, SessionToken } from '../../kernel/access/actor.ts'
import { Credentials, type Identity, type StoredPasskey } from './credentials.ts'
import type { Session } from '../types.ts'
import { sha256Hex, newSecret } from '../../kernel/secrets.ts'
import { hasTable, type RunSql, sqlRunner } from '../../kernel/objects/sql.ts'
import { DAY_MS, HOUR_MS } from '../../kernel/durations.ts'

/** Writes the time of the last visit at most once an hour, so that not every request causes a write. */
const LAST_SEEN_WRITE_MS = HOUR_MS
const SESSIONS_MAX = 100
/** A session of at most this length was opened from the operator's console and is never extended. */
const NOT_RENEWED_MS = DAY_MS / 2
/** How long a replaced session stays valid, because other requests of the same page still carry it. */
const REPLACED_SESSION_MS = 60_000

export interface StoredAccount {
  email: string
  name: string
  role: Person['role']
  /** Whether the person has proven that they read messages to the address. */
  emailVerified: boolean
  /** As returned by `hashPassword`; null for an account without a password. */
  password: string | null
  createdAt: string
}

interface StoredSession {
  id: string
  hash: string
  device: string
  created_at: string
  last_seen_at: string
  expires_at: string
}

export interface AccountDump {
  account: StoredAccount
  sessions: StoredSession[]
  /**
   * The id of the member of the operator's organization to whom the account belongs; null for any other account. Absent in dumps of
   * earlier versions.
   */
  member?: string | null
  passkeys: StoredPasskey[]
  identities: Identity[]
}

export interface OpenedSession {
  sessionId: string
  secret: string
  expiresAt: string
}

/** `sessionId` and `secret` are set only when another session replaces the old one. */
export type Renewal = Pick<OpenedSession, 'expiresAt'> & Partial<OpenedSession>

/**
 * The account and the sessions of a person, stored in the Durable Object of that person. Every method is
 * synchronous, so each is one transaction. Nothing is stored before `create`, so a request with a guessed id
 * leaves no data.
 */
export class Account {
  readonly #storage: SyncStorage
  readonly #runSql: RunSql
  /** Passkeys and linked provider accounts. Use `credentials` only when the account exists, because `create` also creates their tables. */
  readonly credentials: Credentials
  #hasAccountTable = false

  constructor(storage: SyncStorage) {
    this.#storage = storage
    this.#runSql = sqlRunner(storage)
    this.credentials = new Credentials(storage)
  }

  get isThere(): boolean {
    if (!this.#hasAccountTable && hasTable(this.#runSql, '_account')) {
      addColumns(this.#storage, '_account', { verified: 'integer not null default 0', role_at: 'text' })
      this.credentials.createTables()
      this.#hasAccountTable = true
    }
    return this.#hasAccountTable
  }

  /** Stores the account. Does not change an account that exists already. */
  create(account: StoredAccount): void {
    this.#storage.transactionSync(() => {
      this.#runSql(`create table if not exists _account (one integer primary key check (one = 1), email text not null,
        name text not null, role text not null, verified integer not null, password text, created_at text not null,
        role_at text)`)
      this.#runSql(`create table if not exists _sessions (id text primary key, hash text not null, device text not null,
        created_at text not null, last_seen_at text not null, expires_at text not null) without rowid`)
      this.credentials.createTables()
      const { email, name, role, emailVerified, password, createdAt } = account
      this.#runSql(
        `insert or ignore into _account (one, email, name, role, verified, password, created_at)
         values (1, ?, ?, ?, ?, ?, ?)`,
        email,
        name,
        role,
        Number(emailVerified),
        password,
        createdAt,
      )
    })
  }

  read(): StoredAccount | null {
    if (!this.isThere) return null
    const columns = 'email, name, role, verified as emailVerified, password, created_at as createdAt'
    type Row = Omit<StoredAccount, 'emailVerified'> & { emailVerified: 0 | 1 }
    const [row] = this.#runSql<Row>(`select ${columns} from _account`)
    return row === undefined ? null : { ...row, emailVerified: row.emailVerified === 1 }
  }

  setName(name: string): void {
    this.#runSql('update _account set name = ?', name)
  }

  /** `role_at` lets `renew` replace the sessions that were opened before this change. */
  setRole(role: Person['role'], now: Date): void {
    if (!this.isThere) return
    this.#runSql('update _account set role = ?, role_at = ? where role <> ?', role, now.toISOString(), role)
  }

  /**
   * Stores which member of the operator's organization this account belongs to. `dump` includes it, so the link is not lost when the app
   * moves to another cloud account.
   */
  setMember(member: string): void {
    this.#runSql('create table if not exists _member (member text not null)')
    this.#runSql('delete from _member')
    this.#runSql('insert into _member values (?)', member)
  }

  #readMember(): string | null {
    if (!hasTable(this.#runSql, '_member')) return null
    return this.#runSql<{ member: string }>('select member from _member')[0]?.member ?? null
  }

  setPassword(password: string): void {
    this.#runSql('update _account set password = ?', password)
  }

  /**
   * Called when a person first proves to receive mail to the address. Removes the password, all other sign-in methods and all
   * sessions, because they were set up without that proof.
   */
  markVerified(): void {
    this.#storage.transactionSync(() => {
      this.#runSql('update _account set verified = 1, password = null')
      this.credentials.clear()
      this.endSessions()
    })
  }

  /** Called when a signed-in person proves to receive mail to the address. Keeps their sessions and sign-in methods. */
  setVerified(): void {
    this.#runSql('update _account set verified = 1')
  }

  methods(): string[] {
    const dump = this.dump()
    return dump === null ? [] : methodsOf(dump)
  }

  /** Opens a session. `days` may be a fraction. An account keeps at most 100 sessions: the least recently used one is ended first. */
  openSession(device: string, days: number, now: Date): OpenedSession {
    const sessionId = newSecret(8)
    const secret = newSecret()
    const at = now.toISOString()
    const expiresAt = new Date(now.getTime() + days * DAY_MS).toISOString()
    this.#storage.transactionSync(() => {
      this.#runSql('delete from _sessions where expires_at < ?', at)
      this.#runSql(
        `delete from _sessions where id in
           (select id from _sessions order by last_seen_at desc limit -1 offset ?)`,
        SESSIONS_MAX - 1,
      )
      const insert = 'insert into _sessions values (?, ?, ?, ?, ?, ?)'
      this.#runSql(insert, sessionId, sha256Hex(secret), device, at, at, expiresAt)
    })
    return { sessionId, secret, expiresAt }
  }

  /** Returns the person of a session; null when the session is not valid. */
  person({ userId, sessionId, secret }: SessionToken, now: Date): Person | null {
    const session = this.#validSession(sessionId, secret, now)
    if (session === null) return null
    if (now.getTime() - Date.parse(session.last_seen_at) > LAST_SEEN_WRITE_MS)
      this.#runSql('update _sessions set last_seen_at = ? where id = ?', now.toISOString(), sessionId)
    const role = this.read()?.role
    return role === undefined ? null : { userId, role }
  }

  /**
   * Extends a session when half of its time has passed. Replaces a session that was opened before the role changed, so that a stolen copy
   * of its secret does not get the rights of the new role. Returns what changed, or null.
   */
  renew(sessionId: string, days: number, now: Date): Renewal | null {
    const sql = 'select s.*, s.created_at < role_at as isOlder from _sessions s, _account where id = ?'
    const [session] = this.#runSql<StoredSession & { isOlder: 0 | 1 | null }>(sql, sessionId)
    const endsMs = Date.parse(String(session?.expires_at))
    const isShort = endsMs - Date.parse(String(session?.created_at)) <= NOT_RENEWED_MS
    const leftMs = endsMs - now.getTime()
    const isReplaced = session?.isOlder === 1
    // A session from before the role change that has at most a minute left counts as replaced already.
    if (isReplaced ? leftMs <= REPLACED_SESSION_MS : isShort || !(leftMs < (days * DAY_MS) / 2)) return null
    const expiresAt = new Date(
      now.getTime() + (isReplaced ? REPLACED_SESSION_MS : days * DAY_MS),
    ).toISOString()
    this.#runSql('update _sessions set expires_at = ? where id = ?', expiresAt, sessionId)
    return isReplaced ? this.openSession(session.device, leftMs / DAY_MS, now) : { expiresAt }
  }

  /** Returns the sessions that have not ended, most recently used first. */
  sessions(currentId: string | null, now: Date): Session[] {
    if (!this.isThere) return []
    return this.#runSql<Omit<Session, 'current'>>(
      `select id, device, created_at as createdAt, last_seen_at as lastSeenAt from _sessions
       where expires_at > ? order by last_seen_at desc, id`,
      now.toISOString(),
    ).map((row) => ({ ...row, current: row.id === currentId }))
  }

  endSession(id: string): boolean {
    return this.#runSql('delete from _sessions where id = ? returning id', id).length > 0
  }

  /** Ends every session except `exceptId`; with null, all of them. */
  endSessions(exceptId: string | null = null): void {
    if (this.isThere) this.#runSql('delete from _sessions where id is not ?', exceptId)
  }

  /** Returns the account with its sessions and sign-in methods, for a move to another cloud account; null when there is no account. */
  dump(): AccountDump | null {
    const account = this.read()
    if (account === null) return null
    const columns = 'id, hash, device, created_at, last_seen_at, expires_at'
    const sessions = this.#runSql<StoredSession>(`select ${columns} from _sessions`)
    return {
      account,
      sessions,
      member: this.#readMember(),
      ...this.credentials.dump(),
    }
  }

  /** Stores a dump from another Durable Object. Calling it again with the same dump is safe. */
  restore({ account, sessions, member, passkeys, identities }: AccountDump): void {
    this.create(account)
    if (member != null) this.setMember(member)
    this.#storage.transactionSync(() => {
      this.credentials.restore({ passkeys, identities })
      for (const { id, hash, device, created_at, last_seen_at, expires_at } of sessions) {
        const insert = 'insert or replace into _sessions values (?, ?, ?, ?, ?, ?)'
        this.#runSql(insert, id, hash, device, created_at, last_seen_at, expires_at)
      }
    })
  }

  #validSession(sessionId: string, secret: string, now: Date): Pick<StoredSession, 'last_seen_at'> | null {
    if (!this.isThere) return null
    const sql = 'select last_seen_at from _sessions where id = ? and hash = ? and expires_at > ?'
    const values = [sessionId, sha256Hex(secret), now.toISOString()]
    return this.#runSql<Pick<StoredSession, 'last_seen_at'>>(sql, ...values)[0] ?? null
  }
}

/** Returns the sign-in methods of an account: `password`, `passkey` and the ids of providers. */
export const methodsOf = ({ account, passkeys, identities }: AccountDump): string[] => [
  ...(account.password === null ? [] : ['password']),
  ...(passkeys.length === 0 ? [] : ['passkey']),
  ...identities.map(({ provider }) => provider),
]

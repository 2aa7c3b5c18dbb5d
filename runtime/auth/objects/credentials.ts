import type { SyncStorage } from 'cloudflare:workers'
import type { Passkey } from '../types.ts'
import { type RunSql, sqlRunner } from '../../kernel/objects/sql.ts'

const PASSKEYS_MAX = 20

export interface StoredPasskey {
  /** The credential's id as base64url. */
  id: string
  /** The public key as SubjectPublicKeyInfo, encoded as base64url. */
  key: string
  /** The COSE number of the key's algorithm, such as -7 for ES256. */
  algorithm: number
  /** The host that the passkey was made for. It works on no other host. */
  rpId: string
  counter: number
  name: string
  createdAt: string
  lastUsedAt: string | null
}

export interface Identity {
  provider: string
  subject: string
}

const PASSKEY_COLUMNS =
  'id, key, algorithm, rp_id as rpId, counter, name, created_at as createdAt, last_used_at as lastUsedAt'

export class Credentials {
  readonly #runSql: RunSql

  constructor(storage: SyncStorage) {
    this.#runSql = sqlRunner(storage)
  }

  createTables(): void {
    this.#runSql(`create table if not exists _passkeys (id text primary key, key text not null, algorithm integer not null,
      rp_id text not null, counter integer not null, name text not null, created_at text not null,
      last_used_at text) without rowid`)
    this.#runSql(`create table if not exists _identities (provider text not null, subject text not null,
      primary key (provider, subject)) without rowid`)
  }

  /** Adds a passkey. Returns false when the account already has `PASSKEYS_MAX` passkeys. */
  add(passkey: StoredPasskey): boolean {
    if (this.list().length >= PASSKEYS_MAX) return false
    this.#insertPasskey(passkey)
    return true
  }

  find(id: string): StoredPasskey | null {
    return this.#runSql<StoredPasskey>(`select ${PASSKEY_COLUMNS} from _passkeys where id = ?`, id)[0] ?? null
  }

  /**
   * Records a use. Returns false when the counter did not grow, because then another device may have a copy of the key. Most
   * authenticators do not count and always send 0, which is accepted.
   */
  use(id: string, counter: number, now: string): boolean {
    const sql = `update _passkeys set counter = ?, last_used_at = ?
      where id = ? and (counter < ? or (counter = 0 and ? = 0)) returning id`
    return this.#runSql(sql, counter, now, id, counter, counter).length > 0
  }

  /** Returns the passkeys, oldest first. */
  list(): Passkey[] {
    const sql = 'select id, name, created_at as createdAt, last_used_at as lastUsedAt from _passkeys'
    return this.#runSql<Passkey>(`${sql} order by created_at, id`)
  }

  /** Returns false when nothing was removed: there is no such passkey, or it is the last passkey and `isLastKept` is true. */
  remove(id: string, isLastKept: boolean): boolean {
    const sql =
      'delete from _passkeys where id = ? and (? = 0 or (select count(*) from _passkeys) > 1) returning id'
    return this.#runSql(sql, id, Number(isLastKept)).length > 0
  }

  link({ provider, subject }: Identity): void {
    this.#runSql('insert or ignore into _identities values (?, ?)', provider, subject)
  }

  clear(): void {
    this.#runSql('delete from _passkeys')
    this.#runSql('delete from _identities')
  }

  dump(): { passkeys: StoredPasskey[]; identities: Identity[] } {
    const passkeys = this.#runSql<StoredPasskey>(`select ${PASSKEY_COLUMNS} from _passkeys`)
    const identities = this.#runSql<Identity>('select provider, subject from _identities')
    return { passkeys, identities }
  }

  /** Stores what `dump` returned. Idempotent. */
  restore({ passkeys, identities }: { passkeys: StoredPasskey[]; identities: Identity[] }): void {
    for (const passkey of passkeys) this.#insertPasskey(passkey)
    for (const identity of identities) this.link(identity)
  }

  #insertPasskey({ id, key, algorithm, rpId, counter, name, createdAt, lastUsedAt }: StoredPasskey): void {
    const insert = 'insert or replace into _passkeys values (?, ?, ?, ?, ?, ?, ?, ?)'
    this.#runSql(insert, id, key, algorithm, rpId, counter, name, createdAt, lastUsedAt)
  }
}

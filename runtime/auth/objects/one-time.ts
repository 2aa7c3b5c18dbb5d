import type { SyncStorage } from 'cloudflare:workers'
import { type RunSql, sqlRunner } from '../../kernel/objects/sql.ts'
import type { JsonText } from '../../kernel/json-text.ts'
import type { OauthSignIn } from '../types.ts'

/** A code or token becomes invalid after this many wrong guesses. */
const TRIES_MAX = 5

/** What a code or token is for. It is not valid for any other purpose. */
export type Purpose =
  | 'sign-up'
  | 'sign-in'
  | 'verify'
  | 'reset'
  | 'passkey'
  | 'new-passkey'
  | keyof OneTimePayloads

/**
 * The purposes whose payload is more than an address, with the type of that payload. A capability adds its own purpose in its `types.ts`.
 */
export interface OneTimePayloads {
  oauth: JsonText<OauthSignIn>
}

type PayloadOf<For extends Purpose> = For extends keyof OneTimePayloads ? OneTimePayloads[For] : string

/** A purpose whose payload is an address or empty. */
export type PlainPurpose = Exclude<Purpose, keyof OneTimePayloads>

/** A secret that is valid once and for a short time: a code, the token of a link, a challenge. Only its hash is stored. */
export interface OneTimeValue<For extends Purpose = Purpose> {
  purpose: For
  /** Whom the code is for: an email address or a user id. For a value that names no person, such as a link's token, this is the hash. */
  subject: string
  hash: string
  /** The text that is returned when the value is redeemed. */
  payload: PayloadOf<For>
  ttlMs: number
}

export type AnyOneTimeValue = { [For in Purpose]: OneTimeValue<For> }[Purpose]

/** The call `redeem`, whose result depends on the purpose. */
export type RedeemMethod = <For extends Purpose>(
  kind: 'redeem',
  ask: Pick<OneTimeValue<For>, 'purpose' | 'subject' | 'hash'>,
) => Promise<PayloadOf<For> | null>

/** Stores one-time values. A new value replaces the one with the same purpose and subject. */
export class OneTimeValues {
  readonly #runSql: RunSql

  constructor(storage: SyncStorage) {
    this.#runSql = sqlRunner(storage)
    this.#runSql(`create table if not exists one_time (purpose text not null, subject text not null, hash text not null,
      payload text not null, tries integer not null, expires_at integer not null,
      primary key (purpose, subject)) without rowid`)
    this.#runSql('create index if not exists one_time_expiry on one_time (expires_at)')
  }

  issue({ purpose, subject, hash, payload, ttlMs }: OneTimeValue, nowMs: number): void {
    this.#runSql('delete from one_time where expires_at < ?', nowMs)
    const insert = 'insert or replace into one_time values (?, ?, ?, ?, 0, ?)'
    this.#runSql(insert, purpose, subject, hash, payload, nowMs + ttlMs)
  }

  /** Returns the payload and invalidates the value; null for a wrong, used or expired value. Every guess is counted. */
  redeem(
    { purpose, subject, hash }: Pick<OneTimeValue, 'purpose' | 'subject' | 'hash'>,
    nowMs: number,
  ): string | null {
    const counted = `update one_time set tries = tries + 1
      where purpose = ? and subject = ? and expires_at >= ? and tries < ? returning hash, payload`
    const values = [purpose, subject, nowMs, TRIES_MAX]
    const [row] = this.#runSql<Pick<OneTimeValue, 'hash' | 'payload'>>(counted, ...values)
    if (row?.hash !== hash) return null
    this.#runSql('delete from one_time where purpose = ? and subject = ?', purpose, subject)
    return row.payload
  }

  /** Removes the values of a person. `whom` is an address or a user id. */
  forget(whom: string): void {
    const isInPayload = `exists (select 1 from json_each(iif(json_valid(payload), payload, '[]')) where value = ?)`
    this.#runSql(`delete from one_time where subject = ? or payload = ? or ${isInPayload}`, whom, whom, whom)
  }
}

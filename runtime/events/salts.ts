import type { SyncStorage } from 'cloudflare:workers'
import { newKey } from '../kernel/secrets.ts'
import { type RunSql, sqlRunner } from '../kernel/objects/sql.ts'
import { DAY_MS } from '../kernel/durations.ts'

/** A salt is used for one day. It is deleted when the following day ends, at most 48 hours after it was created. */
const RETENTION_DAYS = 2

/** The random key of a day. Once it is deleted, the day's visits cannot be linked to visits of other days. */
export interface DailySalt {
  day: string
  salt: string
}

/**
 * The salts of production or of the preview, stored in its directory object. They are not copied when an app
 * moves to another cloud account.
 */
export class EventSalts {
  readonly #runSql: RunSql

  constructor(storage: SyncStorage) {
    this.#runSql = sqlRunner(storage)
    this.#runSql('create table if not exists event_salts (day integer primary key, salt text not null)')
  }

  /** Returns the salt of the day. The first call of a day creates it. */
  of(nowMs: number): DailySalt {
    const day = Math.floor(nowMs / DAY_MS)
    this.#runSql('insert or ignore into event_salts values (?, ?)', day, newKey())
    const [row] = this.#runSql<{ salt: string }>('select salt from event_salts where day = ?', day)
    return { day: new Date(day * DAY_MS).toISOString().slice(0, 10), salt: String(row?.salt) }
  }

  /** Deletes old salts. Returns when the oldest remaining salt must be deleted; null when there is none. */
  expire(nowMs: number): number | null {
    this.#runSql('delete from event_salts where day <= ?', Math.floor(nowMs / DAY_MS) - RETENTION_DAYS)
    const oldest = this.#runSql<{ day: number | null }>('select min(day) as day from event_salts')[0]?.day
    return typeof oldest === 'number' ? (oldest + RETENTION_DAYS) * DAY_MS : null
  }
}

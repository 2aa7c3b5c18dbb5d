import type { SyncStorage } from 'cloudflare:workers'
import type { JobClaim } from './types.ts'
import { DAY_MS } from '../kernel/durations.ts'

/** A sender that has not called `sent` or `release` within this time counts as failed, and the next sender sends the job. */
const LEASE_MS = 10_000

/**
 * Stores for a day which job keys were used. A key is `sent` only once its job is in the queue, so when a sender fails, the next sender
 * sends the job under the same id.
 */
export class JobKeys {
  readonly #storage: SyncStorage
  #hasTable = false

  constructor(storage: SyncStorage) {
    this.#storage = storage
  }

  #runSql<Row = unknown>(sql: string, ...values: unknown[]): Row[] {
    if (!this.#hasTable) {
      const { sql: database } = this.#storage
      database.exec(`create table if not exists job_keys (key text primary key, id text not null, at integer not null,
        sent integer not null, leased_until integer not null) without rowid`)
      database.exec('create index if not exists job_keys_at on job_keys (at)')
      this.#hasTable = true
    }
    return this.#storage.sql.exec<Row>(sql, ...values).toArray()
  }

  claim(key: string, id: string, nowMs: number): JobClaim {
    return this.#storage.transactionSync(() => {
      this.#runSql('delete from job_keys where at <= ?', nowMs - DAY_MS)
      const [known] = this.#runSql<{ id: string; sent: 0 | 1; leased_until: number }>(
        'select id, sent, leased_until from job_keys where key = ?',
        key,
      )
      if (known === undefined) {
        this.#runSql('insert into job_keys values (?, ?, ?, 0, ?)', key, id, nowMs, nowMs + LEASE_MS)
        return { state: 'yours', id }
      }
      const first = known.id
      if (known.sent === 1) return { state: 'sent', id: first }
      if (known.leased_until > nowMs) return { state: 'busy', id: first }
      this.#runSql('update job_keys set leased_until = ? where key = ?', nowMs + LEASE_MS, key)
      return { state: 'yours', id: first }
    })
  }

  sent(key: string): void {
    this.#runSql('update job_keys set sent = 1 where key = ?', key)
  }

  /** Called when sending failed, so that the next caller may send the job. */
  release(key: string): void {
    this.#runSql('update job_keys set leased_until = 0 where key = ? and sent = 0', key)
  }
}

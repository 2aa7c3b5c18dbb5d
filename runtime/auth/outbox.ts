import type { SyncStorage } from 'cloudflare:workers'

const KEPT_MAX = 200
const KEPT_MS = 7 * 86_400_000

/** A message to a person of the app. */
export interface Mail {
  to: string
  subject: string
  text: string
}

/** A message that was not sent, because the app cannot send mail yet. */
export interface KeptMail extends Mail {
  id: number
  createdAt: string
}

/** The newest messages of a tier that were not sent, for a week. */
export class Outbox {
  readonly #storage: SyncStorage

  constructor(storage: SyncStorage) {
    this.#storage = storage
    this.#run(`create table if not exists outbox (id integer primary key autoincrement, recipient text not null,
      subject text not null, body text not null, created_at text not null)`)
  }

  #run(sql: string, ...values: unknown[]): Record<string, unknown>[] {
    return this.#storage.sql.exec(sql, ...values).toArray()
  }

  /** Without a message it does as much work and keeps nothing, so that its time does not tell whether there is one. */
  keep(mail: Mail | null, now: Date): void {
    const { to, subject, text } = mail ?? { to: '', subject: '', text: '' }
    const insert = 'insert into outbox (recipient, subject, body, created_at) values (?, ?, ?, ?)'
    this.#run(insert, to, subject, text, now.toISOString())
    this.#run(
      `delete from outbox where created_at < ? or id in
         (select id from outbox where recipient <> '' order by id desc limit -1 offset ${KEPT_MAX})`,
      staleAt(now),
    )
    if (mail === null) this.forget('')
  }

  /** Returns the newest first. */
  newest(limit: number, now: Date): KeptMail[] {
    const sql = `select id, recipient as "to", subject, body as text, created_at as createdAt from outbox
      where created_at >= ? order by id desc limit ?`
    return this.#run(sql, staleAt(now), limit) as unknown as KeptMail[]
  }

  /** Returns how many messages to an address there are. */
  count(to: string): number {
    return this.#run('select 1 from outbox where recipient = ?', to).length
  }

  /** Removes the messages to an address. */
  forget(to: string): void {
    this.#run('delete from outbox where recipient = ?', to)
  }
}

const staleAt = (now: Date): string => new Date(now.getTime() - KEPT_MS).toISOString()

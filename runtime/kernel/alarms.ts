import type { ObjectStorage } from 'cloudflare:workers'

/** A handler that did not end is called again after this time. */
const RETRY_MS = 30_000

/**
 * Several alarms on the one that an object has. A part declares its kinds in `wake`. Each has one time; the earliest is set. A kind that is due stays
 * stored until its handler is done, so an object that ends in between wakes up for it again.
 */
export class Alarms {
  readonly #storage: ObjectStorage
  #isThere = false

  constructor(storage: ObjectStorage) {
    this.#storage = storage
  }

  #run<Row = Record<string, unknown>>(sql: string, ...values: unknown[]): Row[] {
    return this.#storage.sql.exec<Row>(sql, ...values).toArray()
  }

  /** Replaces an earlier time of the same kind. */
  set(kind: string, atMs: number): void {
    if (!this.#isThere)
      this.#run(
        'create table if not exists _alarms (kind text primary key, at integer not null) without rowid',
      )
    this.#isThere = true
    this.#run('insert into _alarms values (?, ?) on conflict do update set at = excluded.at', kind, atMs)
    this.#arm()
  }

  /** For an object that was emptied: its tables do not exist any more. */
  reset(): void {
    this.#isThere = false
  }

  /**
   * Calls the handlers of all kinds that are due. A handler that throws is called again later, and the others are called all the
   * same; the first error is thrown at the end.
   */
  async wake(handlers: Readonly<Record<string, () => unknown>>, nowMs: number): Promise<void> {
    const failures: unknown[] = []
    const againAt = nowMs + RETRY_MS
    for (const kind of this.#due(handlers, nowMs)) {
      this.set(kind, againAt)
      try {
        await handlers[kind]?.()
        // Unless the handler has set another time.
        this.#run('delete from _alarms where kind = ? and at = ?', kind, againAt)
      } catch (error) {
        failures.push(error)
      }
    }
    this.#arm()
    if (failures.length > 0) throw failures[0]
  }

  /** An alarm without a stored kind was set by an earlier version, so all handlers are called. */
  #due(handlers: Readonly<Record<string, () => unknown>>, nowMs: number): string[] {
    if (!this.#exists()) return Object.keys(handlers)
    return this.#run('select kind from _alarms where at <= ?', nowMs).map(({ kind }) => String(kind))
  }

  #exists(): boolean {
    const sql = "select 1 from sqlite_master where type = 'table' and name = '_alarms'"
    this.#isThere ||= this.#run(sql).length > 0
    return this.#isThere
  }

  #arm(): void {
    if (!this.#exists()) return
    const at = this.#run('select min(at) as at from _alarms')[0]?.['at']
    if (typeof at === 'number') void this.#storage.setAlarm(at)
  }
}

import type { ObjectStorage } from 'cloudflare:workers'
import { hasTable, type RunSql, sqlRunner } from './sql.ts'

/** A handler that did not finish is called again after this time. */
const RETRY_MS = 30_000

/**
 * Runs several kinds of alarms on a Durable Object's single alarm, which is set to the earliest of their times. A due kind stays stored
 * until its handler has returned, so after an interruption the handler is called again. A capability declares its handlers in `wake` of its
 * `part.ts`.
 */
export class Alarms {
  readonly #storage: ObjectStorage
  readonly #runSql: RunSql
  /** Kinds for which `set` was called after their handler was started. */
  readonly #setKinds = new Set<string>()

  constructor(storage: ObjectStorage) {
    this.#storage = storage
    this.#runSql = sqlRunner(storage)
  }

  /** Sets when the handler of a kind is called next. Replaces the time that was set for this kind before. */
  set(kind: string, atMs: number): void {
    this.#runSql(
      'create table if not exists _alarms (kind text primary key, at integer not null) without rowid',
    )
    this.#setKinds.add(kind)
    this.#runSql('insert into _alarms values (?, ?) on conflict do update set at = excluded.at', kind, atMs)
    this.#setAlarm()
  }

  /**
   * Calls the handlers of all kinds that are due. A handler that throws does not stop the others and is
   * retried later; its error is thrown at the end (the first one, if several throw).
   */
  async wake(handlers: Readonly<Record<string, () => unknown>>, nowMs: number): Promise<void> {
    const failures: unknown[] = []
    for (const kind of this.#dueKinds(handlers, nowMs)) {
      this.set(kind, nowMs + RETRY_MS)
      this.#setKinds.delete(kind)
      try {
        await handlers[kind]?.()
        // Keep a time that the handler has set itself, even one that equals the retry time. The handler may also have deleted all of the
        // object's data, including this table.
        if (!this.#setKinds.has(kind) && this.#hasTable())
          this.#runSql('delete from _alarms where kind = ?', kind)
      } catch (error) {
        failures.push(error)
      }
    }
    this.#setAlarm()
    if (failures.length > 0) throw failures[0]
  }

  /** Returns the kinds that are due. An alarm without a stored kind was set by an earlier version; then all kinds are due. */
  #dueKinds(handlers: Readonly<Record<string, () => unknown>>, nowMs: number): string[] {
    if (!this.#hasTable()) return Object.keys(handlers)
    return this.#runSql<{ kind: string }>('select kind from _alarms where at <= ?', nowMs).map(
      ({ kind }) => kind,
    )
  }

  // Checked every time, because the Durable Object's storage, with this table, may have been deleted since.
  #hasTable(): boolean {
    return hasTable(this.#runSql, '_alarms')
  }

  #setAlarm(): void {
    if (!this.#hasTable()) return
    const at = this.#runSql<{ at: number | null }>('select min(at) as at from _alarms')[0]?.at
    if (typeof at === 'number') void this.#storage.setAlarm(at)
  }
}

import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { chmodSync } from 'node:fs'

export type StoredRow = Record<string, unknown>

/** The SQLite file that all stand-ins share. A write is on disk when the call returns. */
export class Store {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  #depth = 0

  /** Opens the file and applies the migrations in `steps` that were not applied yet. */
  constructor(path: string, steps: readonly string[]) {
    this.#db = new DatabaseSync(path)
    // Worker secrets are stored in plain text, so only the owner may read the file.
    if (path !== ':memory:') chmodSync(path, 0o600)
    try {
      this.#db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON')
      this.#migrateSchema(steps)
    } catch (error) {
      this.#db.close()
      throw error
    }
  }

  get<T = StoredRow>(sql: string, ...params: SQLInputValue[]): T | undefined {
    return this.#prepareOnce(sql).get(...params) as T | undefined
  }

  all<T = StoredRow>(sql: string, ...params: SQLInputValue[]): T[] {
    return this.#prepareOnce(sql).all(...params) as T[]
  }

  run(sql: string, ...params: SQLInputValue[]): number {
    return Number(this.#prepareOnce(sql).run(...params).changes)
  }

  /** Runs `work` in a transaction. A nested call joins the outer transaction. */
  transact<T>(work: () => T): T {
    if (this.#depth > 0) return work()
    this.#db.exec('BEGIN IMMEDIATE')
    this.#depth++
    try {
      const result = work()
      this.#db.exec('COMMIT')
      return result
    } catch (error) {
      this.#rollBack()
      throw error
    } finally {
      this.#depth--
    }
  }

  /** Runs `work` in a transaction that is then rolled back, to find out what a change would do. */
  dryRun(work: () => void): void {
    this.#db.exec('BEGIN IMMEDIATE')
    this.#depth++
    try {
      work()
    } finally {
      this.#depth--
      this.#rollBack()
    }
  }

  close(): void {
    this.#statements.clear()
    this.#db.close()
  }

  /** Does nothing when SQLite has rolled back the transaction itself, for example because the disk is full. */
  #rollBack(): void {
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
  }

  #prepareOnce(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#db.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  #migrateSchema(steps: readonly string[]): void {
    const { user_version: at } = this.#db.prepare('PRAGMA user_version').get() as { user_version: number }
    for (const [index, step] of steps.entries()) {
      if (index >= at) this.#db.exec(`BEGIN; ${step}; PRAGMA user_version=${index + 1}; COMMIT`)
    }
  }
}

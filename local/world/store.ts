import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { chmodSync } from 'node:fs'

/**
 * The SQLite file that all stand-ins share. A write is on disk when the call returns. A query whose columns are read names the type of its
 * rows, which is not checked; without it no column can be read.
 */
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

  get<Row = unknown>(sql: string, ...params: SQLInputValue[]): Row | undefined {
    return this.#prepareOnce(sql).get(...params) as Row | undefined
  }

  all<Row = unknown>(sql: string, ...params: SQLInputValue[]): Row[] {
    return this.#prepareOnce(sql).all(...params) as Row[]
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

/** Returns a result of a query that cannot be empty, for example because the row was just written. Throws when it is empty. */
export function requireStored<T>(found: T | null | undefined): T {
  if (found === null || found === undefined) throw new Error('a stored row is missing')
  return found
}

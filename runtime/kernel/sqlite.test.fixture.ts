import type { SyncStorage } from 'cloudflare:workers'
import { DatabaseSync } from 'node:sqlite'

/** An object's storage on the SQLite of Node. */
export function memoryStorage(): SyncStorage {
  const db = new DatabaseSync(':memory:')
  return {
    sql: {
      exec(query: string, ...values: unknown[]) {
        const rows = db.prepare(query).all(...(values as (string | number | null)[]))
        const raw = () => ({ toArray: () => rows.map((row) => Object.values(row)) })
        return { toArray: () => rows, raw, rowsWritten: 0 }
      },
    },
    transactionSync<T>(work: () => T): T {
      db.exec('begin')
      try {
        const result = work()
        db.exec('commit')
        return result
      } catch (error) {
        db.exec('rollback')
        throw error
      }
    },
  }
}

import type { SyncStorage } from 'cloudflare:workers'
import { DatabaseSync } from 'node:sqlite'

/** Implements the storage of a Durable Object with Node's SQLite. */
export function memoryStorage(): SyncStorage {
  const db = new DatabaseSync(':memory:')
  let depth = 0
  const total = db.prepare('select total_changes() as n')
  const changes = () => Number(total.get()?.['n'])
  return {
    sql: {
      exec<Row>(query: string, ...values: unknown[]) {
        const before = changes()
        const rows = db.prepare(query).all(...(values as (string | number | null)[]))
        const rowsWritten = changes() - before
        const raw = () => ({ toArray: () => rows.map((row) => Object.values(row)) })
        return { toArray: () => rows as Row[], raw, rowsWritten }
      },
    },
    transactionSync<T>(work: () => T): T {
      // Savepoints allow nested transactions.
      const name = `s${depth++}`
      db.exec(`savepoint ${name}`)
      try {
        return work()
      } catch (error) {
        db.exec(`rollback to ${name}`)
        throw error
      } finally {
        db.exec(`release ${name}`)
        depth--
      }
    },
  }
}

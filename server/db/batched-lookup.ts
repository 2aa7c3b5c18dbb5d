import type { Pool } from 'pg'
import { preparedQuery } from './database.ts'

type WaitingCallers<Row> = Map<string, PromiseWithResolvers<Row | undefined>>

/**
 * Declares a frequent look-up of single rows by a text key. `sql` has one parameter, `:keys`, an array of all keys,
 * and `keyOf` returns the key of a row. Calls in the same turn of the event loop share one statement, because under
 * load a round trip to the database costs more than a row. Results are not cached: the statement starts after all the
 * calls that share it.
 */
export function batchedLookup<Row>(
  name: string,
  sql: string,
  keyOf: (row: Row) => string,
): (pool: Pool, key: string) => Promise<Row | undefined> {
  const select = preparedQuery<Row, { keys: string[] }>(name, sql)
  const waiting = new WeakMap<Pool, WaitingCallers<Row>>()
  const runLookUp = async (pool: Pool, calls: WaitingCallers<Row>) => {
    waiting.delete(pool)
    try {
      for (const row of await select(pool, { keys: [...calls.keys()] })) {
        const key = keyOf(row)
        calls.get(key)?.resolve(row)
        calls.delete(key)
      }
      for (const call of calls.values()) call.resolve(undefined)
    } catch (error) {
      for (const call of calls.values()) call.reject(error)
    }
  }
  return (pool, key) => {
    let calls = waiting.get(pool)
    if (calls === undefined) {
      const begun: WaitingCallers<Row> = new Map()
      waiting.set(pool, (calls = begun))
      // `setImmediate` runs after the poll phase, when every request received so far has made its call.
      setImmediate(() => void runLookUp(pool, begun))
    }
    let call = calls.get(key)
    if (call === undefined) calls.set(key, (call = Promise.withResolvers()))
    return call.promise
  }
}

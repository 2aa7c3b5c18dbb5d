import type { Pool } from 'pg'
import Cursor, { type CursorQueryConfig } from 'pg-cursor'

/** Few enough to hold little memory, enough to make the round trips between them disappear. */
const BATCH = 2000

const AS_TEXTS: CursorQueryConfig = {
  rowMode: 'array',
  types: { getTypeParser: () => (text: string) => text },
}

/**
 * The rows of one long query in batches, from one snapshot, read only as fast as the consumer takes them. The
 * connection is given back when the rows are over, when the consumer stops and when `signal` is aborted. `texts`: a
 * row is the array of its columns' texts as Postgres sends them, at half the cost of an object.
 */
export async function* readCursor<Row>(
  pool: Pool,
  sql: string,
  params: unknown[],
  options: { batch?: number; signal?: AbortSignal; texts?: true } = {},
): AsyncGenerator<Row[]> {
  const { batch = BATCH, signal } = options
  const client = await pool.connect()
  // A reader that never comes back is cut off by the server: its place in the pool must not stay taken.
  let isOut = true
  const giveBack = (broken: boolean) => {
    if (isOut) client.release(broken)
    isOut = false
  }
  const cutOff = () => giveBack(true)
  client.once('end', cutOff)
  try {
    // No limit on the whole: how long it takes is up to the reader.
    await client.query('begin isolation level repeatable read read only; set local statement_timeout = 0')
    const cursor = client.query(new Cursor<Row>(sql, params, options.texts && AS_TEXTS))
    let next = cursor.read(batch)
    for (;;) {
      const rows = await next
      signal?.throwIfAborted()
      if (rows.length === 0) break
      // One batch ahead: Postgres works while the consumer does. Nobody awaits it once the consumer has stopped.
      next = cursor.read(batch)
      next.catch(() => {})
      yield rows
    }
    await cursor.close()
    await client.query('commit')
    client.off('end', cutOff)
    giveBack(false)
  } finally {
    // A reader that stopped in the middle leaves a transaction behind: ending the connection ends it at once.
    giveBack(true)
  }
}

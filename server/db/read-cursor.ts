import type { Pool, PoolClient } from 'pg'
import Cursor, { type CursorQueryConfig } from 'pg-cursor'

/** Few enough rows to need little memory, and enough that round trips do not matter. */
const ROWS_PER_READ = 2000

const ROWS_AS_TEXTS: CursorQueryConfig = {
  rowMode: 'array',
  types: { getTypeParser: () => (text: string) => text },
}

interface Options {
  batch?: number
  signal?: AbortSignal
  texts?: true
}

/**
 * Yields the rows of one long query in batches, from one snapshot, only as fast as the consumer takes them.
 * Releases the connection at the end, when the consumer stops and when `signal` is aborted. With `texts` a
 * row is the array of its columns as Postgres sends them, at half the cost of an object.
 */
export function readCursor<Row>(
  pool: Pool,
  sql: string,
  params: unknown[],
  { batch = ROWS_PER_READ, signal, texts }: Options = {},
): AsyncGenerator<Row[]> {
  return readSnapshot(pool, async function* (client) {
    const cursor = client.query(new Cursor<Row>(sql, params, texts && ROWS_AS_TEXTS))
    let next = cursor.read(batch)
    for (;;) {
      const rows = await next
      signal?.throwIfAborted()
      if (rows.length === 0) break
      // Reads one batch ahead, so that Postgres works while the consumer does. The promise is not awaited
      // when the consumer stops.
      next = cursor.read(batch)
      next.catch(() => {})
      yield rows
    }
    await cursor.close()
  })
}

/**
 * Yields what `read` yields, from one read-only snapshot of the database. Releases the connection at the end
 * and when the consumer stops.
 */
export async function* readSnapshot<Part>(
  pool: Pool,
  read: (client: PoolClient) => AsyncGenerator<Part>,
): AsyncGenerator<Part> {
  const client = await pool.connect()
  // When a consumer never continues, Postgres closes the connection. It must then be released at once,
  // because otherwise it would still count as one of the pool's connections.
  let isOut = true
  const giveBack = (broken: boolean) => {
    if (isOut) client.release(broken)
    isOut = false
  }
  const cutOff = () => giveBack(true)
  client.once('end', cutOff)
  try {
    // The read has no timeout, because its duration depends on the consumer.
    await client.query('begin isolation level repeatable read read only; set local statement_timeout = 0')
    yield* read(client)
    await client.query('commit')
    client.off('end', cutOff)
    giveBack(false)
  } finally {
    // A consumer that stopped midway leaves a transaction open. Closing the connection ends it at once.
    giveBack(true)
  }
}

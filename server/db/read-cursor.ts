import type { Pool, PoolClient } from 'pg'
import Cursor, { type CursorQueryConfig } from 'pg-cursor'

/**
 * The number of rows in a batch. It is small enough to need little memory, and large enough that the round trips take
 * little time.
 */
const ROWS_PER_READ = 2000

const ROWS_AS_TEXTS: CursorQueryConfig = {
  rowMode: 'array',
  types: { getTypeParser: () => (text: string) => text },
}

interface CursorOptions {
  batch?: number
  signal?: AbortSignal
  texts?: true
}

/**
 * Yields the rows of one query with many rows in batches, from one snapshot of the database. Reads only as fast as the
 * consumer takes them. Releases the connection at the end, when the consumer stops and when `signal` is aborted. With
 * `texts` a row is an array of its columns as strings, which takes half the time of creating an object.
 */
export function readCursor<Row>(
  pool: Pool,
  sql: string,
  params: unknown[],
  { batch = ROWS_PER_READ, signal, texts }: CursorOptions = {},
): AsyncGenerator<Row[]> {
  return readSnapshot(pool, async function* (client) {
    const cursor = client.query(new Cursor<Row>(sql, params, texts && ROWS_AS_TEXTS))
    let next = cursor.read(batch)
    for (;;) {
      const rows = await next
      signal?.throwIfAborted()
      if (rows.length === 0) break
      // Requests the next batch before the consumer has processed this one, so that Postgres and the consumer work at
      // the same time. When the consumer stops, this promise is not awaited.
      next = cursor.read(batch)
      next.catch(() => {})
      yield rows
    }
    await cursor.close()
  })
}

/**
 * Runs the generator `read` in one read-only snapshot of the database and yields its values. Releases the connection at
 * the end and when the consumer stops.
 */
export async function* readSnapshot<Part>(
  pool: Pool,
  read: (client: PoolClient) => AsyncGenerator<Part>,
): AsyncGenerator<Part> {
  const client = await pool.connect()
  // When a consumer pauses for too long, Postgres terminates the connection. Release it at that moment, because
  // otherwise the pool would still count the connection.
  let isReleased = false
  const releaseOnce = (broken: boolean) => {
    if (!isReleased) client.release(broken)
    isReleased = true
  }
  const onEnd = () => releaseOnce(true)
  client.once('end', onEnd)
  try {
    // The read has no timeout, because its duration depends on the consumer.
    await client.query('begin isolation level repeatable read read only; set local statement_timeout = 0')
    yield* read(client)
    await client.query('commit')
    client.off('end', onEnd)
    releaseOnce(false)
  } finally {
    // A consumer that stopped midway leaves a transaction open. Closing the connection ends it at once.
    releaseOnce(true)
  }
}

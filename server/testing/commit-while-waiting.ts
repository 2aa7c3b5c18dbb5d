import type { Pool, PoolClient } from 'pg'

const WAIT_MS_MAX = 20_000

/**
 * Starts `call` while another transaction has made `change` and is still open, and commits that transaction once `call` waits for one of
 * its locks. So `call` reads the state before the change and writes after it. `last` is what the transaction changes just before its
 * commit. Returns the result of `call`.
 */
export async function commitWhileWaiting<T>(
  pool: Pool,
  change: (other: PoolClient) => Promise<unknown>,
  call: () => Promise<T>,
  last?: (other: PoolClient) => Promise<unknown>,
): Promise<T> {
  const other = await pool.connect()
  try {
    await other.query('begin')
    await change(other)
    const waiting = call()
    // It may reject before the commit has returned; the last line throws the error.
    void waiting.catch(() => undefined)
    await untilBlocked(pool)
    await last?.(other)
    await other.query('commit')
    return await waiting
  } finally {
    other.release()
  }
}

async function untilBlocked(pool: Pool): Promise<void> {
  const blocked = `select from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where a.datname = current_database() and not l.granted`
  for (const end = performance.now() + WAIT_MS_MAX; (await pool.query(blocked)).rowCount === 0;)
    if (performance.now() > end) throw new Error('No transaction waits for a lock.')
}

import { inspect } from 'node:util'
import type { Pool, PoolClient } from 'pg'

const WAIT_MS_MAX = 20_000

/**
 * Starts `call` while another transaction has made `change` and is still open, and commits that transaction once `call` waits for one of
 * its locks. So `call` reads the state before the change and writes after it. `last` is what the transaction changes just before its
 * commit. Returns the result of `call`. Throws when `call` ends without waiting for a lock.
 */
export async function commitWhileWaiting<T>(
  pool: Pool,
  change: (other: PoolClient) => Promise<unknown>,
  call: () => Promise<T>,
  last?: (other: PoolClient) => Promise<unknown>,
): Promise<T> {
  const other = await pool.connect()
  const over = new AbortController()
  try {
    await other.query('begin')
    await change(other)
    const waiting = call()
    const early = waiting.then(
      (result) => {
        throw new Error(`The call did not wait for a lock. It returned ${inspect(result)}.`)
      },
      (cause: unknown) => {
        throw new Error(`The call did not wait for a lock. It threw ${inspect(cause)}.`, { cause })
      },
    )
    await Promise.race([early, untilBlocked(pool, over.signal)])
    await last?.(other)
    await other.query('commit')
    return await waiting
  } catch (error) {
    // Otherwise the next user of the connection would get an open transaction. After the commit this does nothing.
    await other.query('rollback')
    throw error
  } finally {
    over.abort()
    other.release()
  }
}

async function untilBlocked(pool: Pool, over: AbortSignal): Promise<void> {
  const blocked = `select from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where a.datname = current_database() and not l.granted`
  const end = performance.now() + WAIT_MS_MAX
  while (!over.aborted && (await pool.query(blocked)).rowCount === 0)
    if (performance.now() > end) throw new Error('No transaction waits for a lock.')
}

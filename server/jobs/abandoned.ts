import type { Pool, PoolClient } from 'pg'
import type { Core } from '../core.ts'
import { LOCK_CLASS } from '../db/locks.ts'
import type { JobDefinition } from './definition.ts'

interface FailedJob {
  id: string
  name: string
  data: unknown
  key: string | null
  output: unknown
}

/**
 * Calls `abandon` for jobs whose last attempt failed, and deletes them: in a strict queue such a job would block
 * every later one with the same key. A job whose `abandon` throws is kept for the next call. Only one process at a time
 * does this, so `abandon` is called twice for a job only when a process dies before the deletion. Also deletes jobs that
 * were completed more than an hour ago. Returns the number of failed jobs.
 */
export async function settleAbandoned<Given>(
  pool: Pool,
  platform: Given & Pick<Core, 'log'>,
  definitions: readonly JobDefinition<unknown, Given>[],
): Promise<number> {
  const client = await pool.connect()
  const onLost = (error: Error) => platform.log.warn({ err: error }, 'database connection lost')
  client.on('error', onLost)
  try {
    const { rows } = await client.query<{ isFree: boolean }>(
      `select pg_try_advisory_lock(${LOCK_CLASS.abandonedJobs}, 0) as "isFree"`,
    )
    const isFree = rows[0]?.isFree === true
    const settled = isFree ? await settleAll(client, platform, definitions) : 0
    if (isFree) await client.query(`select pg_advisory_unlock(${LOCK_CLASS.abandonedJobs}, 0)`)
    client.release()
    return settled
  } catch (error) {
    // Closing the connection releases the lock.
    client.release(true)
    throw error
  } finally {
    client.off('error', onLost)
  }
}

async function settleAll<Given>(
  client: PoolClient,
  platform: Given & Pick<Core, 'log'>,
  definitions: readonly JobDefinition<unknown, Given>[],
): Promise<number> {
  const names = definitions.map((definition) => definition.name)
  await client.query(
    `delete from pgboss.job
     where state = 'completed' and name = any($1) and completed_on < now() - interval '1 hour'`,
    [names],
  )
  const { rows } = await client.query<FailedJob>(
    `select id, name, data, singleton_key as key, output from pgboss.job where state = 'failed' and name = any($1)`,
    [names],
  )
  for (const job of rows) {
    const definition = definitions.find(({ name }) => name === job.name)
    platform.log.error(
      { job: job.name, key: job.key, reason: job.output },
      'job abandoned after its last try',
    )
    const data = definition?.data.safeParse(job.data)
    try {
      if (data?.success === true) await definition?.abandon?.(platform, data.data)
    } catch (err) {
      // One job that cannot be settled must not keep the others from being settled.
      platform.log.error({ err, job: job.name, key: job.key }, 'an abandoned job could not be settled')
      continue
    }
    await client.query(`delete from pgboss.job where name = $1 and id = $2 and state = 'failed'`, [
      job.name,
      job.id,
    ])
  }
  return rows.length
}

import type { Pool } from 'pg'
import type { Platform } from '../platform.ts'
import type { JobDefinition } from './definition.ts'

interface FailedJob {
  id: string
  name: string
  data: unknown
  key: string | null
  output: unknown
}

/**
 * Settles and removes jobs whose last attempt failed. In a strict queue such a job would block every later
 * one with the same key. Returns the number of jobs.
 */
export async function settleAbandoned(
  pool: Pool,
  platform: Platform,
  definitions: readonly JobDefinition<unknown>[],
): Promise<number> {
  const { rows } = await pool.query<FailedJob>(
    `select id, name, data, singleton_key as key, output from pgboss.job where state = 'failed' and name = any($1)`,
    [definitions.map((definition) => definition.name)],
  )
  for (const job of rows) {
    const definition = definitions.find(({ name }) => name === job.name)
    platform.log.error(
      { job: job.name, key: job.key, reason: job.output },
      'job abandoned after its last try',
    )
    const data = definition?.data.safeParse(job.data)
    if (data?.success === true) await definition?.abandon?.(platform, data.data)
    await pool.query(`delete from pgboss.job where name = $1 and id = $2 and state = 'failed'`, [
      job.name,
      job.id,
    ])
  }
  return rows.length
}

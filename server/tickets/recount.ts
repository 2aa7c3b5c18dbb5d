import { sql } from 'kysely'
import type { Core } from '../platform.ts'
import { listEveryProject } from '../projects/store.ts'
import type { ScheduledTask } from '../schedule/task.ts'

/** Comparing a project of a million tickets takes some seconds. */
const STATEMENT_SECONDS = 60

/**
 * Triggers maintain the counters; this compares them with a fresh count and repairs them, project by project.
 */
export const recountTickets: ScheduledTask = {
  name: 'recount-tickets',
  every: 'night',
  async run(platform, signal) {
    const projects = await listEveryProject(platform.db)
    for (const { id, org_id } of projects) {
      signal.throwIfAborted()
      try {
        const wrong = await recountProject(platform, id)
        if (wrong > 0)
          platform.log.error(
            { projectId: id, orgId: org_id, wrong },
            'ticket counters were wrong and are mended',
          )
      } catch (error) {
        // A project deleted meanwhile, or too large for the time limit; the others are still recounted.
        platform.log.warn({ err: error, projectId: id }, 'ticket counters were not compared')
      }
    }
  },
}

/** Repairs the counters of a project beside concurrent writers; returns how many were wrong. */
export function recountProject(platform: Pick<Core, 'db'>, projectId: string): Promise<number> {
  return platform.db.transaction().execute(async (trx) => {
    await sql.raw(`set local statement_timeout = '${STATEMENT_SECONDS}s'`).execute(trx)
    const { rows } = await sql<{ wrong: number }>`select recount_tickets(${projectId}) as wrong`.execute(trx)
    return rows[0]?.wrong ?? 0
  })
}

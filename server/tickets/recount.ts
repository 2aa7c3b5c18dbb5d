import { sql } from 'kysely'
import type { Core } from '../platform.ts'
import { listAllProjects } from '../projects/store.ts'
import type { ScheduledTask } from '../scheduled-task.ts'

/** The time limit for one project; a project of a million tickets takes some seconds. */
const STATEMENT_SECONDS = 60

/** Compares the counters that triggers maintain with a fresh count, and corrects them, project by project. */
export const recountTickets: ScheduledTask = {
  name: 'recount-tickets',
  every: 'night',
  async run(platform, signal) {
    const projects = await listAllProjects(platform.db)
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
        // The project was deleted meanwhile or takes too long. The other projects are still recounted.
        platform.log.warn({ err: error, projectId: id }, 'ticket counters were not compared')
      }
    }
  },
}

/** Corrects the counters of a project while tickets may change, and returns the number of wrong counters. */
export function recountProject(platform: Pick<Core, 'db'>, projectId: string): Promise<number> {
  return platform.db.transaction().execute(async (trx) => {
    await sql.raw(`set local statement_timeout = '${STATEMENT_SECONDS}s'`).execute(trx)
    const { rows } = await sql<{ wrong: number }>`select recount_tickets(${projectId}) as wrong`.execute(trx)
    return rows[0]?.wrong ?? 0
  })
}

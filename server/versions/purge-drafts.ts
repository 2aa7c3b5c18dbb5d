import { sql } from 'kysely'
import type { ScheduledTask } from '../schedule/task.ts'

const KEPT_MS = 14 * 86_400_000

/** Deletes drafts, which the next build of their ticket can start from, after two weeks. */
export const purgeDrafts: ScheduledTask = {
  name: 'purge-drafts',
  every: 'night',
  run: async (platform) => {
    const cutoff = new Date(platform.clock.now().getTime() - KEPT_MS)
    await sql`delete from git_refs where name like 'refs/runs/%' and created_at < ${cutoff}`.execute(
      platform.db,
    )
  },
}

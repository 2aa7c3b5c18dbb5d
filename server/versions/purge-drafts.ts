import { deleteOldRefs } from '../git/store.ts'
import type { ScheduledTask } from '../scheduled-task.ts'

const RETENTION_MS = 14 * 86_400_000

/**
 * Deletes the drafts of builds after two weeks: the files of a build that did not become a version. Until
 * then the next build of the ticket can start from them.
 */
export const purgeDrafts: ScheduledTask = {
  name: 'purge-drafts',
  every: 'night',
  run: async (platform) => {
    const cutoff = new Date(platform.clock.now().getTime() - RETENTION_MS)
    await deleteOldRefs(platform.db, 'refs/runs/', cutoff)
  },
}

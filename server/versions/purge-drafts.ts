import { deleteOldRefs } from '../git/store.ts'
import type { ScheduledTask } from '../scheduled-task.ts'

const RETENTION_MS = 14 * 86_400_000

/**
 * Deletes drafts after two weeks. A draft is the files of a build that did not become a version. Until it is
 * deleted, the next build of the ticket can start from it.
 */
export const purgeDrafts: ScheduledTask = {
  name: 'purge-drafts',
  every: 'night',
  run: async (platform) => {
    const cutoff = new Date(platform.clock.now().getTime() - RETENTION_MS)
    await deleteOldRefs(platform.db, 'refs/runs/', cutoff)
  },
}

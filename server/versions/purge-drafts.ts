import { isDeepStrictEqual } from 'node:util'
import { treesOfAwaitingBuilds } from '../builds/run/awaiting-trees.ts'
import { isBuilding } from '../builds/run/open-run.ts'
import { type Db, transact, type Trx } from '../db/database.ts'
import { lockProject } from '../db/locks.ts'
import {
  deleteUnreachable,
  expireOldRefs,
  projectsToCollect,
  reachableObjects,
  readRefTargets,
} from '../git/collect.ts'
import { readVersions } from '../history/versions.ts'
import type { ScheduledTask } from '../scheduled-task.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

const RETENTION_MS = 14 * DAY_MS

/**
 * Deletes drafts after two weeks, and the git objects that neither a version nor another draft contains. A draft consists of the files of a
 * build that did not become a version. The ticket's next build can start from the draft until it is deleted.
 */
export const purgeDrafts: ScheduledTask = {
  name: 'purge-drafts',
  every: 'night',
  run: async (platform, signal) => {
    const before = new Date(platform.clock.now().getTime() - RETENTION_MS)
    await expireOldRefs(platform.db, 'refs/runs/', before)
    for (const projectId of await projectsToCollect(platform.db, before)) {
      try {
        await collectObjects(platform.db, projectId, before, signal)
      } catch (err) {
        signal.throwIfAborted()
        platform.log.error({ err, projectId }, 'git objects could not be collected')
      }
    }
  },
}

/**
 * Deletes the old unreachable git objects of a project. Objects are written only by builds and under the project's lock, and both change
 * what `readRoots` returns. Each batch is therefore deleted under the lock, and only while the roots are still those from which the
 * reachable objects were found. Otherwise a new tree could contain an object that was unreachable before.
 */
async function collectObjects(db: Db, projectId: string, before: Date, signal: AbortSignal): Promise<void> {
  const roots = await readRoots(db, projectId)
  if (roots === null) return
  const versions = await readVersions(db, projectId)
  const all = [...roots, ...versions.map(({ sha }) => sha)]
  const reached = await reachableObjects(db, projectId, all, signal)
  await deleteUnreachable(db, projectId, { reached, before }, async (remove) => {
    signal.throwIfAborted()
    return await transact(db, async (trx) => {
      await lockProject(trx, projectId)
      if (!isDeepStrictEqual(await readRoots(trx, projectId), roots)) return false
      await remove(trx)
      return true
    })
  })
}

/** Returns the objects that are in use by refs and by builds that wait for answers. Null while a build is queued or running. */
async function readRoots(db: Db | Trx, projectId: string): Promise<string[] | null> {
  if (await isBuilding(db, projectId)) return null
  const roots = [...(await readRefTargets(db, projectId)), ...(await treesOfAwaitingBuilds(db, projectId))]
  return roots.sort()
}

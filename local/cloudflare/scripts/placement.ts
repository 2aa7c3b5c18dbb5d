import type { ScriptsCloud } from './context.ts'
import { assignGroup } from './groups.ts'
import type { Binding } from '../types.ts'

/**
 * Commits a change of a worker, and in the same transaction moves the worker into the group (process) that
 * its bindings require. When resource data must move, the processes that have the data open are stopped meanwhile.
 */
export async function commitWithPlacement<T>(
  cloud: ScriptsCloud,
  script: { accountId: string; name: string; bindings: Binding[] },
  commit: (groupId: string) => T,
): Promise<T> {
  const sources = new Set<string>()
  // The dry run moves no files, so after a first move `isStored` would find the new folder empty. A later merge may move the same resources
  // again.
  const moved = new Set<string>()
  cloud.store.dryRun(() =>
    assignGroup(cloud.store, script, {
      isStored: (resource) => moved.has(resource.id) || cloud.data.isStored(resource),
      moveData: ({ id, groupId }) => {
        sources.add(groupId)
        moved.add(id)
      },
    }),
  )
  return cloud.data.moveWhileStopped(script.accountId, [...sources], (files) =>
    cloud.store.transact(() => commit(assignGroup(cloud.store, script, files))),
  )
}

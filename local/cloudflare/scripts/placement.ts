import type { Cloud } from '../rest/context.ts'
import { joinGroup } from './groups.ts'
import type { Binding } from '../types.ts'

/**
 * Commits a change of a worker in the group that its bindings require. The same commit moves the data of resources that must move
 * along, while their groups are stopped.
 */
export async function commitPlaced<T>(
  cloud: Cloud,
  script: { accountId: string; name: string; bindings: Binding[] },
  commit: (groupId: string) => T,
): Promise<T> {
  const sources = new Set<string>()
  cloud.store.dryRun(() =>
    joinGroup(cloud.store, script, {
      isStored: (resource) => cloud.data.isStored(resource),
      moveData: ({ groupId }) => void sources.add(groupId),
    }),
  )
  return cloud.data.relocating(script.accountId, [...sources], (files) =>
    cloud.store.transact(() => commit(joinGroup(cloud.store, script, files))),
  )
}

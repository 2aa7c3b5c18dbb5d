import { dropEmptyGroup, unboundGroup, waitingGroup } from '../../scripts/groups.ts'
import { deleteResource, insertResource, placeResource, type Resource } from './resources.ts'
import type { Cloud } from '../../rest/context.ts'

/** Whether a resource is still invisible because its name delays visibility (`late-3s`). */
export function isHidden(cloud: Cloud, { createdAt, name }: Resource): boolean {
  return cloud.now() < createdAt + (cloud.faults?.hiddenMs(name) ?? 0)
}

/** Adds a resource, usually to the group of unbound ones. `refuseDouble` runs in the same transaction. */
export function addResource(
  cloud: Cloud,
  input: Omit<Resource, 'groupId' | 'createdAt'>,
  refuseDouble: () => void,
): Resource {
  const resource = cloud.store.transact(() => {
    refuseDouble()
    const groupId = unboundGroup(cloud.store, input.accountId)
    const made = { ...input, groupId, createdAt: cloud.now() }
    insertResource(cloud.store, made)
    const waiting = waitingGroup(cloud.store, made)
    if (waiting === null) return made
    placeResource(cloud.store, made.id, waiting)
    dropEmptyGroup(cloud.store, groupId)
    return { ...made, groupId: waiting }
  })
  cloud.apps.afterChange(resource.accountId, resource.groupId)
  return resource
}

/** Deletes a resource and its data. Workers bound to it stay, and their next use of it fails. */
export async function removeResource(cloud: Cloud, resource: Resource): Promise<void> {
  cloud.store.transact(() => {
    deleteResource(cloud.store, resource.id)
    dropEmptyGroup(cloud.store, resource.groupId)
  })
  cloud.apps.afterChange(resource.accountId, resource.groupId)
  await cloud.data.delete(resource)
}

import { dropEmptyGroup, unboundGroup } from '../groups.ts'
import { deleteResource, insertResource, type Resource } from '../resources.ts'
import type { Cloud } from './context.ts'

/** Created a moment ago under a name that asks for being late (`late-3s`). */
export function isHidden(cloud: Cloud, { createdAt, name }: Resource): boolean {
  return cloud.now() < createdAt + (cloud.faults?.hiddenMs(name) ?? 0)
}

/** Adds a resource no worker is bound to yet; `refuseDouble` runs in the same transaction. */
export function addResource(
  cloud: Cloud,
  wish: Omit<Resource, 'groupId' | 'createdAt'>,
  refuseDouble: () => void,
): Resource {
  const resource = cloud.store.transact(() => {
    refuseDouble()
    const groupId = unboundGroup(cloud.store, wish.accountId)
    const made = { ...wish, groupId, createdAt: cloud.now() }
    insertResource(cloud.store, made)
    return made
  })
  cloud.apps.afterChange(resource.accountId, resource.groupId)
  return resource
}

/** Removes a resource with what it holds. Workers bound to it stay; their next use of it fails. */
export async function removeResource(cloud: Cloud, resource: Resource): Promise<void> {
  cloud.store.transact(() => {
    deleteResource(cloud.store, resource.id)
    dropEmptyGroup(cloud.store, resource.groupId)
  })
  cloud.apps.afterChange(resource.accountId, resource.groupId)
  await cloud.data.forget(resource)
}

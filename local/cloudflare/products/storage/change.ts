import type { Store } from '../../../world/store.ts'
import { deleteResource, insertResource, setResourceGroup, type Resource } from '../../store/resources.ts'
import type { Cloud } from '../../rest/context.ts'
import type { ResourceData } from './data.ts'

/** Functions of `scripts/groups.ts`. That file depends on all products, because it reads their bindings, so no product can import it. */
export interface ResourceGroups {
  unboundGroup(store: Store, accountId: string): string
  groupBoundByName(store: Store, resource: Resource): string | null
  dropEmptyGroup(store: Store, groupId: string): boolean
}

export interface StorageCloud extends Cloud {
  data: Pick<ResourceData, 'isStored' | 'request' | 'delete'>
  groups: ResourceGroups
}

/** A name such as `late-3s` hides a new resource for three seconds. */
export function isHidden(cloud: Cloud, { createdAt, name }: Resource): boolean {
  return cloud.now() < createdAt + (cloud.faults?.visibilityDelayMs(name) ?? 0)
}

/**
 * Adds a KV namespace, database or bucket. `refuseDouble` runs in the same transaction and throws when the
 * name is taken. Until a worker binds the resource, it belongs to a process of its account that runs no
 * workers.
 */
export function addResource(
  cloud: StorageCloud,
  input: Omit<Resource, 'groupId' | 'createdAt'>,
  refuseDouble: () => void,
): Resource {
  const resource = cloud.store.transact(() => {
    refuseDouble()
    const groupId = cloud.groups.unboundGroup(cloud.store, input.accountId)
    const made = { ...input, groupId, createdAt: cloud.now() }
    insertResource(cloud.store, made)
    const waiting = cloud.groups.groupBoundByName(cloud.store, made)
    if (waiting === null) return made
    setResourceGroup(cloud.store, made.id, waiting)
    cloud.groups.dropEmptyGroup(cloud.store, groupId)
    return { ...made, groupId: waiting }
  })
  cloud.apps.applyGroupChange(resource.accountId, resource.groupId)
  return resource
}

/** Deletes a resource and its data. Workers that bind the resource keep running, and the next use fails, as at the provider. */
export async function removeResource(cloud: StorageCloud, resource: Resource): Promise<void> {
  cloud.store.transact(() => {
    deleteResource(cloud.store, resource.id)
    cloud.groups.dropEmptyGroup(cloud.store, resource.groupId)
  })
  cloud.apps.applyGroupChange(resource.accountId, resource.groupId)
  await cloud.data.delete(resource)
}

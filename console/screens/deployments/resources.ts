import type { ManagedResource } from '../../api/project/deployments.ts'

export interface ResourceGroup {
  /** Null for the resources of the app itself. */
  capability: string | null
  resources: ManagedResource[]
}

/** Groups resources by capability, the app's own first. Each group is sorted by name. */
export function groupResources(managed: ManagedResource[]): ResourceGroup[] {
  const groups = new Map<string | null, ManagedResource[]>()
  for (const resource of managed)
    groups.set(resource.capability, [...(groups.get(resource.capability) ?? []), resource])
  return [...groups]
    .map(([capability, resources]) => ({
      capability,
      resources: resources.toSorted((one, other) => one.name.localeCompare(other.name)),
    }))
    .toSorted((one, other) => (one.capability ?? '').localeCompare(other.capability ?? ''))
}

/**
 * Returns the kind of resource that a removal deletes, for the warning. Removing a worker also deletes the
 * database in it, which has the same name.
 */
export function kindDeletedBy(resource: ManagedResource, managed: ManagedResource[]): string {
  const holdsDatabase = managed.some(
    ({ kind, name }) => kind === 'object_namespace' && name === resource.name,
  )
  if (resource.kind === 'worker' && holdsDatabase) return 'object_namespace'
  return resource.kind
}

/** Returns the worker at the live address, or null when there is none. A rollback acts on this worker. */
export const liveWorker = (managed: ManagedResource[], liveUrl: string | null): ManagedResource | null =>
  managed.find(({ kind, url }) => kind === 'worker' && url !== null && url === liveUrl) ?? null

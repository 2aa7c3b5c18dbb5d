import type { ManagedResource } from '../../api/project/deployments.ts'

export interface ResourceGroup {
  /** Null is the app itself. */
  capability: string | null
  resources: ManagedResource[]
}

/** Resources by the capability they belong to, the app's own first, then by name. */
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

/** What is lost with a resource: deleting a worker also deletes the database that lives in it, under the same name. */
export function lossOf(resource: ManagedResource, managed: ManagedResource[]): string {
  const holdsDatabase = managed.some(
    ({ kind, name }) => kind === 'object_namespace' && name === resource.name,
  )
  if (resource.kind === 'worker' && holdsDatabase) return 'object_namespace'
  return resource.kind
}

/** The worker that serves the live address, if one does; it is what a rollback acts upon. */
export const liveWorker = (managed: ManagedResource[], liveUrl: string | null): ManagedResource | null =>
  managed.find(({ kind, url }) => kind === 'worker' && url !== null && url === liveUrl) ?? null

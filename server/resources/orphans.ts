import { deleteWorker, listTagged } from '../cloudflare/products/workers.ts'
import { hasServed } from '../deployments/store.ts'
import type { RegisteredResource } from './kinds/kind.ts'
import { RESOURCE_KINDS } from './kinds/table.ts'
import { listResourcesIn } from './list.ts'
import { appName, adminName, liveName, uploadsName } from '../resource-names.ts'
import { reserveResource, type ResourceKey, type ResourceTier } from './registry.ts'
import type { MakingPorts, ResourceWork } from './work.ts'

/** Returns the names of orphans: workers in the account that have this project's tag and no row. */
export async function findOrphans({ platform, cloud, project }: ResourceWork): Promise<string[]> {
  const [tagged, rows] = await Promise.all([
    listTagged(cloud, project.id),
    listResourcesIn(platform.db, project, cloud.accountId),
  ])
  const known = new Set(rows.filter((row) => row.kind === 'worker').map((row) => row.name))
  return tagged.filter((name) => !known.has(name))
}

/**
 * Registers and updates an orphan when the project now needs a worker of that name. Deletes the orphan otherwise. Returns the orphan's new
 * row, or null when it was deleted.
 */
export async function settleOrphan(
  work: ResourceWork<MakingPorts>,
  name: string,
): Promise<RegisteredResource | null> {
  const { platform, cloud, project } = work
  const tier = await tierOf(work, name)
  if (tier === null) {
    await deleteWorker(cloud, name)
    return null
  }
  const key: ResourceKey = {
    orgId: project.org_id,
    projectId: project.id,
    accountId: cloud.accountId,
    kind: 'worker',
    name,
  }
  // The worker exists, but its tag names this project, so it must not be refused as a worker of another owner.
  const exists = async () => false
  const row = await reserveResource(platform, key, { tier, capability: null, exists })
  await RESOURCE_KINDS.worker.make(work, { ...row, kind: 'worker' })
  return { ...row, kind: 'worker' }
}

/**
 * Returns what a worker of this name would serve: production, the preview, or both (`shared`). Returns null when the
 * project needs no worker of that name.
 */
async function tierOf({ platform, project }: ResourceWork, name: string): Promise<ResourceTier | null> {
  for (const tier of ['production', 'preview'] as const) {
    if (name !== appName(project, tier)) continue
    return (await hasServed(platform.db, project, tier)) ? tier : null
  }
  const fixed = [liveName(project), adminName(project), uploadsName({ slug: project.slug })]
  return fixed.includes(name) ? 'shared' : null
}

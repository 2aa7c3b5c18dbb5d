import { deleteWorker, listTagged } from '../cloudflare/workers.ts'
import { appName } from '../releases/app-worker.ts'
import type { Making, Registered } from './kinds/kind.ts'
import { KINDS } from './kinds/table.ts'
import { listResourcesIn } from './list.ts'
import { reserveResource, type ResourceKey, type Tier } from './registry.ts'
import { latestDeployment } from '../releases/store.ts'

/** Workers of the account that carry this project's tag and stand in no row. */
export async function findOrphans({ platform, cloud, project }: Making): Promise<string[]> {
  const [tagged, rows] = await Promise.all([
    listTagged(cloud, project.id),
    listResourcesIn(platform.db, project, cloud.accountId),
  ])
  const known = new Set(rows.filter((row) => row.kind === 'worker').map((row) => row.name))
  return tagged.filter((name) => !known.has(name))
}

/**
 * Takes a worker that lost its row into the registry again, with its objects, when it bears a name the project uses
 * today and serves something; removes it otherwise. Answers its new row, or null when it is gone.
 */
export async function settleOrphan(work: Making, name: string): Promise<Registered | null> {
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
  // Its tag says whose it is, so it is ours although it stands there already.
  const exists = async () => false
  const row = await reserveResource(platform, key, { tier, capability: null, exists })
  await KINDS.worker.make(work, { ...row, kind: 'worker' })
  return { ...row, kind: 'worker' }
}

/** What it would serve as, or null when nothing of the project is to be served under that name. */
async function tierOf({ platform, project }: Making, name: string): Promise<Tier | null> {
  for (const tier of ['production', 'preview'] as const) {
    if (name !== appName(project, tier)) continue
    const served = await latestDeployment(platform.db, project, tier, ['live', 'superseded'])
    return served === null ? null : tier
  }
  const fixed = ['live', 'admin', 'assets'].map((end) => `${project.slug}-${end}`)
  return fixed.includes(name) ? 'shared' : null
}

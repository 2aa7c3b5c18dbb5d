import * as z from 'zod'
import type { Trx } from '../db/database.ts'
import type { ProjectIds } from '../db/tables/projects.ts'
import { recordActivity } from '../activity/log.ts'
import { recordMissing } from '../capability-state/errors.ts'
import { emit } from '../events/emit.ts'
import { conflict, notFound } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import { recordOffline } from '../deployments/store.ts'
import { listResources } from './list.ts'
import type { RegisteredResource } from './kinds/kind.ts'
import { RESOURCE_KINDS, resourceIdentity } from './kinds/table.ts'
import { deleteResourceRows, readResource } from './registry.ts'
import { finishTask, type ResourceTask } from './task-store.ts'
import type { ResourceWork } from './work.ts'

export const Removal = z.object({
  /** The removed resource and the resources removed with it. Empty while some of its content remains. */
  removed: z.array(z.object({ id: z.string(), kind: z.string(), name: z.string() })),
  /** How much of the app's data this call removed, in words. Null when nothing was removed or the amount could not be counted. */
  data: z.string().nullable(),
  /** A lower bound of the remaining content. Above 0, the resource was not removed and the next call continues. */
  remaining: z.number(),
})
export type Removal = z.output<typeof Removal>

/** Throws `not_found` when the resource does not belong to this project. */
export async function planRemoval(trx: Trx, project: ProjectIds, resourceId: string): Promise<void> {
  if ((await readResource(trx, project, resourceId)) === null) throw notFound()
}

/**
 * Destroys one resource with all its data, and stores how much data it had. A resource with more content than one
 * call has time for is emptied over several calls, as in a teardown.
 */
export async function destroyResource(work: ResourceWork<'buckets'>, task: ResourceTask): Promise<void> {
  const { platform, cloud, project } = work
  const rows = await listResources(platform.db, project)
  const asked = rows.find((row) => row.id === task.resource_id)
  if (asked === undefined) throw conflict('What should be removed is not there any more.')
  if (asked.account_id !== cloud.accountId)
    throw conflict(`It belongs to the cloud account ${asked.account_id}, which is not the connected one.`)
  const group = rows.filter((row) => resourceIdentity(row) === resourceIdentity(asked))
  const data = await measureGroup(work, group)
  const emptied = await RESOURCE_KINDS[asked.kind].empty?.(work, asked, rows)
  if (emptied !== undefined && emptied.left > 0) {
    const result: Removal = { removed: [], data: emptied.taken, remaining: emptied.left }
    return await finishTask(platform, task, result, async () => {})
  }
  await RESOURCE_KINDS[asked.kind].remove(cloud, asked, work)
  const removed = group.map(({ id, kind, name }) => ({ id, kind, name }))
  await finishTask(platform, task, { removed, data, remaining: 0 } satisfies Removal, async (trx) => {
    await deleteResourceRows(
      trx,
      work.project,
      group.map(({ id }) => id),
    )
    await noteLoss(trx, work, { task, group, data })
  })
}

/** Returns how much data the rows hold, in words. A failed count does not stop the removal. */
async function measureGroup({ cloud }: ResourceWork, group: RegisteredResource[]): Promise<string | null> {
  const amounts = await Promise.all(
    group.map(async (row) => {
      try {
        return (await RESOURCE_KINDS[row.kind].measure?.(cloud, row)) ?? null
      } catch (error) {
        if (error instanceof ProviderError) return null
        throw error
      }
    }),
  )
  return amounts.filter((amount) => amount !== null).join(', ') || null
}

/**
 * Stores that production or the preview is offline when its worker was removed, and which capabilities lack a resource.
 */
async function noteLoss(
  trx: Trx,
  { platform, project }: ResourceWork,
  { task, group, data }: { task: ResourceTask; group: RegisteredResource[]; data: string | null },
): Promise<void> {
  const { id: projectId, org_id: orgId } = project
  const at = platform.clock.now()
  for (const { id, kind, tier } of group) {
    if (kind !== 'worker' || tier === 'shared') continue
    if (!(await recordOffline(trx, project, tier, at))) continue
    const data = { resourceId: id, ...(tier === 'production' ? { production: true as const } : {}) }
    await emit(trx, { type: 'project.rolled_back', orgId, projectId, data, at })
  }
  await recordMissing(trx, project, group)
  const [first] = group
  await recordActivity(trx, {
    orgId,
    at,
    provider: 'slipway',
    actor: task.actor,
    action: 'resource.removed',
    target: first?.name ?? '',
    status: 'ok',
    projectId,
    projectName: project.name,
    detail: data === null ? null : `with ${data}`,
  })
}

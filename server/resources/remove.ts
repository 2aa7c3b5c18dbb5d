import { joinReason } from '../capabilities/capability.ts'
import { capabilitiesOf } from '../capabilities/catalog.ts'
import { enabledCapabilities } from '../capabilities/switch/enabled.ts'
import type { Trx } from '../db/database.ts'
import { recordActivity } from '../events/activity.ts'
import { emit } from '../events/emit.ts'
import { conflict, notFound } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import { listResources } from './list.ts'
import type { Making, Registered } from './kinds/kind.ts'
import { KINDS, thingOf } from './kinds/table.ts'
import { readResource } from './registry.ts'
import { finishTask, type ResourceTask } from './task-store.ts'

interface Shown {
  id: string
  kind: string
  name: string
}

export interface Removal {
  /** Everything that went: what lives in a thing goes with it. Nothing while some of what it holds is left. */
  removed: Shown[]
  /** How much of the app's data went with this call; null when it was none, or nobody can tell. */
  data: string | null
  /** How much the thing still holds, at the least; above 0 it stands, and the next call goes on. */
  remaining: number
}

/** Refuses what is not this project's. */
export async function planRemoval(
  trx: Trx,
  project: { id: string; org_id: string },
  resourceId: string,
): Promise<void> {
  if ((await readResource(trx, project, resourceId)) === null) throw notFound()
}

/**
 * Destroys one thing in the account with all it holds, and says how much that was. What holds more than one call has
 * time for is emptied in calls of bounded length, like the teardown of a project.
 */
export async function removeResource(work: Making, task: ResourceTask): Promise<void> {
  const { platform, cloud, project } = work
  const rows = await listResources(platform.db, project)
  const asked = rows.find((row) => row.id === task.resource_id)
  if (asked === undefined) throw conflict('What should be removed is not there any more.')
  if (asked.account_id !== cloud.accountId)
    throw conflict(`It belongs to the cloud account ${asked.account_id}, which is not the connected one.`)
  const group = rows.filter((row) => thingOf(row) === thingOf(asked))
  const data = await measure(work, group)
  const emptied = await KINDS[asked.kind].empty?.(work, asked, rows)
  if (emptied !== undefined && emptied.left > 0) {
    const result: Removal = { removed: [], data: emptied.taken, remaining: emptied.left }
    return await finishTask(platform, task, result, async () => {})
  }
  await KINDS[asked.kind].remove(cloud, asked)
  const removed = group.map(({ id, kind, name }) => ({ id, kind, name }))
  await finishTask(platform, task, { removed, data, remaining: 0 } satisfies Removal, async (trx) => {
    await forget(trx, work, group)
    await noteLoss(trx, work, { task, group, data })
  })
}

/** Counting is a courtesy: what cannot be counted is removed all the same. */
async function measure({ cloud }: Making, group: Registered[]): Promise<string | null> {
  const amounts = await Promise.all(
    group.map(async (row) => {
      try {
        return (await KINDS[row.kind].measure?.(cloud, row)) ?? null
      } catch (error) {
        if (error instanceof ProviderError) return null
        throw error
      }
    }),
  )
  return amounts.filter((amount) => amount !== null).join(', ') || null
}

async function forget(trx: Trx, { project }: Making, group: Registered[]): Promise<void> {
  await trx
    .deleteFrom('resources')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where(
      'id',
      'in',
      group.map((row) => row.id),
    )
    .execute()
}

/** What no longer serves, and which capabilities lack what they need until it is made again. */
async function noteLoss(
  trx: Trx,
  { platform, project }: Making,
  { task, group, data }: { task: ResourceTask; group: Registered[]; data: string | null },
): Promise<void> {
  const { id: projectId, org_id: orgId } = project
  const at = platform.clock.now()
  for (const { id, kind, tier } of group) {
    if (kind !== 'worker' || tier === 'shared') continue
    if (!(await noteOffline(trx, { orgId, projectId }, tier, at))) continue
    const data = { resourceId: id, ...(tier === 'production' ? { production: true as const } : {}) }
    await emit(trx, { type: 'project.rolled_back', orgId, projectId, data, at })
  }
  const enabled = await enabledCapabilities(trx, projectId)
  // What is removed tells the name the uploads have: a project that was renamed since keeps it.
  const uploads = group.find(({ name }) => name.endsWith('-assets'))?.name
  const lacking = capabilitiesOf(enabled).flatMap(({ key, resources }) => {
    const lost = resources({ ...project, uploads }).find((one) =>
      group.some((row) => row.kind === one.kind && row.name === one.name),
    )
    return lost === undefined ? [] : [{ key, lost }]
  })
  for (const { key, lost } of lacking) {
    const message = `The ${lost.kind.replace('_', ' ')} ${lost.name} was removed. Reconcile the project to make it again, empty.`
    await trx
      .updateTable('capabilities')
      .set({ state: 'error', error: joinReason({ code: 'resource_missing', message }) })
      .where('project_id', '=', projectId)
      .where('key', '=', key)
      .execute()
  }
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

/** Returns whether a deployment was taken off its address by it. */
async function noteOffline(
  trx: Trx,
  { orgId, projectId }: { orgId: string; projectId: string },
  tier: 'production' | 'preview',
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('deployments')
    .set({ status: 'superseded' })
    .where('org_id', '=', orgId)
    .where('project_id', '=', projectId)
    .where('tier', '=', tier)
    .where('status', '=', 'live')
    .executeTakeFirstOrThrow()
  const gone = tier === 'production' ? { url: null } : { preview_url: null, preview_sha: null }
  await trx
    .updateTable('projects')
    .set((eb) => ({
      ...gone,
      updated_at: at,
      ...(tier === 'production' && {
        lifecycle: eb
          .case()
          .when('lifecycle', '=', 'live')
          .then('offline' as const)
          .else(eb.ref('lifecycle'))
          .end(),
      }),
    }))
    .where('org_id', '=', orgId)
    .where('id', '=', projectId)
    .execute()
  return numUpdatedRows > 0n
}

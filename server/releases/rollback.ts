import * as z from 'zod'
import type { Trx } from '../db/database.ts'
import type { Context } from '../endpoint.ts'
import { recordActivity } from '../activity/log.ts'
import { actorOf } from '../connections/cloud.ts'
import { emit } from '../events/emit.ts'
import { conflict, notFound } from '../http/errors.ts'
import { readAccessCode } from '../capabilities/access/code.ts'
import { usableCapabilities } from '../capabilities/switch/products.ts'
import { readResource } from '../resources/registry.ts'
import { findUnreadRollback, finishTask, type ResourceTask } from '../resources/task-store.ts'
import { startTask } from '../resources/tasks.ts'
import type { PublishPorts, ResourceWork } from '../resources/work.ts'
import { recordHistory } from '../history/record-history.ts'
import { bindingsKey, republishVersion, type PublishedRelease } from './publish.ts'
import { restorePrevious } from './restore-previous.ts'
import {
  changeDeployment,
  type Deployment,
  latestDeployment,
  previousDeployment,
  readDeployment,
} from '../deployments/store.ts'
import { changeProject } from '../projects/store.ts'

const Version = z.object({ sha: z.string(), version: z.string().nullable() })

export const RollbackResult = z.object({
  resourceId: z.string(),
  tier: z.enum(['production', 'preview']),
  url: z.string(),
  from: Version,
  to: Version,
})
export type RollbackResult = z.output<typeof RollbackResult>

/** How long after its start the result of a rollback is kept for a caller who did not get it. */
const UNREAD_RESULT_MS = 600_000

/**
 * Serves the version before the current version again. The current version is marked as rolled back, and later
 * rollbacks skip it. When a caller repeats a request that timed out or lost its connection, returns the result of that
 * rollback, because a second rollback would go back one version too many.
 */
export const rollBackResource = (
  ctx: Context<'accounts' | 'jobs' | 'listener'>,
  projectId: string,
  resourceId: string,
): Promise<RollbackResult> =>
  startTask(ctx, projectId, RollbackResult, async (trx, project) => {
    const live = await requireServingDeployment(trx, project, resourceId)
    const endedTaskId = await findUnreadRollback(trx, {
      orgId: project.org_id,
      deploymentId: live.id,
      actor: actorOf(ctx.caller),
      since: new Date(ctx.clock.now().getTime() - UNREAD_RESULT_MS),
    })
    if (endedTaskId !== null) return { endedTaskId }
    const previous = await previousDeployment(trx, live)
    if (previous === null) throw conflict('There is no version before the one that is served.')
    return { kind: 'rollback', resource_id: resourceId, deployment_id: previous.id }
  })

/** Returns the deployment that the resource serves. Throws `conflict` when it has no versions or serves none. */
async function requireServingDeployment(
  trx: Trx,
  project: { id: string; org_id: string; lifecycle: 'offline' | 'live' | 'archived' },
  resourceId: string,
): Promise<Deployment> {
  const row = await readResource(trx, project, resourceId)
  if (row === null) throw notFound()
  if (row.kind !== 'worker' || row.tier === 'shared')
    throw conflict(`The ${row.kind.replace('_', ' ')} ${row.name} has no versions to go back to.`)
  const live = await latestDeployment(trx, project, row.tier, ['live'])
  // A rollback must not publish an archived app whose address could not be disabled.
  const isOff = row.tier === 'production' && project.lifecycle !== 'live'
  if (live === null || isOff)
    throw conflict(`The worker ${row.name} serves nothing that could be rolled back.`)
  return live
}

/**
 * Serves the chosen deployment again. Switches to the deployment's uploaded version if the version has the current
 * bindings, and otherwise uploads the source again. If the version does not become healthy, restores the current
 * version.
 */
export async function rollBack(work: ResourceWork<PublishPorts>, task: ResourceTask): Promise<void> {
  const { platform, project } = work
  const { db } = platform
  const [row, target] = await Promise.all([
    readResource(db, project, task.resource_id ?? ''),
    readDeployment(db, project.org_id, task.deployment_id ?? ''),
  ])
  const live = target === null ? null : await latestDeployment(db, project, target.tier, ['live'])
  if (row === null || target === null || live === null)
    throw conflict('The resource to roll back no longer exists.')
  const enabled = await usableCapabilities(work)
  const { tier, sha } = target
  const gate = target.tier === 'production' ? await readAccessCode(platform, platform.db, project) : null
  const versionId = target.wiring === bindingsKey(enabled, gate?.id ?? null) ? target.version_id : null
  const served = await republishVersion(work, { tier, sha, versionId, tag: task.id }).catch(
    async (error: unknown) => {
      await restorePrevious(work, live)
      throw error
    },
  )
  const result: RollbackResult = {
    resourceId: row.id,
    tier,
    url: served.url,
    from: { sha: live.sha, version: live.version_id },
    to: { sha, version: served.versionId },
  }
  await finishTask(platform, task, result, (trx) => recordRollback(work, trx, { task, live, target, served }))
}

/**
 * Stores the rollback in both deployments and in the project, with an event and entries of the history and the activity
 * log. Call it in the transaction that ends the task.
 */
async function recordRollback(
  { platform, project }: ResourceWork,
  trx: Trx,
  done: { task: ResourceTask; live: Deployment; target: Deployment; served: PublishedRelease },
): Promise<void> {
  const { task, live, target, served } = done
  const { id: projectId, org_id: orgId } = project
  const at = platform.clock.now()
  await changeDeployment(trx, live, { status: 'rolled_back' })
  await changeDeployment(trx, target, {
    status: 'live',
    version_id: served.versionId,
    content_hash: served.hash,
    wiring: served.bindingsKey,
    live_at: at,
  })
  const isProduction = target.tier === 'production'
  await changeProject(
    trx,
    { orgId, projectId },
    {
      updated_at: at,
      provision_error: null,
      ...(isProduction ? { live_at: at } : { preview_sha: target.sha }),
    },
  )
  const resourceId = task.resource_id ?? ''
  const data = { resourceId, ...(isProduction ? { production: true as const } : {}) }
  await emit(trx, { type: 'project.rolled_back', orgId, projectId, data, at })
  const detail = `from ${live.sha} to ${target.sha}`
  const { actor } = task
  await recordHistory(trx, { orgId, projectId, type: 'rolled_back', actor, sha: target.sha, detail, at })
  await recordActivity(trx, {
    orgId,
    at,
    provider: 'slipway',
    actor,
    action: 'project.rolled_back',
    target: served.url,
    status: 'ok',
    projectId,
    projectName: project.name,
    detail,
  })
}

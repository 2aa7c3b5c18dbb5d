import { actorOf } from '../connections/cloud.ts'
import { transact, type Trx } from '../db/database.ts'
import { lockOrganization, lockProject } from '../db/locks.ts'
import type { ProjectIdsAndName } from '../db/tables/projects.ts'
import type { CallerContext, Context } from '../endpoint.ts'
import { deployKind } from '../deployments/job-kinds.ts'
import { changeDeployment, latestDeployment, takeFailedOffline } from '../deployments/store.ts'
import { waitForDeployment } from '../resources/wait.ts'
import { readRunningTask } from '../resources/task-store.ts'
import { recordActivity } from '../activity/log.ts'
import { emit } from '../events/emit.ts'
import type { RawJson } from '../http/endpoint.ts'
import { ApiError, conflict, notFound } from '../http/errors.ts'
import { recordHistory } from '../history/record-history.ts'
import { requireNotDeleting } from '../projects/lifecycle.ts'
import { getProject } from '../projects/projects.ts'
import type { PlatformPorts } from '../platform.ts'
import { changeProject, findProject } from '../projects/store.ts'
import type { ScheduledTask } from '../scheduled-task.ts'

// Long enough for one call to the provider with its retries.
const TAKE_OFFLINE_MS_MAX = 20_000

/**
 * Disables the addresses of a project and its preview and keeps everything else. The project no longer counts as live. Idempotent: a
 * repeated call retries when an address could not be disabled.
 */
export async function archiveProject(
  ctx: Context<'pool' | 'jobs' | 'listener'>,
  projectId: string,
): Promise<RawJson> {
  const orgId = ctx.caller.organizationId
  const servingIds = await transact(ctx.db, async (trx) => {
    const project = await lockForChange(ctx, trx, projectId)
    if ((await latestDeployment(trx, project, 'production', ['deploying'])) !== null)
      throw conflict('The project is being shipped right now. Archive it when that is done.')
    if ((await latestDeployment(trx, project, 'preview', ['deploying'])) !== null)
      throw conflict('The preview is being published right now. Archive the project when that is done.')
    if ((await readRunningTask(trx, project)) !== null)
      throw conflict(
        'The resources of the project are being changed right now. Archive it when that is done.',
      )
    const serving = await Promise.all(
      (['production', 'preview'] as const).map((tier) => latestDeployment(trx, project, tier, ['live'])),
    )
    if (project.lifecycle !== 'archived') await moveTo(ctx, trx, project, 'archived')
    const ids = serving.flatMap((deployment) => deployment?.id ?? [])
    const actor = actorOf(ctx.caller)
    for (const deploymentId of ids) {
      await changeDeployment(trx, { org_id: orgId, id: deploymentId }, { error: null })
      await ctx.jobs.send(trx, deployKind, { orgId, projectId, deploymentId, actor })
    }
    return ids
  })
  await Promise.all(servingIds.map((id) => waitUntilOffline(ctx, id)))
  return await getProject(ctx, projectId)
}

const APPS_AT_ONCE = 100

/**
 * Tries again to take the apps of archived projects offline whose address could not be disabled. The request that archived the project may
 * have ended before the attempt failed, so no client repeats it.
 */
export const retryArchiving: ScheduledTask<PlatformPorts<'jobs'>> = {
  name: 'retry-archiving',
  every: '10 minutes',
  run: ({ db, jobs }) =>
    transact(db, async (trx) => {
      for (const { org_id: orgId, project_id: projectId, id } of await takeFailedOffline(trx, APPS_AT_ONCE))
        await jobs.send(trx, deployKind, { orgId, projectId, deploymentId: id, actor: 'slipway' })
    }),
}

/** Sets an archived project to offline, so that it can be shipped again. Changes nothing for other projects. */
export async function unarchiveProject(ctx: Context<'pool'>, projectId: string): Promise<RawJson> {
  await transact(ctx.db, async (trx) => {
    const project = await lockForChange(ctx, trx, projectId)
    if (project.lifecycle === 'archived') await moveTo(ctx, trx, project, 'offline')
  })
  return await getProject(ctx, projectId)
}

/** Locks the organization and the project, because deployments lock the organization and builds lock the project. */
async function lockForChange(ctx: CallerContext, trx: Trx, projectId: string) {
  await lockOrganization(trx, ctx.caller.organizationId)
  await lockProject(trx, projectId)
  const project = await findProject(trx, { orgId: ctx.caller.organizationId, projectId })
  if (project === null) throw notFound('project')
  requireNotDeleting(project)
  return project
}

async function moveTo(
  ctx: CallerContext<'clock'>,
  trx: Trx,
  project: ProjectIdsAndName,
  lifecycle: 'archived' | 'offline',
): Promise<void> {
  const at = ctx.clock.now()
  const { id: projectId, org_id: orgId, name } = project
  const isArchived = lifecycle === 'archived'
  await changeProject(
    trx,
    { orgId, projectId },
    {
      lifecycle,
      archived_at: isArchived ? at : null,
      updated_at: at,
      ...(isArchived && { url: null, preview_url: null, preview_sha: null }),
    },
  )
  const type = isArchived ? ('archived' as const) : ('unarchived' as const)
  await recordHistory(trx, { orgId, projectId, type, actor: ctx.caller.actorId, at })
  if (isArchived) await emit(trx, { type: 'project.archived', orgId, projectId, data: {}, at })
  await recordActivity(trx, {
    orgId,
    at,
    provider: 'slipway',
    actor: actorOf(ctx.caller),
    action: isArchived ? 'project.archived' : 'project.unarchived',
    target: name,
    status: 'ok',
    projectId,
    projectName: name,
  })
}

/** Waits up to a time limit until the app is offline. The job continues after the limit. Throws `upstream_error` when the job failed. */
async function waitUntilOffline(ctx: Context<'listener'>, deploymentId: string): Promise<void> {
  const deployment = await waitForDeployment(
    ctx,
    { orgId: ctx.caller.organizationId, deploymentId },
    {
      until: ({ status, error }) => status !== 'live' || error !== null,
      timeoutMs: TAKE_OFFLINE_MS_MAX,
      disconnected: ctx.signal,
    },
  )
  if (deployment?.status !== 'live' || deployment.error === null) return
  throw new ApiError(
    'upstream_error',
    `The project is archived, but its app still responds: ${deployment.error} Archive it again to try again.`,
  )
}

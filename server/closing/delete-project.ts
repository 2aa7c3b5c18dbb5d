import { setTimeout as sleep } from 'node:timers/promises'
import { cancelBuild } from '../builds/cancel.ts'
import { RUNS_OF_PROJECT } from '../builds/runs.ts'
import { actorOf } from '../connections/cloud.ts'
import { transact } from '../db/database.ts'
import { lockOrganization, lockProject } from '../db/locks.ts'
import { deleteInBatches, type DeletedRows } from '../db/purge.ts'
import type { ProjectIdsAndName } from '../db/tables/projects.ts'
import { listResources } from '../resources/list.ts'
import { recordActivity } from '../activity/log.ts'
import { emit } from '../events/emit.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { loadProject } from '../projects/projects.ts'
import { deleteProjectRow, lockProjectRow, markDeleting, rowsOfProject } from '../projects/store.ts'
import { recordVideosLeft, removeVideos } from './remove-videos.ts'
import { tearDown, type Teardown } from '../resources/teardown.ts'
import { isProvisioning } from '../capabilities/switch/provision.ts'
import { ticketInBuild } from '../builds/run/open-run.ts'
import type { Context } from '../endpoint.ts'
import type { Core } from '../platform.ts'
import { isDeploying } from '../deployments/store.ts'
import { readRunningTask } from '../resources/task-store.ts'

/**
 * A call starts no new step after this time. The remaining 5 s are for the step that is running then and for the last step,
 * so that the call returns within 20 s (docs/limits.md#time-limits).
 */
const TEARDOWN_CALL_MS_MAX = 15_000
const COUNT_RETRY_MS = 200
// How long a deletion waits, counted from its start, for work that began earlier. Work that takes longer counts as
// abandoned, because its process probably died.
const UNDER_WAY_MS_MAX = 300_000

// Tables that can have many rows of one project, each before the tables that its rows reference. Other tables are
// small, and their rows are deleted with the project's row. $1 is the organization, $2 the project.
const LARGE_TABLES: readonly DeletedRows[] = [
  ...RUNS_OF_PROJECT,
  rowsOfProject('token_usage'),
  rowsOfProject('tickets'),
  rowsOfProject('versions'),
  rowsOfProject('git_objects'),
]

interface DeletingProject extends ProjectIdsAndName {
  deleting_at: Date
}

/**
 * Deletes a project: first its resources in the cloud account, then its rows, and last the project's own row, in one
 * transaction with the event. Each call has a time limit, and the next one continues with what remains. With
 * `leaveStuck`, resources that cannot be removed stay in the account and are named in the activity log. Without a
 * connected cloud account the call throws, unless `startsWithoutCloud` is set: then each resource counts as not
 * removable.
 */
export async function deleteProject(
  ctx: Context<'accounts' | 'buckets' | 'metrics'>,
  projectId: string,
  options: {
    leaveStuck?: boolean | undefined
    startsWithoutCloud?: boolean
    /** Aborts the call. By default the call is aborted after `TEARDOWN_CALL_MS_MAX`. */
    signal?: AbortSignal
  } = {},
): Promise<{ teardown: Teardown }> {
  const { leaveStuck = false, startsWithoutCloud = leaveStuck } = options
  const signal = options.signal ?? AbortSignal.timeout(TEARDOWN_CALL_MS_MAX)
  const actor = actorOf(ctx.caller)
  const project = await beginDeleting(ctx, projectId, startsWithoutCloud)
  if (!(await workHasEnded(ctx, project, signal))) return teardownReport(await countRemaining(ctx, project))
  const torn = await tearDown(ctx, project, { actor, signal, leaveStuck })
  if (torn.remaining > 0) return { teardown: torn }
  // Videos are removed after the workers, which could upload more.
  const teardown = await removeVideos(ctx, project, torn, { actor, signal, leaveStuck })
  if (teardown.remaining > 0) return { teardown }
  if (!(await emptyProject(ctx, project, signal))) return teardownReport(1, teardown)
  const remaining = await removeRow(ctx, project, { actor, left: teardown.left })
  return { teardown: { ...teardown, remaining } }
}

/**
 * Marks the project as being deleted, which blocks new builds, deployments and provisioning. Throws
 * `conflict` while the account with its resources is not connected, unless `startsWithoutCloud` is set.
 */
async function beginDeleting(
  ctx: Context<'accounts'>,
  projectId: string,
  startsWithoutCloud: boolean,
): Promise<DeletingProject> {
  const found = await loadProject(ctx, projectId)
  if (!startsWithoutCloud && (await listResources(ctx.db, found)).length > 0)
    await ctx.accounts.requireCloud(found.org_id, { project: found })
  const now = ctx.clock.now()
  return await transact(ctx.db, async (trx) => {
    await lockOrganization(trx, found.org_id)
    await lockProject(trx, found.id)
    const marked = await markDeleting(trx, { orgId: found.org_id, projectId: found.id }, now)
    if (marked === null) throw notFound('project')
    return marked
  })
}

/**
 * Cancels builds and waits for all other work, because running work could create resources again. Returns false when
 * the signal was aborted first.
 */
async function workHasEnded(
  ctx: Context<'metrics'>,
  project: DeletingProject,
  signal: AbortSignal,
): Promise<boolean> {
  const since = ctx.clock.now().getTime() - project.deleting_at.getTime()
  for (;;) {
    await cancelBuilds(ctx, project)
    if (!(await isWorkUnderWay(ctx, project)) || since > UNDER_WAY_MS_MAX) return true
    if (signal.aborted) return false
    await sleep(COUNT_RETRY_MS)
  }
}

async function cancelBuilds(ctx: Context<'metrics'>, project: DeletingProject): Promise<void> {
  const ticketId = await ticketInBuild(ctx.db, project.id)
  if (ticketId !== null)
    await cancelBuild(ctx, project.id, ticketId).catch((error: unknown) => {
      // The build has just ended, or it is being published and can no longer be cancelled.
      if (!(error instanceof ApiError)) throw error
    })
}

/**
 * Returns whether work of the project is still running. The order matters: each kind of work may start a kind of work
 * that is checked later.
 */
const isWorkUnderWay = async ({ db }: Core, project: DeletingProject): Promise<boolean> =>
  (await ticketInBuild(db, project.id)) !== null ||
  (await isProvisioning(db, project.id)) ||
  (await readRunningTask(db, project)) !== null ||
  (await isDeploying(db, project))

/** `remaining` is 0 only once the project row is deleted, so count the row itself (+1). */
const countRemaining = async (ctx: Core, project: DeletingProject) =>
  (await listResources(ctx.db, project)).length + 1

const teardownReport = (remaining: number, so?: Teardown): { teardown: Teardown } => ({
  teardown: { removed: so?.removed ?? [], failed: so?.failed ?? [], left: so?.left ?? [], remaining },
})

/**
 * Deletes a project's rows in large tables in transactions of 5,000 rows, so that no lock or statement takes long.
 * Returns false when the signal was aborted first; the next call continues.
 */
const emptyProject = ({ db }: Core, project: DeletingProject, signal: AbortSignal): Promise<boolean> =>
  deleteInBatches(db, LARGE_TABLES, [project.org_id, project.id], signal)

/**
 * Deletes the project's row in one transaction with the event; events and activity records are kept. Of two
 * simultaneous calls only one deletes the row. Returns 0, or the number of resources that were registered in the
 * meantime, by work that started before the project was marked as being deleted. If there are such resources, nothing
 * is deleted.
 */
async function removeRow(
  ctx: Core,
  project: DeletingProject,
  { actor, left }: { actor: string; left: Teardown['left'] },
): Promise<number> {
  const at = ctx.clock.now()
  const { id: projectId, org_id: orgId, name } = project
  return await transact(ctx.db, async (trx) => {
    if (!(await lockProjectRow(trx, { orgId, projectId }))) return 0
    // No resource can be registered while the project's row is locked, because registering a resource needs a shared lock on that row.
    const late = await listResources(trx, project)
    if (late.length > 0) return late.length
    await deleteProjectRow(trx, { orgId, projectId })
    await emit(trx, { type: 'project.deleted', orgId, projectId, data: { name }, at })
    await recordVideosLeft(trx, project, { left, actor, at })
    await recordActivity(trx, {
      orgId,
      at,
      provider: 'slipway',
      actor,
      action: 'project.deleted',
      target: name,
      status: 'ok',
      projectId,
      projectName: name,
    })
    return 0
  })
}

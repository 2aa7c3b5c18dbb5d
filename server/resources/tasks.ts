import { actorOf, requireCloud } from '../connections/cloud.ts'
import { transact, type Trx } from '../db/database.ts'
import { lockOrganization } from '../db/locks.ts'
import { ApiError, conflict } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import type { Context } from '../platform.ts'
import { requireStanding } from '../projects/lifecycle.ts'
import { loadProject } from '../projects/projects.ts'
import { deployJob } from '../releases/deploy-job.ts'
import type { Reconciled } from './reconcile.ts'
import { planRemoval, type Removal } from './remove.ts'
import { planRollback, type RolledBack } from '../releases/rollback.ts'
import { latestDeployment } from '../releases/store.ts'
import { codeOf, readGoingTask, readTask, type ResourceTask } from './task-store.ts'
import { waitForRow } from './wait.ts'

const PATIENCE_MS = 60_000

/** What a task is about, beside its project. */
type About = Pick<ResourceTask, 'kind'> & { resource_id?: string; deployment_id?: string }

/** Serves the version before the present one again; the present one is off its address for good. */
export const rollBackResource = (ctx: Context, projectId: string, resourceId: string): Promise<RolledBack> =>
  runTask(ctx, projectId, async (trx, project) => ({
    kind: 'rollback',
    resource_id: resourceId,
    deployment_id: await planRollback(trx, project, resourceId),
  }))

/** Destroys one thing in the account, with what it holds. */
export const removeResource = (ctx: Context, projectId: string, resourceId: string): Promise<Removal> =>
  runTask(ctx, projectId, async (trx, project) => {
    await planRemoval(trx, project, resourceId)
    return { kind: 'remove', resource_id: resourceId }
  })

/** Compares the registry with the account and repairs what differs. */
export const reconcileProject = (ctx: Context, projectId: string): Promise<Reconciled> =>
  runTask(ctx, projectId, async () => ({ kind: 'reconcile' }))

/** Stores the task and its job together, waits for it, and answers its result or its failure. */
async function runTask<Result>(
  ctx: Context,
  projectId: string,
  plan: (trx: Trx, project: Awaited<ReturnType<typeof loadProject>>) => Promise<About>,
): Promise<Result> {
  const project = await loadProject(ctx, projectId)
  const id = await transact(ctx.db, async (trx) => {
    await lockOrganization(trx, project.org_id)
    const inside = { ...ctx, db: trx }
    const now = await loadProject(inside, projectId)
    requireStanding(now)
    const about = await plan(trx, now)
    await requireCloud(inside, project.org_id, { project })
    return (await joinedTask(trx, project, about)) ?? (await insertTask(ctx, trx, project, about))
  })
  const task = await waitForRow(ctx, id, () => readTask(ctx.db, project.org_id, id), {
    until: ({ status }) => status !== 'going',
    patienceMs: PATIENCE_MS,
    gone: ctx.signal,
  })
  if (task?.status === 'done') return JSON.parse(task.result ?? 'null')
  if (task?.status === 'failed') throw new ApiError(codeOf(task), task.error ?? 'It could not be done.')
  throw new ApiError('unavailable', 'It is still under way. Ask again in a moment for its outcome.')
}

/** The same thing asked for twice is done once; anything else waits for its own turn to be asked for. */
async function joinedTask(
  trx: Trx,
  project: { id: string; org_id: string },
  about: About,
): Promise<string | null> {
  const going = await readGoingTask(trx, project)
  if (going !== null) {
    const isSame = going.kind === about.kind && going.resource_id === (about.resource_id ?? null)
    if (isSame) return going.id
    throw conflict('The resources of the project are being changed right now. Try again when that is done.')
  }
  const shipping = await latestDeployment(trx, project, 'production', ['deploying'])
  if (shipping !== null)
    throw conflict('The project is being shipped right now. Try again when that is done.')
  return null
}

async function insertTask(
  ctx: Context,
  trx: Trx,
  project: { id: string; org_id: string },
  about: About,
): Promise<string> {
  const id = newId('tsk')
  const { id: projectId, org_id: orgId } = project
  await trx
    .insertInto('resource_tasks')
    .values({
      id,
      org_id: orgId,
      project_id: projectId,
      ...about,
      actor: actorOf(ctx.caller),
      status: 'going',
      created_at: ctx.clock.now(),
    })
    .execute()
  await ctx.jobs.send(trx, deployJob, { orgId, projectId, taskId: id })
  return id
}

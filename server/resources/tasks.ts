import type * as z from 'zod'
import { actorOf } from '../connections/cloud.ts'
import { transact, type Trx } from '../db/database.ts'
import { lockOrganization } from '../db/locks.ts'
import type { ProjectIds } from '../db/tables/projects.ts'
import type { Context } from '../endpoint.ts'
import { ApiError, conflict, notFound } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import type { Ports } from '../platform.ts'
import { requireNotDeleting } from '../projects/lifecycle.ts'
import { loadProject } from '../projects/projects.ts'
import { deployKind } from '../deployments/job-kinds.ts'
import { latestDeployment } from '../deployments/store.ts'
import { Reconciliation } from './repair.ts'
import { planRemoval, Removal } from './remove.ts'
import { retryWhileUnreachable } from './retry.ts'
import {
  markRead,
  taskErrorCode,
  readRunningTask,
  readTask,
  type ResourceTask,
  UNREAD,
} from './task-store.ts'
import { waitForRow } from './wait.ts'
import { findProject } from '../projects/store.ts'
import type { ProjectRef, ResourceWork } from './work.ts'

const WAIT_MS_MAX = 60_000

type TaskSubject = Pick<ResourceTask, 'kind'> & { resource_id?: string; deployment_id?: string }
/** A task that has ended. Its result is returned, and no other task is started. */
interface EndedTask {
  endedTaskId: string
}

export const removeResource = (
  ctx: Context<'accounts' | 'jobs' | 'listener'>,
  projectId: string,
  resourceId: string,
): Promise<Removal> =>
  startTask(ctx, projectId, Removal, async (trx, project) => {
    await planRemoval(trx, project, resourceId)
    return { kind: 'remove', resource_id: resourceId }
  })

/** Compares the stored resources of the project with its cloud account, and repairs the differences in the account. */
export const reconcileProject = (
  ctx: Context<'accounts' | 'jobs' | 'listener'>,
  projectId: string,
): Promise<Reconciliation> => startTask(ctx, projectId, Reconciliation, async () => ({ kind: 'reconcile' }))

/**
 * Stores the task and its job together, waits for up to a minute and returns the result. Throws the error of a failed task, or
 * `unavailable` when the task has not ended by then.
 */
export async function startTask<Result>(
  ctx: Context<'accounts' | 'jobs' | 'listener'>,
  projectId: string,
  schema: z.ZodType<Result>,
  plan: (trx: Trx, project: Awaited<ReturnType<typeof loadProject>>) => Promise<TaskSubject | EndedTask>,
): Promise<Result> {
  const project = await loadProject(ctx, projectId)
  const id = await transact(ctx.db, async (trx) => {
    await lockOrganization(trx, project.org_id)
    const inside = { ...ctx, db: trx }
    const now = await loadProject(inside, projectId)
    requireNotDeleting(now)
    const about = await plan(trx, now)
    if ('endedTaskId' in about) return about.endedTaskId
    await ctx.accounts.requireCloud(project.org_id, { project, db: trx })
    return (await runningTaskToJoin(trx, project, about)) ?? (await insertTask(ctx, trx, project, about))
  })
  const task = await waitForRow(ctx, id, () => readTask(ctx.db, project.org_id, id), {
    until: ({ status }) => status !== 'going',
    timeoutMs: WAIT_MS_MAX,
    disconnected: ctx.signal,
  })
  if (task?.status === 'done') {
    // A caller who joined the task of another actor does not mark it, because that actor may still repeat the request to get the result.
    if (task.actor === actorOf(ctx.caller) && !ctx.signal.aborted) await markRead(ctx.db, task)
    return schema.parse(JSON.parse(task.result ?? 'null'))
  }
  if (task?.status === 'failed')
    throw new ApiError(taskErrorCode(task), task.error ?? 'It could not be done.')
  throw new ApiError(
    'unavailable',
    'It is still running. Send the request again in a moment to get its result.',
  )
}

/**
 * Returns the id of a running task of the same kind for the same resource, so that both requests wait for it. Returns
 * null when nothing is running for the project. Throws `conflict` while another task or a deployment is running.
 */
async function runningTaskToJoin(trx: Trx, project: ProjectRef, about: TaskSubject): Promise<string | null> {
  const going = await readRunningTask(trx, project)
  if (going !== null) {
    const isSame = going.kind === about.kind && going.resource_id === (about.resource_id ?? null)
    if (isSame) return going.id
    throw conflict('The resources of the project are being changed right now. Try again when that is done.')
  }
  if ((await latestDeployment(trx, project, 'production', ['deploying'])) !== null)
    throw conflict('The project is being shipped right now. Try again when that is done.')
  return null
}

async function insertTask(
  ctx: Context<'jobs'>,
  trx: Trx,
  project: ProjectIds,
  about: TaskSubject,
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
      error_code: UNREAD,
      created_at: ctx.clock.now(),
    })
    .execute()
  await ctx.jobs.send(trx, deployKind, { orgId, projectId, taskId: id })
  return id
}

/** Runs one stored task and stores its result. A task must be idempotent, because it runs again when its process dies. */
export async function runTask<Port extends keyof Ports>(
  platform: ResourceWork<Port>['platform'],
  task: ResourceTask,
  signal: AbortSignal,
  run: (work: ResourceWork<Port>, task: ResourceTask) => Promise<void>,
): Promise<void> {
  const project = await findProject(platform.db, { orgId: task.org_id, projectId: task.project_id })
  if (project === null) throw notFound('project')
  const { actor } = task
  const cloud = await platform.accounts.openCloud({ orgId: task.org_id, actor, project, signal })
  await retryWhileUnreachable(signal, () => run({ platform, cloud, project, actor, signal }, task))
}

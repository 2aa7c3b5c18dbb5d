import type { Selectable } from 'kysely'
import { type Db, transact, type Trx } from '../db/database.ts'
import type { ProjectIds, ResourceTasksTable } from '../db/tables/projects.ts'
import { type ErrorCode, STATUS_OF } from '../http/errors.ts'
import type { Core } from '../platform.ts'
import { notifyDeploymentChange } from './wait.ts'
import { declaredKeys } from '../lib/keys.ts'

export type ResourceTask = Selectable<ResourceTasksTable>

export async function readTask(db: Db | Trx, orgId: string, id: string): Promise<ResourceTask | null> {
  const row = await db
    .selectFrom('resource_tasks')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function readRunningTask(db: Db | Trx, project: ProjectIds): Promise<ResourceTask | null> {
  const row = await db
    .selectFrom('resource_tasks')
    .selectAll()
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('status', '=', 'going')
    .executeTakeFirst()
  return row ?? null
}

/**
 * The error code of a task from its start until its actor gets the result. A failed task has the code of its failure instead. It is not
 * set when a caller stops waiting, because another request of the actor may have received the result by then.
 */
export const UNREAD: ErrorCode = 'unavailable'

/** Stores that the actor of the task got its result. */
export async function markRead(db: Db, task: ResourceTask): Promise<void> {
  await db
    .updateTable('resource_tasks')
    .set({ error_code: null })
    .where('org_id', '=', task.org_id)
    .where('id', '=', task.id)
    .where('status', '=', 'done')
    .execute()
}

/**
 * Returns the id of the last rollback to this deployment when its actor did not get the result. Returns null when the actor got it, is
 * another one, or there is no rollback since that time.
 */
export async function findUnreadRollback(
  trx: Trx,
  wanted: { orgId: string; deploymentId: string; actor: string; since: Date },
): Promise<string | null> {
  const last = await trx
    .selectFrom('resource_tasks')
    .select(['id', 'actor', 'error_code'])
    .where('org_id', '=', wanted.orgId)
    .where('kind', '=', 'rollback')
    .where('deployment_id', '=', wanted.deploymentId)
    .where('status', '=', 'done')
    .where('created_at', '>', wanted.since)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.error_code === UNREAD && last.actor === wanted.actor ? last.id : null
}

/**
 * Stores the result of a task, and what `change` stores, in one transaction. Does nothing for a task that has already
 * ended.
 */
export async function finishTask(
  platform: Core,
  task: ResourceTask,
  result: object,
  change: (trx: Trx) => Promise<void>,
): Promise<void> {
  await transact(platform.db, async (trx) => {
    if (!(await settleTask(trx, task, { status: 'done', result: JSON.stringify(result) }))) return
    await change(trx)
    await notifyDeploymentChange(trx, task.id)
  })
}

export async function failTask(
  platform: Core,
  task: ResourceTask,
  error: { code: ErrorCode; message: string },
): Promise<void> {
  await transact(platform.db, async (trx) => {
    const failed = { status: 'failed' as const, error_code: error.code, error: error.message }
    if (await settleTask(trx, task, failed)) await notifyDeploymentChange(trx, task.id)
  })
}

async function settleTask(
  trx: Trx,
  task: ResourceTask,
  outcome: Partial<Pick<ResourceTask, 'status' | 'result' | 'error_code' | 'error'>>,
): Promise<boolean> {
  const settled = await trx
    .updateTable('resource_tasks')
    .set(outcome)
    .where('org_id', '=', task.org_id)
    .where('id', '=', task.id)
    .where('status', '=', 'going')
    .executeTakeFirst()
  return settled.numUpdatedRows > 0n
}

/** Returns the stored error code, or `server_error` for one that this version does not know. */
export const taskErrorCode = (task: ResourceTask): ErrorCode =>
  declaredKeys(STATUS_OF).find((code) => code === task.error_code) ?? 'server_error'

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

/** The error code of a task whose caller did not get its result. A failed task has the code of its failure instead. */
const UNREAD: ErrorCode = 'unavailable'

/** Marks a task whose caller stopped waiting for it. The task may have ended meanwhile. */
export async function markUnread(db: Db, orgId: string, id: string): Promise<void> {
  await db
    .updateTable('resource_tasks')
    .set({ error_code: UNREAD })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('status', '!=', 'failed')
    .execute()
}

/**
 * Returns the id of a rollback to this deployment that has ended and that `markUnread` has marked, and removes the mark. Returns null when
 * there is none.
 */
export async function takeUnreadRollback(
  trx: Trx,
  wanted: { orgId: string; deploymentId: string; actor: string; since: Date },
): Promise<string | null> {
  const row = await trx
    .updateTable('resource_tasks')
    .set({ error_code: null })
    .where('org_id', '=', wanted.orgId)
    .where('kind', '=', 'rollback')
    .where('deployment_id', '=', wanted.deploymentId)
    .where('actor', '=', wanted.actor)
    .where('status', '=', 'done')
    .where('error_code', '=', UNREAD)
    .where('created_at', '>', wanted.since)
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
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

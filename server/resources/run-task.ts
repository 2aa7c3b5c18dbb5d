import { openCloud } from '../connections/cloud.ts'
import { notFound } from '../http/errors.ts'
import type { Platform } from '../platform.ts'
import type { Making } from './kinds/kind.ts'
import { whileUnreachable } from './retry.ts'
import { reconcile } from './reconcile.ts'
import { removeResource } from './remove.ts'
import { rollBack } from '../releases/rollback.ts'
import type { ResourceTask } from './task-store.ts'

const RUN: Readonly<Record<ResourceTask['kind'], (work: Making, task: ResourceTask) => Promise<void>>> = {
  rollback: rollBack,
  remove: removeResource,
  reconcile,
}

/** Does one stored task, and settles it. Each of them may run twice, so one that died is simply run again. */
export async function runTask(platform: Platform, task: ResourceTask, signal: AbortSignal): Promise<void> {
  const project = await platform.db
    .selectFrom('projects')
    .select(['id', 'org_id', 'name', 'slug'])
    .where('org_id', '=', task.org_id)
    .where('id', '=', task.project_id)
    .executeTakeFirst()
  if (project === undefined) throw notFound('project')
  const { actor } = task
  const cloud = await openCloud(platform, { orgId: task.org_id, actor, project, signal })
  await whileUnreachable(signal, () => RUN[task.kind]({ platform, cloud, project, actor, signal }, task))
}

import { actorOf } from '../../connections/cloud.ts'
import { transact } from '../../db/database.ts'
import type { CallerContext, Context } from '../../endpoint.ts'
import { recordActivity } from '../../activity/log.ts'
import { lockUndeletedProject, requireNotDeleting } from '../../projects/lifecycle.ts'
import { loadProject } from '../../projects/projects.ts'
import { provisionKind } from '../../capability-state/provision-kind.ts'
import { markRebindDue } from '../../capability-state/rebind-due.ts'
import { readAccessCodeTime, removeCode, storeCode } from './code.ts'

export interface AccessState {
  enabled: boolean
  since: string | null
  /** True when the running app already enforces the stored code. Without a stored code: true when the app asks for none. */
  applied: boolean
}

export async function readAccess(ctx: CallerContext<'db'>, projectId: string): Promise<AccessState> {
  const project = await loadProject(ctx, projectId)
  const since = await readAccessCodeTime(ctx.db, project)
  return { enabled: since !== null, since: since?.toISOString() ?? null, applied: !project.rebind_due }
}

/**
 * Sets or changes the access code of the live app, or removes it (null). Stores the job that updates the bindings of
 * the running app in the same transaction. Later deployments and rollbacks keep the code.
 */
export async function setAccessCode(
  ctx: Context<'keyring' | 'jobs'>,
  projectId: string,
  code: string | null,
): Promise<AccessState> {
  const project = await loadProject(ctx, projectId)
  requireNotDeleting(project)
  const actor = actorOf(ctx.caller)
  await transact(ctx.db, async (trx) => {
    await lockUndeletedProject(trx, project)
    if (code === null && !(await removeCode(trx, project))) return
    if (code !== null) await storeCode(ctx, trx, project, code)
    await markRebindDue(trx, project)
    await ctx.jobs.send(trx, provisionKind, { orgId: project.org_id, projectId: project.id, actor })
    await recordActivity(trx, {
      orgId: project.org_id,
      at: ctx.clock.now(),
      provider: 'slipway',
      actor,
      action: code === null ? 'access_code.remove' : 'access_code.set',
      target: project.slug,
      status: 'ok',
      projectId: project.id,
      projectName: project.name,
    })
  })
  return readAccess(ctx, projectId)
}

import { transact } from '../../db/database.ts'
import type { RunRow } from '../../db/tables/runs.ts'
import type { Workspace } from '../../agent/tools/workspace.ts'
import { readDeployState } from '../../releases/deploy-state.ts'
import { shipProject } from '../../releases/ship.ts'
import { actorOf } from '../../connections/cloud.ts'
import { latestDeployment } from '../../deployments/store.ts'
import type { CallerContext } from '../../endpoint.ts'
import type { Caller } from '../../http/caller.ts'
import { ApiError } from '../../http/errors.ts'
import { knownScopes } from '../../http/scopes.ts'
import type { PlatformPorts } from '../../platform.ts'
import { commitTree } from './commit.ts'
import { readOrganizationSettings } from '../../admin/settings.ts'
import { findMember, organizationName } from '../../auth/people.ts'
import { findKey } from '../../keys/keys.ts'

/**
 * Ships from inside a build: commits the tree and deploys it as the caller who started the run. Checks the caller's
 * rights again, because a key may have been revoked during the run.
 */
export async function shipFromRun(
  platform: PlatformPorts<'accounts' | 'config' | 'jobs' | 'listener'>,
  run: RunRow,
  workspace: Workspace,
  call: { key: string; signal: AbortSignal },
) {
  const caller = await callerOfRun(platform, run)
  // Check the cloud account before the commit, so that nothing is committed when the project cannot be
  // shipped.
  await platform.accounts.requireCloud(run.org_id)
  const sha = await transact(platform.db, (trx) =>
    commitTree(trx, run, {
      files: workspace.complete,
      summary: 'Ship from a build',
      at: platform.clock.now(),
    }),
  )
  const ctx = { ...platform, caller, requestId: call.key, address: '127.0.0.1', signal: call.signal }
  const { url, state } = (await isShipped(ctx, run, sha))
    ? await readDeployState(ctx, run.project_id)
    : await shipProject(ctx, run.project_id)
  return { url, state }
}

/**
 * Returns whether the commit is live already because the process that this run replaces shipped it and died before it stored the
 * result of the tool. Shipping again would announce a second deployment.
 */
async function isShipped(ctx: CallerContext<'db'>, run: RunRow, sha: string): Promise<boolean> {
  if (run.attempt === 1) return false
  const project = { id: run.project_id, org_id: run.org_id }
  const live = await latestDeployment(ctx.db, project, 'production', ['live'])
  return live?.sha === sha && live.actor === actorOf(ctx.caller)
}

async function callerOfRun(platform: PlatformPorts<'config'>, run: RunRow): Promise<Caller> {
  const refused = new ApiError('forbidden', 'The person who started this build may no longer deploy.')
  const settings = await readOrganizationSettings(platform.db, run.org_id)
  const actorId = run.actor ?? ''
  const common = {
    organizationId: run.org_id,
    organizationName: await organizationName(platform.db, run.org_id),
    plan: settings?.plan ?? platform.config.defaultPlan,
    suspendedAt: settings?.suspended_at ?? null,
    actorId,
    userName: null,
    email: null,
    scopes: new Set(knownScopes(run.scopes)),
  }
  if (actorId.startsWith('key_')) {
    const key = await findKey(platform.db, run.org_id, actorId)
    const isExpired = key?.expires_at != null && key.expires_at <= platform.clock.now()
    if (key === null || isExpired || !key.scopes.includes('deploy:write')) throw refused
    return { ...common, kind: 'key', userId: key.created_by, role: null }
  }
  const member = await findMember(platform.db, run.org_id, { userId: actorId })
  if (member === null) throw refused
  return { ...common, kind: 'session', userId: actorId, role: member.role as Caller['role'] }
}

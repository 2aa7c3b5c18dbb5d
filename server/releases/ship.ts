import { type Plan, PLAN_CAPS } from '../billing-plans.ts'
import { actorOf } from '../connections/cloud.ts'
import { hasModelConnection } from '../connections/connections.ts'
import { transact, type Trx } from '../db/database.ts'
import { lockOrganization } from '../db/locks.ts'
import type { Context } from '../endpoint.ts'
import { ApiError, conflict } from '../http/errors.ts'
import { beginMove, type LiveDataChoice } from '../moves/moves.ts'
import { requireActive, requireStillActive } from '../projects/lifecycle.ts'
import { loadProject } from '../projects/projects.ts'
import { deployKind } from '../deployments/job-kinds.ts'
import { DEPLOYMENT_WAIT_MS, waitForDeployment } from '../resources/wait.ts'
import { builtSha, readDeployState } from './deploy-state.ts'
import { countLiveProjects, insertDeployment, latestDeployment } from '../deployments/store.ts'

/** Ships the built files and waits until they are served. Returns `deploying` after a minute; the job then continues. */
export async function shipProject(
  ctx: Context<'accounts' | 'jobs' | 'listener'>,
  projectId: string,
  options: { liveData?: LiveDataChoice | undefined } = {},
) {
  const deploymentId = await startDeployment(ctx, projectId, options.liveData)
  const deployment = await waitForDeployment(
    ctx,
    { orgId: ctx.caller.organizationId, deploymentId },
    {
      until: ({ status }) => status !== 'deploying',
      timeoutMs: DEPLOYMENT_WAIT_MS,
      disconnected: ctx.signal,
    },
  )
  if (deployment?.status === 'failed')
    throw new ApiError('upstream_error', deployment.error ?? 'The deployment failed.')
  return await readDeployState(ctx, projectId)
}

async function startDeployment(
  ctx: Context<'accounts' | 'jobs'>,
  projectId: string,
  liveData: LiveDataChoice | undefined,
): Promise<string> {
  const project = await loadProject(ctx, projectId)
  const { organizationId: orgId, plan, suspendedAt } = ctx.caller
  const sha = await builtSha(ctx.db, projectId)
  if (sha === null) throw new ApiError('invalid_request', 'Nothing is built yet: build a ticket first.')
  requireActive(project, 'shipping')
  if (!(await hasModelConnection(ctx.db, orgId)))
    throw new ApiError('model_required', 'No model is connected. Connect one under Connections.')
  if (suspendedAt !== null)
    throw new ApiError(
      'forbidden',
      'The organization is suspended and cannot ship. Its live apps keep running.',
    )
  await ctx.accounts.requireCloud(orgId)
  return await transact(ctx.db, async (trx) => {
    await lockOrganization(trx, orgId)
    await requireStillActive(trx, { orgId, projectId }, 'shipping')
    const running = await latestDeployment(trx, project, 'production', ['deploying'])
    // A second request for the same version waits for the deployment that is running.
    if (running !== null && running.sha === sha) return running.id
    if (running !== null)
      throw conflict('An older version is being shipped right now. Ship again when it is done.')
    await requireWithinLiveProjectLimit(trx, { orgId, projectId, plan })
    // Read again under the lock, because another account may have been connected in the meantime.
    const { account_id: accountId } = await ctx.accounts.requireCloud(orgId, { db: trx })
    return await beginDeployment(ctx, trx, { orgId, projectId, sha, accountId, liveData })
  })
}

async function beginDeployment(
  ctx: Context<'jobs'>,
  trx: Trx,
  ship: {
    orgId: string
    projectId: string
    sha: string
    accountId: string
    liveData: LiveDataChoice | undefined
  },
): Promise<string> {
  const { orgId, projectId, sha } = ship
  const at = ctx.clock.now()
  const id = await insertDeployment(trx, {
    orgId,
    projectId,
    tier: 'production',
    sha,
    actor: actorOf(ctx.caller),
    at,
  })
  await beginMove(trx, { ...ship, deploymentId: id, at })
  await ctx.jobs.send(trx, deployKind, { orgId, projectId, deploymentId: id })
  return id
}

/** Throws when the plan allows no further live project. The count is exact because the caller has locked the organization. */
async function requireWithinLiveProjectLimit(
  trx: Trx,
  { orgId, projectId, plan }: { orgId: string; projectId: string; plan: Plan },
): Promise<void> {
  const limit = PLAN_CAPS[plan].liveProjects
  if (limit === Infinity) return
  if ((await countLiveProjects(trx, { orgId, except: projectId })) < limit) return
  const projects = limit === 1 ? 'one live project' : `${limit} live projects`
  throw new ApiError(
    'payment_required',
    `The ${plan} plan allows ${projects}. Archive one or change the plan.`,
  )
}

import type { Cloud } from '../cloudflare/client.ts'
import { CloudflareError } from '../cloudflare/errors.ts'
import { actorOf } from '../connections/cloud.ts'
import { databaseErrorCode, transact, type Trx } from '../db/database.ts'
import type { ProjectIds, ProjectIdsAndName } from '../db/tables/projects.ts'
import type { Context } from '../endpoint.ts'
import { recordActivity } from '../activity/log.ts'
import { ApiError, conflict } from '../http/errors.ts'
import type { Core } from '../platform.ts'
import { PROJECTS_AS_P } from '../sql/projects.ts'
import { lockUndeletedProject, requireNotDeleting } from '../projects/lifecycle.ts'
import { loadProject } from '../projects/projects.ts'
import { type RequireLease, withLease } from '../leases/lease.ts'
import { isUsedElsewhere } from '../resources/list.ts'
import { CALLER_WAIT_MS, hostnameInUseError } from './attach.ts'
import { readDomainAttachment, readDomain } from './domains.ts'
import { findZoneOf } from './inspect.ts'
import { domainStatus } from './status.ts'

/**
 * Stores the host name for a project. Its zone must already be in the connected account. Returns the domain's
 * status, with the name servers to set at the registrar or the message about the next step.
 */
export async function onboardDomain(ctx: Context<'accounts'>, projectId: string, hostname: string) {
  const project = await loadProject(ctx, projectId)
  requireNotDeleting(project)
  if (ctx.caller.plan === 'free')
    throw new ApiError('payment_required', 'A custom domain needs the Starter plan or a larger one.')
  const actor = actorOf(ctx.caller)
  const cloud = await ctx.accounts.openCloud({ orgId: project.org_id, actor, project })
  if (!(await mayContainHostname(cloud, hostname)))
    throw conflict(
      `The connected Cloudflare account has no domain for ${hostname}. Add the domain at Cloudflare first, then set it here again.`,
    )
  // An attach that is running would attach the replaced host name, which then no status shows and no call detaches.
  await withLease(ctx, project, { purpose: 'domain', waitMs: CALLER_WAIT_MS }, (hold) =>
    storeDomain(ctx, project, { hostname, actor, hold }),
  )
  return await domainStatus(ctx, project, { actor, fresh: false })
}

/**
 * Returns whether a zone of the account contains the host name; true when the credential may not read zones.
 */
async function mayContainHostname(cloud: Cloud, hostname: string): Promise<boolean> {
  try {
    return (await findZoneOf(cloud, hostname)) !== null
  } catch (error) {
    // The host name is stored even when the scope is missing, because the next OAuth sign-in to Cloudflare requests that
    // scope only for an organization with a stored domain.
    if (error instanceof CloudflareError && error.fault === 'missing_scope') return true
    throw error
  }
}

async function storeDomain(
  ctx: Core,
  project: ProjectIdsAndName,
  wish: { hostname: string; actor: string; hold: RequireLease },
): Promise<void> {
  const { hostname, actor, hold } = wish
  try {
    await transact(ctx.db, async (trx) => {
      await hold(trx)
      await lockUndeletedProject(trx, project)
      const known = await readDomain(trx, project)
      await requireUnused(trx, project, hostname)
      if (known?.hostname === hostname) return
      if (known !== null && (await readDomainAttachment(trx, project)) !== null)
        throw conflict(`The project is attached to ${known.hostname}. Remove that domain first.`)
      await replaceDomainRow(trx, project, hostname, ctx.clock.now())
      await recordActivity(trx, {
        orgId: project.org_id,
        at: ctx.clock.now(),
        provider: 'slipway',
        actor,
        action: 'domain.set',
        target: hostname,
        status: 'ok',
        projectId: project.id,
        projectName: project.name,
      })
    })
  } catch (error) {
    // Another project of the organization stored this name at the same time.
    if (databaseErrorCode(error) === '23505') throw hostnameInUseError(hostname)
    throw error
  }
}

/**
 * Throws `conflict` for a host name that is attached to another project of any organization, or stored for another
 * project of this organization.
 */
async function requireUnused(trx: Trx, project: ProjectIds, hostname: string): Promise<void> {
  // Checked in all organizations, because a host name can be attached to only one worker.
  const isAttached = await isUsedElsewhere(trx, project, { kind: 'custom_domain', name: hostname })
  const wanted = await trx
    .selectFrom('domains as d')
    .innerJoin(PROJECTS_AS_P, 'p.id', 'd.project_id')
    .select('p.name')
    .where('d.org_id', '=', project.org_id)
    .where('d.hostname', '=', hostname)
    .where('d.project_id', '!=', project.id)
    .executeTakeFirst()
  if (wanted !== undefined)
    throw conflict(`${hostname} is the domain of the project ${wanted.name}. Remove it there first.`)
  if (isAttached) throw hostnameInUseError(hostname)
}

async function replaceDomainRow(trx: Trx, project: ProjectIds, hostname: string, now: Date): Promise<void> {
  const about = { hostname, facts: null, seen_at: null, zone_checked_at: null, url: null, problem: null }
  await trx
    .insertInto('domains')
    .values({ ...about, project_id: project.id, org_id: project.org_id, created_at: now })
    .onConflict((known) => known.column('project_id').doUpdateSet(about))
    .execute()
}

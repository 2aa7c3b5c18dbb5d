import type { Cloud } from '../cloudflare/client.ts'
import { attachDomain as putDomain, type CustomDomain, findDomain } from '../cloudflare/products/domains.ts'
import { CloudflareError } from '../cloudflare/errors.ts'
import { listAddressRecords } from '../cloudflare/products/dns.ts'
import { actorOf } from '../connections/cloud.ts'
import { databaseErrorCode, transact } from '../db/database.ts'
import type { Context } from '../endpoint.ts'
import { appName } from '../resource-names.ts'
import {
  deleteResourceRow,
  reserveResource,
  type ResourceKey,
  settleResource,
} from '../resources/registry.ts'
import { ApiError, conflict } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Core, PlatformPorts } from '../platform.ts'
import { requireActive } from '../projects/lifecycle.ts'
import { loadProject } from '../projects/projects.ts'
import type { ProjectRef } from '../resources/work.ts'
import { changeDomain, syncLiveUrl, readDomain } from './domains.ts'
import { recordsMessage, hostnameTakenMessage } from './facts.ts'
import { type RequireLease, withLease } from '../leases/lease.ts'
import { findZoneOf } from './inspect.ts'
import { domainStatus } from './status.ts'

/**
 * The maximum wait for the lease of the domain. It is shorter for a request, whose caller waits for the response,
 * than for a deployment.
 */
export const CALLER_WAIT_MS = 5_000
const SHIP_WAIT_MS = 30_000

/** Attaches the project's host name to its live app. Attaching also orders the certificate. Returns the domain's status. */
export async function attachProjectDomain(ctx: Context<'accounts' | 'widgets'>, projectId: string) {
  const project = await loadProject(ctx, projectId)
  const actor = actorOf(ctx.caller)
  const row = await readDomain(ctx.db, project)
  if (row === null) throw conflict('No domain is set. Set one with its host name first.')
  requireActive(project, 'shipping')
  if (project.lifecycle !== 'live')
    throw conflict('The project is not live yet. Ship it: the domain is attached with the ship.')
  const cloud = await ctx.accounts.openCloud({ orgId: project.org_id, actor, project })
  await attach(ctx, cloud, project, CALLER_WAIT_MS)
  return await domainStatus(ctx, await loadProject(ctx, projectId), { actor, fresh: true })
}

/**
 * Attaches the domain, if there is one, as part of a production deployment. A failure is stored for the
 * domain's status and does not fail the deployment, because the app is also reachable at the address of its worker.
 */
export async function attachDomainAtShip(
  platform: PlatformPorts<'widgets'>,
  cloud: Cloud,
  project: ProjectRef,
  signal: AbortSignal,
): Promise<void> {
  if ((await readDomain(platform.db, project)) === null) return
  try {
    await attach(platform, cloud, project, SHIP_WAIT_MS)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ProviderError) && !(error instanceof ApiError)) throw error
    platform.log.warn({ err: error, projectId: project.id }, 'the domain was not attached')
    await changeDomain(platform.db, project, { problem: error.message, seen_at: null })
  }
}

/**
 * Attaches the domain in the account. Records it in `resources` first, so that after a crash no domain is attached
 * without a record. All code that attaches a domain calls this function. Idempotent.
 */
export async function attach(
  platform: PlatformPorts<'widgets'>,
  cloud: Cloud,
  project: ProjectRef,
  waitMsMax: number,
): Promise<void> {
  await withLease(platform, project, { purpose: 'domain', waitMs: waitMsMax }, async (hold) => {
    // Read the row again, because it may have been changed while this call waited for the lease.
    const row = await readDomain(platform.db, project)
    if (row === null) throw conflict('The domain was removed.')
    const { hostname } = row
    const service = appName(project, 'production')
    const key: ResourceKey = {
      orgId: project.org_id,
      projectId: project.id,
      accountId: cloud.accountId,
      kind: 'custom_domain',
      name: hostname,
    }
    const { domain, isNew } = await routeHostname(platform, cloud, key, { service, hold })
    // The widget is updated before the state becomes `ok`: if the update fails, `watchDomains` attaches the domain again and repeats it.
    await platform.widgets.syncWidgetHosts(platform, cloud, project)
    await settleResource(platform, key, { state: 'ok', providerId: domain.id })
    await transact(platform.db, async (trx) => {
      await hold(trx)
      // A newly attached domain has no certificate yet, so the project keeps the address of its worker for now.
      await changeDomain(trx, project, { problem: null, seen_at: null, ...(isNew && { url: null }) })
      if (isNew) await syncLiveUrl(trx, project)
    })
  })
}

async function routeHostname(
  platform: Core,
  cloud: Cloud,
  key: ResourceKey,
  { service, hold }: { service: string; hold: RequireLease },
): Promise<{ domain: CustomDomain; isNew: boolean }> {
  const hostname = key.name
  const found = await findDomain(cloud, hostname)
  if (found !== null && found.service !== service)
    throw conflict(hostnameTakenMessage(hostname, found.service))
  // The name is already attached to this worker, by an attempt whose response was lost or by a person. Keep it in either case.
  if (found !== null) {
    await reserveHostname(platform, key)
    return { domain: found, isNew: false }
  }
  const zoneId = await requireAttachable(cloud, hostname)
  const resource = await reserveHostname(platform, key)
  await hold(platform.db)
  try {
    return { domain: await putDomain(cloud, { hostname, service, zoneId }), isNew: true }
  } catch (error) {
    // The provider refused and attached nothing, so other projects may use the host name.
    const isRefused = error instanceof CloudflareError && error.isClear && !error.retryable
    if (isRefused && resource.state === 'creating')
      await deleteResourceRow(platform.db, { id: key.projectId, org_id: key.orgId }, resource.id)
    throw error
  }
}

/**
 * Returns the zone in which the host name can be attached. Throws `conflict` when no zone of the account contains it,
 * when the zone is not active, or when the host name has other DNS records.
 */
async function requireAttachable(cloud: Cloud, hostname: string): Promise<string> {
  const zone = await findZoneOf(cloud, hostname)
  if (zone === null) throw conflict(`The connected Cloudflare account has no domain for ${hostname}.`)
  if (zone.status !== 'active')
    throw conflict(
      `${zone.name} is not active yet: set its name servers to ${zone.nameServers.join(' and ')} where it is registered.`,
    )
  const records = await listAddressRecords(cloud, zone.id, hostname)
  if (records.length > 0) throw conflict(recordsMessage(hostname, { records }))
  return zone.id
}

async function reserveHostname(platform: Core, key: ResourceKey) {
  try {
    return await reserveResource(platform, key, {
      tier: 'production',
      capability: null,
      exists: async () => false,
    })
  } catch (error) {
    const isTaken = error instanceof CloudflareError && error.fault === 'name_taken'
    if (isTaken || databaseErrorCode(error) === '23505') throw hostnameInUseError(key.name)
    throw error
  }
}

/**
 * The error for a host name that is attached to another project. It does not name the project, which may belong to
 * another organization.
 */
export const hostnameInUseError = (hostname: string): ApiError =>
  conflict(`${hostname} is in use by another project. Remove it there first.`)

import type { Cloud } from '../cloudflare/client.ts'
import { CloudflareError } from '../cloudflare/errors.ts'
import { checkActivation } from '../cloudflare/products/zones.ts'
import { actorOf } from '../connections/cloud.ts'
import { readConnection } from '../connections/connections.ts'
import { transact } from '../db/database.ts'
import type { Context } from '../endpoint.ts'
import { appName } from '../resource-names.ts'
import { recordActivity } from '../activity/log.ts'
import type { Core, PlatformPorts } from '../platform.ts'
import { loadProject } from '../projects/projects.ts'
import { changeDomain, type DomainRow, domainFactsOf, syncLiveUrl, readDomain } from './domains.ts'
import { type DomainState, type DomainFacts, domainStateMessage, domainState } from './facts.ts'
import { failedInspection, inspectDomain } from './inspect.ts'

export interface DomainProject {
  id: string
  org_id: string
  name: string
  slug: string
  lifecycle: 'offline' | 'live' | 'archived'
}

/** Milliseconds for which a successful inspection is cached. */
const CACHE_MS = 60_000
/** A failed inspection is cached for less time, because the account may work again soon. */
const FAILURE_CACHE_MS = 10_000
/** The milliseconds for which an inspection is cached even for a request with `fresh`. */
const FRESH_MS = 5_000
/** The provider accepts a check of name servers at most every 5 minutes, according to its documentation. */
const ZONE_CHECK_MS = 300_000
/** The maximum duration of an inspection, for which the response waits. */
const INSPECT_MS_MAX = 10_000

/** Returns the status of the project's domain. The status is at most a minute old, or a few seconds with `fresh`. */
export async function getDomainStatus(ctx: Context<'accounts'>, projectId: string, fresh: boolean) {
  return await domainStatus(ctx, await loadProject(ctx, projectId), { actor: actorOf(ctx.caller), fresh })
}

/** Does the same as `getDomainStatus`, for a project row that is loaded already. */
export async function domainStatus(
  platform: PlatformPorts<'accounts'>,
  project: DomainProject,
  ask: { actor: string; fresh: boolean },
): Promise<ReturnType<typeof presentState>> {
  const [connection, row] = await Promise.all([
    readConnection(platform.db, project.org_id, 'cloudflare'),
    readDomain(platform.db, project),
  ])
  if (connection === null) return presentState('no_connection', row, null, null)
  if (connection.status === 'needs_reconnect')
    return presentState(
      'needs_reconnect',
      row,
      null,
      'The cloud account must be connected again under Connections.',
    )
  if (row === null) return presentState('no_domain', null, null, null)
  const kept = storedFreshFacts(row, platform.clock.now(), ask.fresh)
  if (kept !== null) return presentFacts(project, row, kept)
  const facts = await refreshFacts(platform, project, row, ask)
  const current = await readDomain(platform.db, project)
  // The host name was changed or removed during the inspection, so the facts are not those of the current domain.
  if (current?.hostname !== row.hostname) return await domainStatus(platform, project, ask)
  return presentFacts(project, current, facts)
}

function storedFreshFacts(row: DomainRow, now: Date, fresh: boolean): DomainFacts | null {
  const facts = domainFactsOf(row)
  if (facts === null || row.seen_at === null) return null
  const keptMs = fresh ? FRESH_MS : facts.failure === null ? CACHE_MS : FAILURE_CACHE_MS
  return now.getTime() - row.seen_at.getTime() < keptMs ? facts : null
}

/** Inspects the domain and stores the result. A failure of the account is stored as the result and not thrown. */
export async function refreshFacts(
  platform: PlatformPorts<'accounts'>,
  project: DomainProject,
  row: DomainRow,
  ask: { actor: string; fresh: boolean },
): Promise<DomainFacts> {
  const signal = AbortSignal.timeout(INSPECT_MS_MAX)
  let cloud: Cloud | null = null
  let facts: DomainFacts
  try {
    cloud = await platform.accounts.openCloud({ orgId: project.org_id, actor: ask.actor, project, signal })
    facts = await inspectDomain(cloud, { hostname: row.hostname, service: appName(project, 'production') })
    if (ask.fresh) await askForCheck(platform, cloud, project, row, { facts, signal })
  } catch (error) {
    facts = failedInspection(signal.aborted ? tooSlow(error) : error)
  }
  await storeFacts(platform, project, row, facts, cloud)
  return facts
}

const tooSlow = (cause: unknown) =>
  new CloudflareError('upstream', 'The cloud account did not answer in time. Try again.', {
    status: null,
    retryable: true,
    cause,
  })

/**
 * Asks Cloudflare to check the name servers again, so that a change at the registrar is noticed sooner. A failure is
 * only logged.
 */
async function askForCheck(
  platform: Core,
  cloud: Cloud,
  project: DomainProject,
  row: DomainRow,
  { facts: { zone }, signal }: { facts: DomainFacts; signal: AbortSignal },
): Promise<void> {
  if (zone === null || zone.status === 'active') return
  const now = platform.clock.now()
  const checkedAt = row.zone_checked_at?.getTime() ?? -Infinity
  if (now.getTime() - checkedAt < ZONE_CHECK_MS) return
  await changeDomain(platform.db, project, { zone_checked_at: now })
  await checkActivation(cloud, zone).catch((error: unknown) => {
    // The check was refused, because it was too early or is not allowed, or there was no time left for it. The zone remains pending.
    if (!(error instanceof CloudflareError) && !signal.aborted) throw error
    platform.log.info({ err: error, projectId: project.id }, 'the name servers could not be checked')
  })
}

/** Stores an inspection, and updates the project's address when the domain has become active or inactive. */
async function storeFacts(
  platform: Core,
  project: DomainProject,
  row: DomainRow,
  facts: DomainFacts,
  cloud: Cloud | null,
): Promise<void> {
  const at = platform.clock.now()
  const isActive = domainState(facts, deploymentOf(project)) === 'active'
  await transact(platform.db, async (trx) => {
    const before = await trx
      .selectFrom('domains')
      .select(['url'])
      .where('org_id', '=', project.org_id)
      .where('project_id', '=', project.id)
      .where('hostname', '=', row.hostname)
      .forUpdate()
      .executeTakeFirst()
    // The host name was changed during the inspection, so the result is not stored.
    if (before === undefined) return
    await changeDomain(trx, project, { facts: JSON.stringify(facts), seen_at: at })
    // A failed inspection does not change the app's address, because the domain may still be active.
    if (facts.failure !== null || cloud === null || isActive === (before.url !== null)) return
    await changeDomain(trx, project, { url: isActive ? originOfHostname(cloud, row.hostname) : null })
    await syncLiveUrl(trx, project)
    await recordActivity(trx, {
      orgId: project.org_id,
      at,
      provider: 'slipway',
      // The service itself noticed the change, so there is no person to name.
      actor: 'slipway',
      action: isActive ? 'domain.active' : 'domain.inactive',
      target: row.hostname,
      status: 'ok',
      projectId: project.id,
      projectName: project.name,
    })
  })
}

/** Returns the URL of a host name. The scheme and the port are those of the account's workers. */
function originOfHostname(cloud: Cloud, hostname: string): string {
  const url = new URL(cloud.appUrl('worker'))
  url.hostname = hostname
  return url.origin
}

const deploymentOf = (project: DomainProject) => ({
  service: appName(project, 'production'),
  isLive: project.lifecycle === 'live',
})

function presentFacts(project: DomainProject, row: DomainRow, facts: DomainFacts) {
  const state = domainState(facts, deploymentOf(project))
  return presentState(state, row, facts, domainStateMessage(state, facts, row))
}

function presentState(
  state: DomainState,
  row: DomainRow | null,
  facts: DomainFacts | null,
  message: string | null,
) {
  const zone = facts?.zone ?? null
  return {
    state,
    hostname: row?.hostname ?? null,
    url: state === 'active' ? (row?.url ?? null) : null,
    zone: zone === null ? null : { name: zone.name, status: zone.status },
    nameServers: state === 'pending_nameservers' ? (zone?.nameServers ?? []) : [],
    certificate: facts?.certificate ?? null,
    conflicts: facts?.records ?? [],
    message,
    checkedAt: row?.seen_at?.toISOString() ?? null,
  }
}

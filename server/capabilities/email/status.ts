import type { Cloud } from '../../cloudflare/client.ts'
import { findSendingDomain } from '../../cloudflare/products/email.ts'
import { listZones } from '../../cloudflare/products/zones.ts'
import { actorOf } from '../../connections/cloud.ts'
import type { CallerContext, Context } from '../../endpoint.ts'
import { ApiError } from '../../http/errors.ts'
import { requireNotMoving } from '../../moves/moves.ts'
import type { Core } from '../../platform.ts'
import { loadProject } from '../../projects/projects.ts'
import { readDnsRecords, type SendingRecord } from '../../resources/kinds/sending-domain.ts'
import { capabilityOf } from '../../capability-catalog/catalog.ts'
import { readDeclaredCollections } from './declared.ts'
import { readFrom } from './live.ts'
import { mailboxAddress, listMailboxes, readMailDomain } from './mail-store.ts'
import { readRouting } from './sync.ts'

type LoadedProject = Awaited<ReturnType<typeof loadProject>>

/**
 * Returns the project when the capability is enabled. The project need not be deployed, because mail can be set up
 * before the first deployment.
 */
export async function requireMail(ctx: CallerContext<'db'>, projectId: string): Promise<LoadedProject> {
  const project = await loadProject(ctx, projectId)
  await requireNotMoving(ctx.db, project)
  const row = await ctx.db
    .selectFrom('capabilities')
    .select('enabled')
    .where('project_id', '=', project.id)
    .where('key', '=', 'email')
    .executeTakeFirst()
  if (row?.enabled !== true)
    throw new ApiError('not_enabled', `${capabilityOf('email').title} is off in this project.`)
  return project
}

export const openMailCloud = (ctx: Context<'accounts'>, project: LoadedProject): Promise<Cloud> =>
  ctx.accounts.openCloud({ orgId: project.org_id, actor: actorOf(ctx.caller), project })

/** Reads the state from the cloud account and not from the database, so the status is never stale. */
export async function readMailStatus(ctx: Core, project: LoadedProject, cloud: Cloud) {
  const [zones, domain, mailboxes, from, collections] = await Promise.all([
    listZones(cloud),
    readMailDomain(ctx.db, project, cloud.accountId),
    listMailboxes(ctx.db, project),
    readFrom(ctx.db, project, cloud.accountId),
    readDeclaredCollections(ctx.db, project.id),
  ])
  if (domain === null) {
    const sending = { zoneId: null, domain: null, state: 'none' as const, localPart: null, from, dns: [] }
    return { zones, sending, mailboxes: [], routing: 'none' as const, collections }
  }
  const { zone_id: zoneId, domain: name, local_part: localPart } = domain
  const addresses = mailboxes.map((one) => mailboxAddress(one, name))
  const [{ dns }, routing] = await Promise.all([
    readSending(cloud, zoneId, name),
    readRouting(cloud, zoneId, addresses),
  ])
  const state = domain.from_address === null ? ('pending' as const) : ('verified' as const)
  return {
    zones,
    sending: { zoneId, domain: name, state, localPart, from, dns },
    mailboxes: mailboxes.map((one) => ({ ...one, address: mailboxAddress(one, name) })),
    routing,
    collections,
  }
}

/** Returns the DNS records of the sending domain, and whether the provider accepts mail from this domain. */
export async function readSending(
  cloud: Cloud,
  zoneId: string,
  name: string,
): Promise<{ isEnabled: boolean; dns: SendingRecord[] }> {
  const found = await findSendingDomain(cloud, zoneId, name)
  if (found === null) return { isEnabled: false, dns: [] }
  return { isEnabled: found.enabled, dns: await readDnsRecords(cloud, zoneId, found) }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Cloud } from '../../cloudflare/client.ts'
import { listRules, readRoutingStatus, ruleOf } from '../../cloudflare/products/email.ts'
import { actorOf } from '../../connections/cloud.ts'
import { transact, type Trx } from '../../db/database.ts'
import { ApiError, conflict, invalid, notFound } from '../../http/errors.ts'
import { lockUndeletedProject, requireNotDeleting } from '../../projects/lifecycle.ts'
import { addressTakenMessage } from '../../resources/kinds/routing-rule.ts'
import { findNamed, isUsedElsewhere } from '../../resources/list.ts'
import { listZones } from '../../cloudflare/products/zones.ts'
import type { Context, RequestContext } from '../../endpoint.ts'
import type { Core } from '../../platform.ts'
import { splitReason } from '../../capability-declaration/capability.ts'
import { capabilityOf } from '../../capability-catalog/catalog.ts'
import { enableCapability } from '../save.ts'
import { readDeclaredCollections } from './declared.ts'
import {
  mailboxAddress,
  listMailboxes,
  type Mailbox,
  type MailDomain,
  setFromAddress,
  readMailDomain,
  replaceMailboxes,
  saveMailDomain,
} from './mail-store.ts'
import { resumeMails } from './mails.ts'
import { openMailCloud, readMailStatus, readSending, requireMail } from './status.ts'
import { readRouting } from './sync.ts'

type MailProject = Awaited<ReturnType<typeof requireMail>>

const WAIT_MS_MAX = 60_000
const ROUTING_RETRY_MS = 100
/** After Email Routing was enabled, a moment passes before the provider reports it as enabled. */
const ROUTING_WAIT_MS = 5_000

/** Stores the domain and the sender, and sets up the domain in the account. */
export async function onboardMail(
  ctx: Context<'accounts' | 'jobs'>,
  projectId: string,
  wish: { zoneId: string; localPart: string },
) {
  const project = await requireMail(ctx, projectId)
  requireNotDeleting(project)
  const cloud = await openMailCloud(ctx, project)
  const zone = (await listZones(cloud)).find(({ id }) => id === wish.zoneId)
  if (zone === undefined) throw invalid('zoneId', 'is no domain of the connected Cloudflare account')
  if (zone.status !== 'active')
    throw conflict(`${zone.name} is not active yet. Set its name servers at your registrar first.`)
  await applyChange(ctx, project, async (trx) => {
    const known = await readMailDomain(trx, project, cloud.accountId)
    const isSame = known?.zone_id === zone.id && known.local_part === wish.localPart
    if (known !== null && known.zone_id !== zone.id && (await listMailboxes(trx, project)).length > 0)
      throw conflict(`Mailboxes at ${known.domain} are in use. Remove them first.`)
    const domain = {
      account_id: cloud.accountId,
      zone_id: zone.id,
      domain: zone.name.toLowerCase(),
      local_part: wish.localPart,
      from_address: isSame ? known.from_address : null,
    }
    await saveMailDomain(trx, project, domain, ctx.clock.now())
  })
  return await readMailStatus(ctx, project, cloud)
}

/** Checks whether mail can be sent from the domain. If it can, makes the stored address the sender of the app. */
export async function verifyMail(ctx: Context<'accounts' | 'jobs'>, projectId: string) {
  const project = await requireMail(ctx, projectId)
  requireNotDeleting(project)
  const cloud = await openMailCloud(ctx, project)
  const domain = await requireDomain(ctx, project, cloud)
  const { isEnabled, dns } = await readSending(cloud, domain.zone_id, domain.domain)
  if (!isEnabled || dns.length === 0 || dns.some(({ present }) => !present)) return { verified: false, dns }
  const from = mailboxAddress({ localPart: domain.local_part }, domain.domain)
  if (domain.from_address !== from) {
    await applyChange(ctx, project, async (trx) => {
      const now = await readMailDomain(trx, project, cloud.accountId)
      // Another request changed the domain while the provider checked this domain.
      if (now?.domain !== domain.domain || now.local_part !== domain.local_part)
        throw conflict('The domain was changed meanwhile. Verify it again.')
      await setFromAddress(trx, now, from)
    })
  }
  // Repeated in every verification, because the process that stored the sender may have died before this line.
  await resumeMails(ctx, project)
  return { verified: true, from, dns }
}

/** Replaces the app's mailboxes and their routing rules in the account. Returns the mailboxes, and whether mail to them arrives. */
export async function replaceMail(
  ctx: Context<'accounts' | 'jobs'>,
  projectId: string,
  mailboxes: Mailbox[],
) {
  const project = await requireMail(ctx, projectId)
  requireNotDeleting(project)
  const cloud = await openMailCloud(ctx, project)
  const known = await readMailDomain(ctx.db, project, cloud.accountId)
  if (mailboxes.length > 0) {
    const domain = await requireDomain(ctx, project, cloud)
    await requireDeclared(ctx, project, mailboxes)
    await requireFreeAddresses(ctx, project, cloud, { domain, mailboxes })
  }
  await applyChange(ctx, project, (trx) => replaceMailboxes(trx, project, mailboxes))
  const addresses = known === null ? [] : mailboxes.map((one) => mailboxAddress(one, known.domain))
  const routing = known === null ? 'none' : await waitForRouting(ctx, cloud, known, addresses)
  const stored = await listMailboxes(ctx.db, project)
  return {
    mailboxes: stored.map((one) => ({ ...one, address: mailboxAddress(one, known?.domain ?? '') })),
    routing,
  }
}

async function requireDomain(ctx: Core, project: MailProject, cloud: Cloud): Promise<MailDomain> {
  const domain = await readMailDomain(ctx.db, project, cloud.accountId)
  if (domain === null) throw conflict('No domain is set up for mail. Choose one first.')
  return domain
}

/** Throws 400 for a collection that the `app.json` on main does not list under `mailboxes`. */
async function requireDeclared(ctx: Core, project: MailProject, mailboxes: Mailbox[]): Promise<void> {
  const declared = await readDeclaredCollections(ctx.db, project.id)
  const at = mailboxes.findIndex(({ collection }) => !declared.includes(collection))
  if (at >= 0)
    throw invalid(
      `mailboxes.${at}.collection`,
      `${mailboxes[at]?.collection} is not declared under mailboxes in app.json`,
    )
}

/** Throws `conflict` for an address whose mail is routed to another project or by a person's rule. */
async function requireFreeAddresses(
  { db }: Core,
  project: MailProject,
  cloud: Cloud,
  { domain, mailboxes }: { domain: MailDomain; mailboxes: Mailbox[] },
): Promise<void> {
  const rules = await listRules(cloud, domain.zone_id)
  for (const mailbox of mailboxes) {
    const wanted = { kind: 'routing_rule' as const, name: mailboxAddress(mailbox, domain.domain) }
    const isForeign =
      (await isUsedElsewhere(db, project, wanted)) ||
      (ruleOf(rules, wanted.name) !== null && (await findNamed(db, project, wanted)) === null)
    if (isForeign) throw conflict(addressTakenMessage(wanted.name))
  }
}

/**
 * Stores a change with the job that applies it to the account, and waits for that job. When this process dies, another process
 * continues the job. Throws the error with which the account refused the change.
 */
async function applyChange(
  ctx: Context<'jobs'>,
  project: MailProject,
  store: (trx: Trx) => Promise<void>,
): Promise<void> {
  await transact(ctx.db, async (trx) => {
    await lockUndeletedProject(trx, project)
    await store(trx)
    const actor = actorOf(ctx.caller)
    await enableCapability(ctx, trx, project, { declared: capabilityOf('email'), actor })
  })
  const giveUpAt = performance.now() + WAIT_MS_MAX
  while (performance.now() < giveUpAt && !ctx.signal.aborted) {
    const row = await ctx.db
      .selectFrom('capabilities')
      .select(['state', 'error'])
      .where('project_id', '=', project.id)
      .where('key', '=', 'email')
      .executeTakeFirst()
    if (row === undefined) throw notFound('project')
    if (row.state === 'idle') return
    if (row.state === 'error') {
      const { code, message } = splitReason(row.error ?? '')
      throw new ApiError(code === 'name_taken' ? 'conflict' : 'upstream_error', message)
    }
    await sleep(ROUTING_RETRY_MS)
  }
  throw new ApiError(
    'unavailable',
    'It is saved and still being set up in the cloud account. Look again in a moment.',
  )
}

async function waitForRouting(
  { signal }: RequestContext,
  cloud: Cloud,
  { zone_id: zoneId }: MailDomain,
  addresses: string[],
) {
  const giveUpAt = performance.now() + ROUTING_WAIT_MS
  const isStarting = async () =>
    addresses.length > 0 && (await readRoutingStatus(cloud, zoneId)) === 'unconfigured'
  while (performance.now() < giveUpAt && !signal.aborted && (await isStarting()))
    await sleep(ROUTING_RETRY_MS * 5)
  return await readRouting(cloud, zoneId, addresses)
}

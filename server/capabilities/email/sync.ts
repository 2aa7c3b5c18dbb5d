import { enableRouting, listRules, readRoutingStatus, ruleOf } from '../../cloudflare/products/email.ts'
import { listRecords } from '../../cloudflare/products/dns.ts'
import type { Cloud } from '../../cloudflare/client.ts'
import { transact } from '../../db/database.ts'
import type { RegisteredResource } from '../../resources/kinds/kind.ts'
import { RESOURCE_KINDS } from '../../resources/kinds/table.ts'
import { listResourcesIn } from '../../resources/list.ts'
import type { ResourceKind } from '../../resource-names.ts'
import { deleteResourceRow, reserveResource } from '../../resources/registry.ts'
import type { MakingPorts, ResourceWork } from '../../resources/work.ts'
import { mailboxAddress, listMailboxes, type MailDomain, readMailDomain } from './mail-store.ts'

/**
 * Applies the stored mail domain and mailboxes of a project to the account. Creates the sending domain, its missing DNS records and the
 * routing rules, and removes the project's rules that are no longer wanted. Idempotent.
 */
export async function syncMail(work: ResourceWork<MakingPorts>): Promise<void> {
  const { platform, cloud, project } = work
  const domain = await readMailDomain(platform.db, project, cloud.accountId)
  const mailboxes = await listMailboxes(platform.db, project)
  const addresses = domain === null ? [] : mailboxes.map((one) => mailboxAddress(one, domain.domain))
  const rows = await listResourcesIn(platform.db, project, cloud.accountId)
  const isStale = ({ kind, name, account_id }: RegisteredResource) =>
    account_id === cloud.accountId &&
    ((kind === 'routing_rule' && !addresses.includes(name)) ||
      (kind === 'sending_domain' && name !== domain?.domain))
  for (const row of rows.filter(isStale)) await removeRow(work, row)
  if (domain === null) return
  await makeSendingDomain(work, domain)
  if (addresses.length === 0) return
  await makeRules(work, addresses)
  await startRouting(cloud, domain)
}

/** Removes a resource of mail. A sending domain that another project uses is kept and registered for that project. */
async function removeRow(work: ResourceWork, row: RegisteredResource): Promise<void> {
  const { platform, cloud, project } = work
  const kind = RESOURCE_KINDS[row.kind]
  if ((await kind.handOver?.(platform.db, project, row)) === true) return
  await kind.remove(cloud, row, work)
  await transact(platform.db, (trx) => deleteResourceRow(trx, project, row.id))
}

/**
 * Creates the sending domain if the account does not have it yet. A sending domain of a person or of another project is used unchanged,
 * and is not deleted with this project.
 */
async function makeSendingDomain(work: ResourceWork<MakingPorts>, { domain }: MailDomain): Promise<void> {
  const { platform, project } = work
  const isOurs = (await findRow(work, 'sending_domain', domain)) !== undefined
  if (!isOurs && (await isInAccount(work, domain))) return
  const key = keyOfMail(work, 'sending_domain', domain)
  const row = await reserveResource(platform, key, {
    tier: 'shared',
    capability: 'email',
    exists: async () => false,
  })
  await RESOURCE_KINDS.sending_domain.make({ ...work, project }, { ...row, kind: 'sending_domain' })
}

async function makeRules(work: ResourceWork<MakingPorts>, addresses: readonly string[]): Promise<void> {
  const { platform } = work
  for (const address of addresses) {
    const row = await reserveResource(platform, keyOfMail(work, 'routing_rule', address), {
      tier: 'shared',
      capability: 'email',
      exists: () => isInAccount(work, address, 'routing_rule'),
    })
    await RESOURCE_KINDS.routing_rule.make(work, { ...row, kind: 'routing_rule' })
  }
}

/** Enables Email Routing, which replaces the MX records. Does nothing when another provider receives the domain's mail. */
async function startRouting(cloud: Cloud, { zone_id: id, domain: name }: MailDomain): Promise<void> {
  if ((await readRoutingStatus(cloud, id)) !== 'unconfigured') return
  const records = await listRecords(cloud, id, name)
  const isForeign = ({ type, content }: { type: string; content: string }) =>
    type === 'MX' && !/\.mx\.cloudflare\.net\.?$/i.test(content)
  if (records.some(isForeign)) return
  await enableRouting(cloud, { id, name })
}

/** Returns whether mail to all these addresses arrives, according to the account. */
export async function readRouting(
  cloud: Cloud,
  zoneId: string,
  addresses: readonly string[],
): Promise<'none' | 'ready' | 'misconfigured'> {
  if (addresses.length === 0) return 'none'
  const [status, rules] = await Promise.all([readRoutingStatus(cloud, zoneId), listRules(cloud, zoneId)])
  const isServed = (address: string) => ruleOf(rules, address)?.enabled === true
  return status === 'ready' && addresses.every(isServed) ? 'ready' : 'misconfigured'
}

const keyOfMail = ({ cloud, project }: ResourceWork, kind: ResourceKind, name: string) => ({
  orgId: project.org_id,
  projectId: project.id,
  accountId: cloud.accountId,
  kind,
  name,
})

async function findRow({ platform, cloud, project }: ResourceWork, kind: ResourceKind, name: string) {
  const rows = await listResourcesIn(platform.db, project, cloud.accountId)
  return rows.find((row) => row.kind === kind && row.name === name)
}

async function isInAccount(
  work: ResourceWork,
  name: string,
  kind: ResourceKind = 'sending_domain',
): Promise<boolean> {
  const { cloud } = work
  const unknown = { id: '', name, account_id: cloud.accountId, tier: 'shared' as const }
  const row = {
    ...unknown,
    capability: null,
    provider_id: null,
    version_id: null,
    state: 'creating' as const,
  }
  return (await RESOURCE_KINDS[kind].find(cloud, { ...row, kind }, work)) !== 'missing'
}

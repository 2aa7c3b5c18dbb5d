import type { Cloud } from '../../cloudflare/client.ts'
import {
  createDnsRecord,
  type DnsRecord,
  listRecords,
  removeDnsRecord,
} from '../../cloudflare/products/dns.ts'
import {
  ensureSendingDomain,
  findSendingDomain,
  readSendingRecords,
  removeSendingDomain,
  type SendingDomain,
  type WantedRecord,
} from '../../cloudflare/products/email.ts'
import { CloudflareError } from '../../cloudflare/errors.ts'
import { findZone } from '../../cloudflare/products/zones.ts'
import { otherProjectOfMailDomain } from '../../statements/capabilities/other-project-of-domain.ts'
import { resourceKey, settleResource } from '../registry.ts'
import type { ResourceLifecycle } from './kind.ts'

/** The comment on DNS records that the service created. Only records with it are removed. */
const RECORD_COMMENT = 'slipway: needed to send mail'

export interface SendingRecord {
  type: string
  name: string
  value: string
  priority?: number
  present: boolean
}

/** A domain of the account from which apps send mail. The domain has the name of its zone, and all projects of a zone share the domain. */
export const sendingDomain: ResourceLifecycle = {
  holdsData: false,
  find: async (cloud, row) => {
    const zone = await findZone(cloud, row.name)
    const found = zone === null ? null : await findSendingDomain(cloud, zone.id, row.name)
    if (found === null) return 'missing'
    // Another tag means that a person removed the domain and set it up again, with other records.
    return row.provider_id === null || row.provider_id === found.tag ? 'ok' : 'drifted'
  },
  make: async ({ platform, cloud, project }, row) => {
    const zone = await findZone(cloud, row.name)
    if (zone === null) throw zoneGone(row.name)
    const made = await ensureSendingDomain(cloud, zone.id, row.name)
    await addMissingRecords(cloud, zone.id, made)
    await settleResource(platform, resourceKey(project, row), { state: 'ok', providerId: made.tag })
  },
  handOver: async (db, project, row) => {
    const heir = await otherProjectOfMailDomain(db, {
      orgId: project.org_id,
      accountId: row.account_id,
      domain: row.name,
      projectId: project.id,
    })
    if (heir === null) return false
    await db
      .updateTable('resources')
      .set({ project_id: heir })
      .where('org_id', '=', project.org_id)
      .where('id', '=', row.id)
      .execute()
    return true
  },
  remove: async (cloud, row) => {
    const zone = await findZone(cloud, row.name)
    const found = zone === null ? null : await findSendingDomain(cloud, zone.id, row.name)
    if (zone === null || found === null) return
    // A domain that a person has set up again is kept.
    if (row.provider_id !== null && row.provider_id !== found.tag) return
    const wanted = await readSendingRecords(cloud, zone.id, found)
    for (const record of await recordsAt(cloud, zone.id, wanted))
      if (record.comment === RECORD_COMMENT) await removeDnsRecord(cloud, zone.id, record)
    await removeSendingDomain(cloud, zone.id, found)
  },
}

/** Returns the records that a sending domain needs, and for each whether the zone has it. */
export async function readDnsRecords(
  cloud: Cloud,
  zoneId: string,
  domain: SendingDomain,
): Promise<SendingRecord[]> {
  const wanted = await readSendingRecords(cloud, zoneId, domain)
  const existing = await recordsAt(cloud, zoneId, wanted)
  return wanted.map((one) => ({
    type: one.type,
    name: one.name,
    value: one.content,
    ...(one.priority == null ? {} : { priority: one.priority }),
    present: existing.some((record) => satisfiesRecord(record, one)),
  }))
}

/**
 * Adds the missing records. Skips a record when a different record of the same name and type exists, because a person must decide between
 * them.
 */
export async function addMissingRecords(cloud: Cloud, zoneId: string, domain: SendingDomain): Promise<void> {
  const wanted = await readSendingRecords(cloud, zoneId, domain)
  const existing = await recordsAt(cloud, zoneId, wanted)
  for (const one of wanted) {
    const there = existing.filter((record) => hasNameAndType(record, one))
    if (there.some((record) => satisfiesRecord(record, one))) continue
    const isOurs = (record: DnsRecord) => wanted.some((other) => satisfiesRecord(record, other))
    if (there.some((record) => record.type === 'CNAME' || !isOurs(record))) continue
    const { type, name, content, priority } = one
    await createDnsRecord(cloud, zoneId, {
      type,
      name,
      content,
      priority: priority ?? undefined,
      comment: RECORD_COMMENT,
    })
  }
}

async function recordsAt(cloud: Cloud, zoneId: string, wanted: WantedRecord[]): Promise<DnsRecord[]> {
  const names = [...new Set(wanted.map(({ name }) => name))]
  const found = await Promise.all(names.map((name) => listRecords(cloud, zoneId, name)))
  return found.flat()
}

const hasNameAndType = (record: DnsRecord, { type, name }: WantedRecord): boolean =>
  record.name.toLowerCase() === name.toLowerCase() && (record.type === type || record.type === 'CNAME')

/** The provider returns long texts in several quoted parts, and host names with or without a trailing dot. */
const comparableContent = ({ type, content }: { type: string; content: string }): string =>
  type === 'TXT'
    ? content.replaceAll(/"\s+"/g, '').replaceAll('"', '')
    : content.toLowerCase().replace(/\.$/, '')

function satisfiesRecord(record: DnsRecord, wanted: WantedRecord): boolean {
  if (!hasNameAndType(record, wanted) || record.type !== wanted.type) return false
  // A domain has one DMARC policy (RFC 7489, 6.6.3), so any policy of its owner counts as present.
  const isPolicy = (text: string) => text.startsWith('v=DMARC1')
  if (isPolicy(comparableContent(wanted))) return isPolicy(comparableContent(record))
  return comparableContent(record) === comparableContent(wanted)
}

const zoneGone = (name: string) =>
  new CloudflareError(
    'resource_missing',
    `The connected Cloudflare account has no domain ${name} any more. Choose another one for the mail of the app.`,
    { status: 404 },
  )

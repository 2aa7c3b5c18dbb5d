import * as z from 'zod'
import type { Cloud } from '../client.ts'

const Record = z.looseObject({
  id: z.string().default(''),
  type: z.string(),
  name: z.string(),
  content: z.string().default(''),
  comment: z.string().nullish(),
})
export type DnsRecord = z.output<typeof Record>

interface AddressRecord {
  type: string
  content: string
}

const ADDRESS_TYPES = new Set(['A', 'AAAA', 'CNAME'])

const recordsPath = (zoneId: string) => `/zones/${encodeURIComponent(zoneId)}/dns_records`

/** Returns all records of a name, including those that a person or another program created. */
export async function listRecords(cloud: Cloud, zoneId: string, name: string): Promise<DnsRecord[]> {
  const records = await cloud.call({
    method: 'GET',
    path: recordsPath(zoneId),
    query: { name, per_page: '100' },
    doing: `read the DNS records of ${name}`,
    result: z.array(Record),
  })
  return records.filter((record) => record.name.toLowerCase() === name.toLowerCase())
}

/** Creates a record. Throws when it already exists. */
export async function createDnsRecord(
  cloud: Cloud,
  zoneId: string,
  record: { type: string; name: string; content: string; priority?: number | undefined; comment: string },
): Promise<void> {
  const { priority, ...rest } = record
  await cloud.call({
    method: 'POST',
    path: recordsPath(zoneId),
    json: { ...rest, ttl: 1, ...(priority === undefined ? {} : { priority }) },
    doing: `add the DNS record ${record.type} ${record.name}`,
    result: Record,
    write: { action: 'dns.record.create', target: `${record.type} ${record.name}` },
  })
}

/** Deletes a record. Succeeds when there is none. */
export async function removeDnsRecord(cloud: Cloud, zoneId: string, record: DnsRecord): Promise<void> {
  await cloud.call({
    method: 'DELETE',
    path: `${recordsPath(zoneId)}/${encodeURIComponent(record.id)}`,
    doing: `remove the DNS record ${record.type} ${record.name}`,
    result: z.unknown(),
    missing: 'null',
    write: { action: 'dns.record.remove', target: `${record.type} ${record.name}` },
  })
}

/** Returns the A, AAAA and CNAME records of a name, including those that a person or another program created. */
export async function listAddressRecords(
  cloud: Cloud,
  zoneId: string,
  hostname: string,
): Promise<AddressRecord[]> {
  const records = await listRecords(cloud, zoneId, hostname)
  return records.filter(({ type }) => ADDRESS_TYPES.has(type)).map(({ type, content }) => ({ type, content }))
}

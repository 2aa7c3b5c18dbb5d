import * as z from 'zod'
import type { Cloud } from './client.ts'

const Record = z.looseObject({ type: z.string(), name: z.string(), content: z.string().default('') })

/** A DNS record that points a host name somewhere. */
interface AddressRecord {
  type: string
  content: string
}

const ADDRESS_TYPES = new Set(['A', 'AAAA', 'CNAME'])

/** Returns the records that point a host name somewhere, whoever created them. */
export async function listAddressRecords(
  cloud: Cloud,
  zoneId: string,
  hostname: string,
): Promise<AddressRecord[]> {
  const records = await cloud.call({
    method: 'GET',
    path: `/zones/${encodeURIComponent(zoneId)}/dns_records`,
    query: { name: hostname, per_page: '100' },
    doing: `read the DNS records of ${hostname}`,
    result: z.array(Record),
  })
  return records
    .filter(({ type, name }) => ADDRESS_TYPES.has(type) && name.toLowerCase() === hostname)
    .map(({ type, content }) => ({ type, content }))
}

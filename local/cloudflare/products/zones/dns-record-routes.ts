import { isIPv4, isIPv6 } from 'node:net'
import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import { hasSentinel } from '../../../faults/sentinels.ts'
import {
  deleteRecord,
  type DnsRecord,
  findRecord,
  insertRecord,
  isAddress,
  listRecords,
  listRecordsAt,
  updateRecord,
} from './dns-records.ts'
import type { Zone } from '../../store/zones.ts'
import type { ApiEnv, Cloud } from '../../rest/context.ts'
import { respond, isoTime, respondWithPage } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { readBody } from '../../rest/read-body.ts'
import { toAsciiName } from './names.ts'

const AUTOMATIC_TTL = 1
const TTL_SECONDS = { min: 60, max: 86_400 }

const DnsChange = z.object({
  type: z.enum(['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SRV', 'CAA']),
  name: z.string().min(1),
  content: z.string().default(''),
  ttl: z.number().int().default(1),
  proxied: z.boolean().default(false),
  priority: z.number().int().optional(),
  comment: z.string().nullable().default(null),
  tags: z.array(z.string()).default([]),
  data: z.record(z.string(), z.unknown()).optional(),
})
type DnsChange = z.output<typeof DnsChange>
const Patch = z.record(z.string(), z.unknown())
const WithId = Patch.and(z.object({ id: z.string() }))
const Batch = z.object({
  deletes: z.array(z.object({ id: z.string() })).nullish(),
  patches: z.array(WithId).nullish(),
  puts: z.array(WithId).nullish(),
  posts: z.array(DnsChange).nullish(),
})

/**
 * DNS records over REST, mounted at /zones/:zone/dns_records. Records of a custom domain are read-only: its removal deletes them, as at the
 * provider.
 */
export function dnsRecordRoutes(cloud: Cloud): Hono<ApiEnv> {
  const { store } = cloud
  const requireRecord = (c: Context<ApiEnv>, id = c.req.param('record') ?? '') => {
    const record = findRecord(store, c.get('zone').id, id)
    if (record === null) throw new ApiFailure(404, 81044, 'Record does not exist.')
    return record
  }
  const patchRecord = (zone: Zone, record: DnsRecord, change: object) => {
    // Clear the content, so that it is computed from the new `data`.
    const computed = 'data' in change ? { content: '' } : {}
    return putRecord(cloud, zone, parseChange({ ...toFields(record), ...computed, ...change }), record)
  }
  const removeRecord = (record: DnsRecord) => {
    requireUnmanaged(record)
    deleteRecord(store, record)
  }
  return new Hono<ApiEnv>()
    .get('/', (c) =>
      respondWithPage(
        c,
        listMatching(cloud, c).map((record) => toRecordJson(c.get('zone'), record)),
      ),
    )
    .post('/', async (c) => {
      const zone = c.get('zone')
      return respond(c, toRecordJson(zone, putRecord(cloud, zone, await readBody(c, DnsChange))))
    })
    .post('/batch', async (c) => {
      const zone = c.get('zone')
      const batch = await readBody(c, Batch)
      // Applies all changes in one transaction, in the provider's order: deletes, patches, puts, posts.
      const done = store.transact(() => ({
        deletes: (batch.deletes ?? []).map(({ id }) => {
          const record = requireRecord(c, id)
          removeRecord(record)
          return record
        }),
        patches: (batch.patches ?? []).map((one) => patchRecord(zone, requireRecord(c, one.id), one)),
        puts: (batch.puts ?? []).map((one) =>
          putRecord(cloud, zone, parseChange(one), requireRecord(c, one.id)),
        ),
        posts: (batch.posts ?? []).map((one) => putRecord(cloud, zone, one)),
      }))
      const wire = Object.entries(done).map(([key, records]) => [
        key,
        records.map((one) => toRecordJson(zone, one)),
      ])
      return respond(c, Object.fromEntries(wire))
    })
    .get('/:record', (c) => respond(c, toRecordJson(c.get('zone'), requireRecord(c))))
    .put('/:record', async (c) => {
      const zone = c.get('zone')
      return respond(
        c,
        toRecordJson(zone, putRecord(cloud, zone, await readBody(c, DnsChange), requireRecord(c))),
      )
    })
    .patch('/:record', async (c) => {
      const zone = c.get('zone')
      return respond(c, toRecordJson(zone, patchRecord(zone, requireRecord(c), await readBody(c, Patch))))
    })
    .delete('/:record', (c) => {
      const record = requireRecord(c)
      removeRecord(record)
      return respond(c, { id: record.id })
    })
}

function parseChange(value: unknown): DnsChange {
  const read = DnsChange.safeParse(value)
  if (!read.success) throw new ApiFailure(400, 9005, z.prettifyError(read.error))
  return read.data
}

const toFields = ({ type, name, content, details }: DnsRecord) => ({ type, name, content, ...details })

function listMatching({ store }: Cloud, c: Context<ApiEnv>): DnsRecord[] {
  const readFilter = (field: string) => c.req.query(field) ?? c.req.query(`${field}.exact`)
  const [name, type, content] = [readFilter('name')?.toLowerCase(), readFilter('type'), readFilter('content')]
  return listRecords(store, c.get('zone').id).filter(
    (record) =>
      (name === undefined || record.name === name) &&
      (type === undefined || record.type === type) &&
      (content === undefined || record.content === content),
  )
}

/**
 * Stores a record; replaces `over` if given. Throws when the same record exists, or when a CNAME and another
 * address record would have the same name.
 */
function putRecord(cloud: Cloud, zone: Zone, change: DnsChange, over?: DnsRecord): DnsRecord {
  if (over !== undefined) requireUnmanaged(over)
  const { type, name: given, content: text, ...rest } = change
  const details = { ...rest, ttl: rest.proxied ? AUTOMATIC_TTL : rest.ttl }
  const name = fullName(toAsciiName(given), zone)
  if (!isGoodName(name)) throw new ApiFailure(400, 9000, 'DNS name is invalid.')
  if (details.proxied && !isAddress({ type }))
    throw new ApiFailure(400, 9004, 'This record type cannot be proxied.')
  if (details.ttl !== AUTOMATIC_TTL && (details.ttl < TTL_SECONDS.min || details.ttl > TTL_SECONDS.max))
    throw new ApiFailure(400, 9021, 'Invalid TTL. Must be between 60 and 86400 seconds, or 1 for Automatic.')
  const content = text === '' && details.data !== undefined ? Object.values(details.data).join(' ') : text
  if (cloud.faults !== null && hasSentinel(name, 'fail-dns'))
    throw new ApiFailure(400, 1004, 'DNS Validation Error: the name asks for this failure (fail-dns).')
  if (!isGoodContent(type, content)) throw new ApiFailure(400, 9005, `Content for ${type} record is invalid.`)
  const others = listRecordsAt(cloud.store, zone.id, name).filter((one) => one.id !== over?.id)
  if (others.some((one) => one.type === type && one.content === content))
    throw new ApiFailure(400, 81058, 'An identical record already exists.')
  const isLone = (one: { type: string }) => one.type === 'CNAME'
  if (
    isAddress({ type }) &&
    others.some((one) => isAddress(one) && (isLone({ type }) || isLone(one) || one.domainId))
  )
    throw new ApiFailure(400, 81053, 'An A, AAAA, or CNAME record with that host already exists.')
  const record = { zoneId: zone.id, type, name, content, details }
  return over === undefined
    ? insertRecord(cloud.store, { ...record, domainId: null, at: cloud.now() })
    : updateRecord(cloud.store, { ...record, id: over.id }, cloud.now())
}

/**
 * Returns the full name of a record: appends the zone's name unless `name` ends with it. `@` is the zone
 * itself.
 */
function fullName(name: string, zone: Zone): string {
  if (name === '@' || name === zone.name) return zone.name
  return name.endsWith(`.${zone.name}`) ? name : `${name}.${zone.name}`
}

const isGoodName = (name: string): boolean =>
  name.length <= 253 && name.split('.').every((label) => /^[a-z0-9_*-]{1,63}$/.test(label))

function isGoodContent(type: string, content: string): boolean {
  if (type === 'A') return isIPv4(content)
  return type === 'AAAA' ? isIPv6(content) : content !== ''
}

function requireUnmanaged(record: DnsRecord): void {
  if (record.domainId !== null)
    throw new ApiFailure(400, 1043, 'This record is managed by Workers: remove the custom domain instead.')
}

function toRecordJson(zone: Zone, record: DnsRecord): object {
  const { data, priority, ...details } = record.details
  return {
    id: record.id,
    zone_id: zone.id,
    zone_name: zone.name,
    name: record.name,
    type: record.type,
    content: record.content,
    proxiable: isAddress(record),
    ...details,
    ...(data === undefined ? {} : { data }),
    ...(priority === undefined ? {} : { priority }),
    settings: {},
    meta: record.domainId === null ? {} : { origin_worker_id: record.domainId, read_only: true },
    created_on: isoTime(record.createdAt),
    modified_on: isoTime(record.modifiedAt),
  }
}

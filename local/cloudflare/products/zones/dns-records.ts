import { hexId } from '../../../world/ids.ts'
import { requireStored, type Store } from '../../../world/store.ts'

export interface DnsRecord {
  id: string
  zoneId: string
  /** The custom domain to which this record belongs; null for a record that the user created. */
  domainId: string | null
  type: string
  name: string
  content: string
  details: DnsDetails
  createdAt: number
  modifiedAt: number
}

interface DnsDetails {
  ttl: number
  proxied: boolean
  priority?: number | undefined
  comment: string | null
  tags: string[]
  data?: Record<string, unknown> | undefined
}

interface DnsRecordRow {
  id: string
  zone_id: string
  domain_id: string | null
  type: string
  name: string
  content: string
  details: JsonText<DnsDetails>
  created_at: number
  modified_at: number
}

const toRecord = (row: DnsRecordRow): DnsRecord => ({
  id: row.id,
  zoneId: row.zone_id,
  domainId: row.domain_id,
  type: row.type,
  name: row.name,
  content: row.content,
  details: JSON.parse(row.details),
  createdAt: row.created_at,
  modifiedAt: row.modified_at,
})

export function listRecords(store: Store, zoneId: string): DnsRecord[] {
  return store
    .all<DnsRecordRow>('SELECT * FROM dns_records WHERE zone_id = ? ORDER BY name, type, id', zoneId)
    .map(toRecord)
}

export function listRecordsAt(store: Store, zoneId: string, name: string): DnsRecord[] {
  return store
    .all<DnsRecordRow>('SELECT * FROM dns_records WHERE zone_id = ? AND name = ?', zoneId, name)
    .map(toRecord)
}

export function findRecord(store: Store, zoneId: string, id: string): DnsRecord | null {
  const row = store.get<DnsRecordRow>('SELECT * FROM dns_records WHERE zone_id = ? AND id = ?', zoneId, id)
  return row === undefined ? null : toRecord(row)
}

export function insertRecord(
  store: Store,
  record: Pick<DnsRecord, 'zoneId' | 'domainId' | 'type' | 'name' | 'content' | 'details'> & { at: number },
): DnsRecord {
  const id = hexId()
  store.run(
    `INSERT INTO dns_records (id, zone_id, domain_id, type, name, content, details, created_at, modified_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    record.zoneId,
    record.domainId,
    record.type,
    record.name,
    record.content,
    JSON.stringify(record.details) satisfies DnsRecordRow['details'],
    record.at,
    record.at,
  )
  return requireStored(findRecord(store, record.zoneId, id))
}

export function updateRecord(
  store: Store,
  record: Pick<DnsRecord, 'id' | 'zoneId' | 'type' | 'name' | 'content' | 'details'>,
  at: number,
): DnsRecord {
  store.run(
    'UPDATE dns_records SET type = ?, name = ?, content = ?, details = ?, modified_at = ? WHERE id = ?',
    record.type,
    record.name,
    record.content,
    JSON.stringify(record.details) satisfies DnsRecordRow['details'],
    at,
    record.id,
  )
  return requireStored(findRecord(store, record.zoneId, record.id))
}

export function deleteRecord(store: Store, record: Pick<DnsRecord, 'id'>): void {
  store.run('DELETE FROM dns_records WHERE id = ?', record.id)
}

const ADDRESS_TYPES = new Set(['A', 'AAAA', 'CNAME'])

export const isAddress = (record: Pick<DnsRecord, 'type'>): boolean => ADDRESS_TYPES.has(record.type)

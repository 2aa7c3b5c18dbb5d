import { hexId } from '../../../world/ids.ts'
import { requireStored, type Store } from '../../../world/store.ts'
import { orderCertificate } from '../zones/certificates.ts'
import { insertRecord } from '../zones/dns-records.ts'
import { findScriptById } from '../../store/scripts.ts'
import type { Script } from '../../types.ts'
import { type Zone, zoneStatus, findZone } from '../../store/zones.ts'

/** A host name in one of the account's zones that is attached to a worker. */
export interface CustomDomain {
  id: string
  accountId: string
  zoneId: string
  zoneName: string
  scriptId: string
  service: string
  hostname: string
  certificateId: string
  isEnabled: boolean
  hasPreviews: boolean
  createdAt: number
}

const SELECT_DOMAINS = `SELECT d.*, z.name AS zone_name, s.name AS service, c.id AS certificate_id
  FROM custom_domains d JOIN zones z ON z.id = d.zone_id JOIN scripts s ON s.id = d.script_id
  JOIN certificate_packs c ON c.domain_id = d.id`

interface DomainRow {
  id: string
  account_id: string
  zone_id: string
  zone_name: string
  script_id: string
  service: string
  hostname: string
  certificate_id: string
  enabled: number
  previews_enabled: number
  created_at: number
}

const toDomain = (row: DomainRow): CustomDomain => ({
  id: row.id,
  accountId: row.account_id,
  zoneId: row.zone_id,
  zoneName: row.zone_name,
  scriptId: row.script_id,
  service: row.service,
  hostname: row.hostname,
  certificateId: row.certificate_id,
  isEnabled: row.enabled === 1,
  hasPreviews: row.previews_enabled === 1,
  createdAt: row.created_at,
})

export function listDomains(store: Store, accountId: string): CustomDomain[] {
  return store
    .all<DomainRow>(`${SELECT_DOMAINS} WHERE d.account_id = ? ORDER BY d.hostname`, accountId)
    .map(toDomain)
}

export function findDomain(store: Store, accountId: string, id: string): CustomDomain | null {
  const row = store.get<DomainRow>(`${SELECT_DOMAINS} WHERE d.account_id = ? AND d.id = ?`, accountId, id)
  return row === undefined ? null : toDomain(row)
}

export function findDomainByHost(store: Store, zoneId: string, hostname: string): CustomDomain | null {
  const row = store.get<DomainRow>(
    `${SELECT_DOMAINS} WHERE d.zone_id = ? AND d.hostname = ?`,
    zoneId,
    hostname,
  )
  return row === undefined ? null : toDomain(row)
}

/** Attaches a host name to a worker, and creates the DNS record and the certificate of the name. */
export function insertDomain(
  store: Store,
  domain: { script: Script; zone: Zone; hostname: string; at: number },
): CustomDomain {
  const { script, zone, hostname, at } = domain
  const id = hexId()
  store.run(
    'INSERT INTO custom_domains (id, account_id, zone_id, script_id, hostname, created_at) VALUES (?, ?, ?, ?, ?, ?)',
    id,
    script.accountId,
    zone.id,
    script.id,
    hostname,
    at,
  )
  const details = { ttl: 1, proxied: true, comment: null, tags: [] }
  insertRecord(store, {
    zoneId: zone.id,
    domainId: id,
    type: 'AAAA',
    name: hostname,
    // The address of the discard prefix (RFC 6666), as at the provider.
    content: '100::',
    details,
    at,
  })
  orderCertificate(store, { zoneId: zone.id, domainId: id, host: hostname, at })
  return requireStored(findDomain(store, script.accountId, id))
}

export function updateDomain(
  store: Store,
  domain: Pick<CustomDomain, 'id' | 'scriptId' | 'isEnabled' | 'hasPreviews'>,
): void {
  store.run(
    'UPDATE custom_domains SET script_id = ?, enabled = ?, previews_enabled = ? WHERE id = ?',
    domain.scriptId,
    Number(domain.isEnabled),
    Number(domain.hasPreviews),
    domain.id,
  )
}

/** Detaches a host name, and deletes the DNS record and the certificate of the name. */
export function deleteDomain(store: Store, domain: Pick<CustomDomain, 'id'>): void {
  store.run('DELETE FROM custom_domains WHERE id = ?', domain.id)
}

/** Returns the worker that serves a custom host name at the time `now`; null when there is none. */
export function findScriptByCustomHost(store: Store, hostname: string, now: number): Script | null {
  const rows = store.all<Pick<DomainRow, 'account_id' | 'zone_id' | 'script_id'>>(
    'SELECT * FROM custom_domains WHERE hostname = ? AND enabled = 1',
    hostname,
  )
  for (const row of rows) {
    const zone = findZone(store, row.account_id, row.zone_id)
    if (zone !== null && zoneStatus(zone, now) === 'active') return findScriptById(store, row.script_id)
  }
  return null
}

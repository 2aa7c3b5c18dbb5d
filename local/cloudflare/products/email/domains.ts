import { hexId, sha256 } from '../../../world/ids.ts'
import { requireStored, type Store } from '../../../world/store.ts'
import { type DnsRecord, listRecords, listRecordsAt } from '../zones/dns-records.ts'
import { listZones, type Zone, zoneStatus } from '../../store/zones.ts'

export interface SendingDomain {
  tag: string
  zoneId: string
  name: string
  createdAt: number
}

export interface WantedRecord {
  type: 'MX' | 'TXT'
  name: string
  content: string
  ttl: number
  priority?: number
}

/** The time from the last change of the required DNS records until a sending domain is enabled; `timeScale` multiplies it. */
const DOMAIN_ENABLED_AFTER_MS = 3000
export const DKIM_SELECTOR = 'cf-bounce'
/** Apps can send from this domain without setting it up. */
export const LOCAL_MAIL_DOMAIN = 'mail.slipway.test'
const SPF_RECORD = 'v=spf1 include:_spf.mx.cloudflare.net ~all'

interface DomainRow {
  tag: string
  zone_id: string
  name: string
  created_at: number
}

const toDomain = (row: DomainRow): SendingDomain => ({
  tag: row.tag,
  zoneId: row.zone_id,
  name: row.name,
  createdAt: row.created_at,
})

export const listSendingDomains = (store: Store, zoneId: string): SendingDomain[] =>
  store.all<DomainRow>('SELECT * FROM sending_domains WHERE zone_id = ? ORDER BY name', zoneId).map(toDomain)

export const findSendingDomain = (store: Store, zoneId: string, tag: string): SendingDomain | null =>
  listSendingDomains(store, zoneId).find((domain) => domain.tag === tag) ?? null

export function insertSendingDomain(store: Store, zone: Zone, name: string, at: number): SendingDomain {
  const tag = hexId()
  store.run('INSERT INTO sending_domains VALUES (?, ?, ?, ?)', tag, zone.id, name, at)
  return requireStored(findSendingDomain(store, zone.id, tag))
}

export function deleteSendingDomain(store: Store, { tag }: SendingDomain): void {
  store.run('DELETE FROM sending_domains WHERE tag = ?', tag)
}

/** The DNS records that a domain needs before mail is sent from it. */
export function sendingRecords({ tag, name }: SendingDomain): WantedRecord[] {
  const bounce = `cf-bounce.${name}`
  return [
    { type: 'MX', name: bounce, content: 'route1.mx.cloudflare.net', priority: 13, ttl: 1 },
    { type: 'TXT', name: bounce, content: SPF_RECORD, ttl: 1 },
    {
      type: 'TXT',
      name: `${DKIM_SELECTOR}._domainkey.${name}`,
      content: `v=DKIM1; h=sha256; k=rsa; p=${sha256(tag)}`,
      ttl: 1,
    },
    { type: 'TXT', name: `_dmarc.${name}`, content: 'v=DMARC1; p=reject;', ttl: 1 },
  ]
}

/** The DNS records that a zone needs to receive mail. */
export function routingRecords({ name }: Pick<Zone, 'name'>): WantedRecord[] {
  return [
    { type: 'MX', name, content: 'route1.mx.cloudflare.net', priority: 13, ttl: 1 },
    { type: 'MX', name, content: 'route2.mx.cloudflare.net', priority: 86, ttl: 1 },
    { type: 'TXT', name, content: SPF_RECORD, ttl: 1 },
  ]
}

/**
 * Returns the zone's record with the wanted name, type and content; null when there is none. Ignores quotes, because the provider returns
 * TXT content in quotes.
 */
export function findWantedRecord(store: Store, zoneId: string, wanted: WantedRecord): DnsRecord | null {
  const isSame = ({ type, content }: DnsRecord) =>
    type === wanted.type && content.replaceAll('"', '') === wanted.content
  return listRecordsAt(store, zoneId, wanted.name).find(isSame) ?? null
}

/** Returns whether mail can be sent from a domain: its zone is active, and its records have all existed unchanged for some time. */
export function isEnabled(
  store: Store,
  zone: Zone,
  domain: SendingDomain,
  { now, timeScale }: { now: number; timeScale: number },
): boolean {
  if (zoneStatus(zone, now) !== 'active') return false
  const found = sendingRecords(domain).map((wanted) => findWantedRecord(store, domain.zoneId, wanted))
  return found.every(
    (record) => record !== null && now >= record.modifiedAt + DOMAIN_ENABLED_AFTER_MS * timeScale,
  )
}

/** Returns whether an account may send from an address: an address of the local domain or of one of the account's enabled domains. */
export function maySendFrom(
  store: Store,
  accountId: string,
  address: string,
  course: { now: number; timeScale: number },
): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  if (domain === LOCAL_MAIL_DOMAIN) return true
  return listZones(store, accountId).some((zone) =>
    listSendingDomains(store, zone.id).some(
      (one) => one.name === domain && isEnabled(store, zone, one, course),
    ),
  )
}

/** Returns whether the zone has MX records of another mail provider. */
export function hasForeignMail(store: Store, zone: Zone): boolean {
  const own = routingRecords(zone).map(({ content }) => content)
  return listRecords(store, zone.id).some(
    ({ type, name, content }) => type === 'MX' && name === zone.name && !own.includes(content),
  )
}

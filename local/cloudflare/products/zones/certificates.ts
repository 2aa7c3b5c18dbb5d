import { hexId } from '../../../world/ids.ts'
import type { Store } from '../../../world/store.ts'

export interface CertificatePack {
  id: string
  zoneId: string
  host: string
  orderedAt: number
  /** The state that a test has set; null: the state follows from the time since the order. */
  state: CertificateStatus | null
}

/** The states of a certificate order, each with the seconds from the order until the state begins. */
const ISSUING_STEPS = [
  [0, 'initializing'],
  [1, 'pending_validation'],
  [2, 'pending_issuance'],
  [3, 'pending_deployment'],
  [4, 'active'],
] as const

/** The states of a certificate order that fails. */
const FAILING_STEPS = [
  [0, 'initializing'],
  [1, 'pending_validation'],
  [2, 'validation_timed_out'],
] as const

export const CERTIFICATE_STATES = [
  'initializing',
  'pending_validation',
  'pending_issuance',
  'pending_deployment',
  'active',
  'validation_timed_out',
] as const
type CertificateStatus = (typeof CERTIFICATE_STATES)[number]

interface CertificateRow {
  id: string
  zone_id: string
  host: string
  ordered_at: number
  state: CertificateStatus | null
}

const toPack = (row: CertificateRow): CertificatePack => ({
  id: row.id,
  zoneId: row.zone_id,
  host: row.host,
  orderedAt: row.ordered_at,
  state: row.state,
})

export function certificateStatus(
  pack: CertificatePack,
  course: { now: number; timeScale: number; fails: boolean },
): CertificateStatus {
  if (pack.state !== null) return pack.state
  const passed = course.now - pack.orderedAt
  const reached = (course.fails ? FAILING_STEPS : ISSUING_STEPS).findLast(
    ([second]) => second * 1000 * course.timeScale <= passed,
  )
  return reached?.[1] ?? 'initializing'
}

export function orderCertificate(
  store: Store,
  order: { zoneId: string; domainId: string; host: string; at: number },
): void {
  store.run(
    'INSERT INTO certificate_packs (id, zone_id, domain_id, host, ordered_at) VALUES (?, ?, ?, ?, ?)',
    hexId(),
    order.zoneId,
    order.domainId,
    order.host,
    order.at,
  )
}

export function listCertificates(store: Store, zoneId: string): CertificatePack[] {
  return store
    .all<CertificateRow>('SELECT * FROM certificate_packs WHERE zone_id = ? ORDER BY host', zoneId)
    .map(toPack)
}

/** Sets the state of all certificates of a host. Returns the number of certificates. */
export function setCertificateState(store: Store, host: string, state: CertificateStatus): number {
  return store.run('UPDATE certificate_packs SET state = ? WHERE host = ?', state, host)
}

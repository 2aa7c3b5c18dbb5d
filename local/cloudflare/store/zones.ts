import { hexId, sha256 } from '../../world/ids.ts'
import { requireStored, type Store } from '../../world/store.ts'
import type { Account } from '../types.ts'

/** Several accounts can have a pending zone of the same name, but only one account can have an active zone of that name. */

export type ZoneStatus = 'initializing' | 'pending' | 'active' | 'moved'

export interface Zone {
  id: string
  accountId: string
  name: string
  /** The stored state. A pending zone becomes active after some time, see `zoneStatus`. */
  state: ZoneStatus
  activeAt: number | null
  createdAt: number
}

/** The time from the activation check until the zone is active, at time scale 1. */
const ACTIVE_AFTER_MS = 5000

interface ZoneRow {
  id: string
  account_id: string
  name: string
  state: ZoneStatus
  active_at: number | null
  created_at: number
}

function toZone(row: ZoneRow): Zone {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    state: row.state,
    activeAt: row.active_at,
    createdAt: row.created_at,
  }
}

export function zoneStatus(zone: Zone, now: number): ZoneStatus {
  const isDone = zone.state === 'pending' && zone.activeAt !== null && zone.activeAt <= now
  return isDone ? 'active' : zone.state
}

export function findZone(store: Store, accountId: string, id: string): Zone | null {
  const row = store.get<ZoneRow>('SELECT * FROM zones WHERE account_id = ? AND id = ?', accountId, id)
  return row === undefined ? null : toZone(row)
}

export function listZones(store: Store, accountId: string): Zone[] {
  return store.all<ZoneRow>('SELECT * FROM zones WHERE account_id = ? ORDER BY name', accountId).map(toZone)
}

export function listZonesByName(store: Store, name: string): Zone[] {
  return store.all<ZoneRow>('SELECT * FROM zones WHERE name = ?', name).map(toZone)
}

/** Returns the account's zone with the longest matching name; null when no zone matches. */
export function zoneOfHost(store: Store, accountId: string, hostname: string): Zone | null {
  const labels = hostname.split('.')
  const names = labels.map((_, at) => labels.slice(at).join('.'))
  const zones = listZones(store, accountId)
  for (const name of names) {
    const zone = zones.find((one) => one.name === name)
    if (zone !== undefined) return zone
  }
  return null
}

export function insertZone(
  store: Store,
  zone: { accountId: string; name: string; state: ZoneStatus; at: number },
): Zone {
  const id = hexId()
  store.run(
    'INSERT INTO zones (id, account_id, name, state, created_at) VALUES (?, ?, ?, ?, ?)',
    id,
    zone.accountId,
    zone.name,
    zone.state,
    zone.at,
  )
  return requireStored(findZone(store, zone.accountId, id))
}

/** Deletes a zone with its records, custom domains and certificates. */
export function deleteZone(store: Store, zone: Zone): void {
  store.run('DELETE FROM zones WHERE id = ?', zone.id)
}

export function setZoneState(store: Store, zone: Zone, state: ZoneStatus): void {
  store.run('UPDATE zones SET state = ?, active_at = NULL WHERE id = ?', state, zone.id)
}

/**
 * Sets the time at which a pending zone becomes active, unless it is set already or the name is active in
 * another account.
 */
export function checkActivation(store: Store, zone: Zone, course: { now: number; timeScale: number }): void {
  if (zone.state !== 'pending' || zone.activeAt !== null) return
  const isTaken = listZonesByName(store, zone.name).some(
    (other) => other.id !== zone.id && (other.state === 'active' || other.activeAt !== null),
  )
  if (isTaken) return
  const activeAt = Math.ceil(course.now + ACTIVE_AFTER_MS * course.timeScale)
  store.run('UPDATE zones SET active_at = ? WHERE id = ?', activeAt, zone.id)
}

/**
 * Creates two zones for a new account: an active one, whose `.localhost` names browsers resolve, and a pending one, which becomes active
 * after its activation check.
 */
export function seedZones(store: Store, account: Pick<Account, 'id' | 'subdomain'>, at: number): void {
  if (account.subdomain === null) return
  const demo = `${account.subdomain}-demo.localhost`
  // A previous account's zone with this subdomain may still exist, and a name can be active in one account only.
  const isTaken = listZonesByName(store, demo).length > 0
  insertZone(store, { accountId: account.id, name: demo, state: isTaken ? 'pending' : 'active', at })
  insertZone(store, {
    accountId: account.id,
    name: `${account.subdomain}-new.localhost`,
    state: 'pending',
    at,
  })
}

const NAME_SERVERS = ['ada', 'bob', 'cleo', 'dan', 'eve', 'fay', 'gus', 'hal', 'ivy', 'jo', 'kim', 'leo']

/** Returns two name servers that are derived from the zone's id, so that they never change. */
export function nameServersOf(zone: Pick<Zone, 'id'>): string[] {
  const at = Number.parseInt(sha256(zone.id).slice(0, 6), 16) % NAME_SERVERS.length
  return [NAME_SERVERS[at], NAME_SERVERS[(at + 5) % NAME_SERVERS.length]].map(
    (name) => `${name}.ns.slipway.test`,
  )
}

import type { Store } from '../../../world/store.ts'
import { AiRefusal } from './refusal.ts'

/** A stored gateway. Only its rate limit has an effect here; other settings are only stored. */
export interface Gateway {
  id: string
  settings: Record<string, unknown>
  createdAt: number
  modifiedAt: number
}

interface GatewayRow {
  id: string
  settings: JsonText<Gateway['settings']>
  created_at: number
  modified_at: number
}

function toGateway(row: GatewayRow): Gateway {
  return {
    id: row.id,
    settings: JSON.parse(row.settings),
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  }
}

export function listGateways(store: Store, accountId: string): Gateway[] {
  return store
    .all<GatewayRow>('SELECT * FROM ai_gateways WHERE account_id = ? ORDER BY id', accountId)
    .map(toGateway)
}

export function findGateway(store: Store, accountId: string, id: string): Gateway | null {
  const row = store.get<GatewayRow>(
    'SELECT * FROM ai_gateways WHERE account_id = ? AND id = ?',
    accountId,
    id,
  )
  return row === undefined ? null : toGateway(row)
}

export function putGateway(
  store: Store,
  accountId: string,
  gateway: { id: string; settings: Gateway['settings']; at: number },
): void {
  store.run(
    `INSERT INTO ai_gateways (account_id, id, settings, created_at, modified_at) VALUES (?1, ?2, ?3, ?4, ?4)
     ON CONFLICT DO UPDATE SET settings = excluded.settings, modified_at = excluded.modified_at`,
    accountId,
    gateway.id,
    JSON.stringify(gateway.settings) satisfies GatewayRow['settings'],
    gateway.at,
  )
}

export function deleteGateway(store: Store, accountId: string, id: string): boolean {
  return store.run('DELETE FROM ai_gateways WHERE account_id = ? AND id = ?', accountId, id) > 0
}

/** The requests of each gateway in its current time window. In memory only, so a restart resets the counts. */
const rateWindows = new Map<string, { endsAt: number; count: number }>()

/** Counts a run against a gateway's rate limit. Throws an `AiRefusal` when the gateway does not exist or its limit is reached. */
export function countGatewayRun(store: Store, accountId: string, id: string, now: number): void {
  const gateway = findGateway(store, accountId, id)
  if (gateway === null)
    throw new AiRefusal(2001, 'Please configure AI Gateway in the Cloudflare dashboard: it does not exist.')
  const { rate_limiting_interval: seconds, rate_limiting_limit: limit } = gateway.settings
  if (typeof seconds !== 'number' || typeof limit !== 'number' || limit <= 0 || seconds <= 0) return
  const key = `${accountId}/${id}`
  const known = rateWindows.get(key)
  const window =
    known !== undefined && known.endsAt > now ? known : { endsAt: now + seconds * 1000, count: 0 }
  rateWindows.set(key, window)
  if (++window.count > limit) throw new AiRefusal(2003, 'Rate limited by the gateway', 429)
}

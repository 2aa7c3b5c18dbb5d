import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import type { Db, Trx } from '../db/database.ts'
import { splitReason } from '../capability-declaration/capability.ts'
import { capabilityOf } from '../capability-catalog/catalog.ts'

export async function listCapabilities(db: Db | Trx, projectId: string) {
  const rows = await db.selectFrom('capabilities').selectAll().where('project_id', '=', projectId).execute()
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return CAPABILITY_KEYS.map((key) => ({
    key,
    title: capabilityOf(key).title,
    enabled: byKey.get(key)?.enabled ?? false,
    provision: provisionOf(byKey.get(key)),
  }))
}

/** Returns the enabled capabilities with the state of their resources, in the order of `CAPABILITY_KEYS`. */
export async function listStates(db: Db | Trx, projectId: string) {
  const all = await listCapabilities(db, projectId)
  return all.filter(({ enabled }) => enabled).map(({ key, provision }) => ({ key, ...provision }))
}

/** Returns the state of a capability's resources. A capability without a row was never enabled. */
export function provisionOf(row: { state: 'creating' | 'idle' | 'error'; error: string | null } | undefined) {
  if (row === undefined) return { state: 'idle' as const, error: null }
  return { state: row.state, error: row.error === null ? null : splitReason(row.error) }
}

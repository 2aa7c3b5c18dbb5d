import type { SyncStorage } from 'cloudflare:workers'
import type { PayGrant, GrantCalls } from './calls.ts'
import type { HandlersOf } from '../kernel/objects/calls.ts'
import { hasTable, sqlRunner } from '../kernel/objects/sql.ts'
import type { JsonText } from '../kernel/json-text.ts'
import { DAY_MS } from '../kernel/durations.ts'

/** How long access continues when a renewal is overdue or its event was lost. */
export const GRACE_MS = 7 * DAY_MS

/**
 * A copy of a person's entitlements in their own Durable Object, so that a page needs to call only that object.
 * The original is in the directory object. Nothing is stored for a person who does not exist.
 */
export function grantHandlers(storage: SyncStorage, isPerson: () => boolean): HandlersOf<GrantCalls> {
  const runSql = sqlRunner(storage)
  // Checked every time, because the Durable Object's storage, with this table, may have been deleted since.
  const readStored = (): { rev: number; grants: PayGrant[] } => {
    if (!hasTable(runSql, '_grants')) return { rev: -1, grants: [] }
    const [row] = runSql<{ rev: number; json: JsonText<PayGrant[]> }>('select rev, json from _grants')
    return row === undefined ? { rev: -1, grants: [] } : { rev: row.rev, grants: JSON.parse(row.json) }
  }
  return {
    read: () => readStored().grants,
    take: ({ rev, grants }) => {
      if (!isPerson() || rev <= readStored().rev) return
      storage.transactionSync(() => {
        runSql('create table if not exists _grants (rev integer not null, json text not null)')
        runSql('delete from _grants')
        runSql('insert into _grants values (?, ?)', rev, JSON.stringify(grants))
      })
    },
  }
}

export const isActiveGrant = ({ until }: { until: string | null }, at: string): boolean =>
  until === null || until > at

/** Returns the grants in force, one for each product. */
export function activeGrants(
  grants: readonly PayGrant[],
  withTest: boolean,
  now: Date,
): Omit<PayGrant, 'mode'>[] {
  const at = now.toISOString()
  const owned = grants.filter((one) => (withTest || one.mode === 'live') && isActiveGrant(one, at))
  return [...Map.groupBy(owned, ({ productId }) => productId).values()].map((same) => {
    const best = same.reduce((a, b) => ((a.until ?? '~') < (b.until ?? '~') ? b : a))
    const { mode: _mode, ...shown } = best
    return shown
  })
}

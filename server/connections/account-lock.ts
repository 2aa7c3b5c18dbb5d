import { isShipping } from '../releases/shared-sql.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import { hasWaitingMove } from '../moves/moves.ts'
import { PROJECTS } from '../projects/shared-sql.ts'
import { RESOURCES } from '../resources/shared-sql.ts'
import { ConnectionRefused } from './refused.ts'

export interface LockedAccount {
  id: string
  name: string
}

/**
 * Returns the account the organization is bound to because projects are deployed there, or null: through
 * another account they could be neither changed nor removed. A project counts from its first ship on,
 * archived ones too; a preview alone does not. A stand-in account never binds, because projects move away
 * from it.
 */
export async function lockedAccount(db: Db | Trx, orgId: string): Promise<LockedAccount | null> {
  const row = await db
    .selectFrom(RESOURCES)
    .innerJoin(PROJECTS, (join) => join.onRef('p.org_id', '=', 'r.org_id').onRef('p.id', '=', 'r.project_id'))
    .leftJoin('cloud_accounts as a', (join) =>
      join.onRef('a.org_id', '=', 'r.org_id').onRef('a.account_id', '=', 'r.account_id'),
    )
    .select(['r.account_id as id', sql<string>`coalesce(a.name, r.account_id)`.as('name')])
    .where('r.org_id', '=', orgId)
    .where('r.tier', '=', 'production')
    .where((eb) => eb.or([eb('a.profile', 'is', null), eb('a.profile', '!=', 'local')]))
    // Left-overs of a failed move do not count: the project still lives in the stand-in.
    .where(({ not, ref }) => not(hasWaitingMove(ref('p.id'))))
    .where((eb) =>
      eb.or([
        eb('p.live_at', 'is not', null),
        // A first ship is in progress.
        isShipping(orgId, eb.ref('p.id')),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** Throws 409 for an account other than the one the organization is bound to. */
export function requireUnlocked(locked: LockedAccount | null, accountId: string | null): void {
  if (locked === null || locked.id === accountId) return
  throw new ConnectionRefused(
    'account_locked',
    `Projects are deployed in the Cloudflare account ${locked.name} (${locked.id}), so only that one can be connected. Connect it, or delete those projects first.`,
  )
}

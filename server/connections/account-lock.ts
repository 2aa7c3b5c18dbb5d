import { isShipping } from '../sql/deployments.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import { hasWaitingMove } from '../moves/moves.ts'
import { PROJECTS_AS_P } from '../sql/projects.ts'
import { RESOURCES_AS_R } from '../sql/resources.ts'
import { ConnectionRefusedError } from './refused.ts'

export interface LockedAccount {
  id: string
  name: string
}

/**
 * Returns the account that the organization must not replace by another one, or null. It is the account in which
 * projects are deployed: with another account connected, these projects could be neither changed nor deleted. A
 * project counts from its first production deployment on, even when it is archived; a project with only a preview does
 * not count. An account of the local emulator of Cloudflare may be replaced, because its projects are moved to the new
 * account.
 */
export async function lockedAccount(db: Db | Trx, orgId: string): Promise<LockedAccount | null> {
  const row = await db
    .selectFrom(RESOURCES_AS_R)
    .innerJoin(PROJECTS_AS_P, (join) =>
      join.onRef('p.org_id', '=', 'r.org_id').onRef('p.id', '=', 'r.project_id'),
    )
    .leftJoin('cloud_accounts as a', (join) =>
      join.onRef('a.org_id', '=', 'r.org_id').onRef('a.account_id', '=', 'r.account_id'),
    )
    .select(['r.account_id as id', sql<string>`coalesce(a.name, r.account_id)`.as('name')])
    .where('r.org_id', '=', orgId)
    .where('r.tier', '=', 'production')
    .where((eb) => eb.or([eb('a.profile', 'is', null), eb('a.profile', '!=', 'local')]))
    // A project that waits for its move is still in the emulator's account, although a failed attempt to move it may
    // have left resources in the new account.
    .where(({ not, ref }) => not(hasWaitingMove(ref('p.id'))))
    .where((eb) =>
      eb.or([
        eb('p.live_at', 'is not', null),
        // The first production deployment of the project is in progress.
        isShipping(orgId, eb.ref('p.id')),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** Throws `conflict` for an account other than the one that the organization has to keep. */
export function requireUnlocked(locked: LockedAccount | null, accountId: string | null): void {
  if (locked === null || locked.id === accountId) return
  throw new ConnectionRefusedError(
    'account_locked',
    `Projects are deployed in the Cloudflare account ${locked.name} (${locked.id}), so only that one can be connected. Connect it, or delete those projects first.`,
  )
}

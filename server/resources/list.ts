import type { Db, Trx } from '../db/database.ts'
import { readMove } from '../moves/moves.ts'
import type { Registered } from './kinds/kind.ts'
import { rankOf } from './kinds/table.ts'

// What is bound to another thing goes before it, and what serves goes first.
const TIERS: readonly Registered['tier'][] = ['production', 'preview', 'shared']

/** What the registry holds of a project, in the order in which it may go; what was refused comes after its peers. */
export async function listResources(
  db: Db | Trx,
  project: { id: string; org_id: string },
): Promise<Registered[]> {
  const rows = await db
    .selectFrom('resources')
    .selectAll()
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .orderBy('updated_at')
    .execute()
  return (rows as Registered[]).toSorted(
    (a, b) => TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier) || rankOf(a.kind) - rankOf(b.kind),
  )
}

/**
 * The same without what a move has left in the account before, or an attempt to move in the next one. What belongs to a
 * third account stays in: it cannot be reached, and whoever asks has to say so.
 */
export async function listResourcesIn(
  db: Db | Trx,
  project: { id: string; org_id: string },
  accountId: string,
): Promise<Registered[]> {
  const [rows, move] = await Promise.all([listResources(db, project), readMove(db, project)])
  return move === null ? rows : rows.filter((row) => row.account_id === accountId)
}

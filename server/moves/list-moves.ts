import { accountName } from '../sql/connections.ts'
import { sql } from 'kysely'
import * as z from 'zod'
import type { CallerContext } from '../endpoint.ts'
import { MAIN_REF, oidOf } from '../git/store.ts'
import { PROJECTS_AS_P } from '../sql/projects.ts'
import { LiveDataChoice, type Move } from './moves.ts'

export const MoveOf = z.object({
  state: z.enum(['waiting', 'moving', 'removing']),
  from: z.object({ id: z.string(), name: z.string().nullable() }).describe('The account it moves away from.'),
  liveData: LiveDataChoice,
  records: z.int().describe('Records copied by the ship that takes the project along.'),
  files: z.int(),
  problem: z
    .string()
    .nullable()
    .describe('Why what is left there could not be removed yet; it is tried again.'),
})

/**
 * The table `moves` as `move`, for joins by `project_id` in the query builder. A move takes a project from a local
 * emulator account to a real cloud account.
 */
export const MOVES_AS_MOVE = sql<Move>`moves`.as('move')

export const MOVE_COLUMNS = [
  'move.state as move_state',
  'move.from_account',
  accountName('move.org_id', 'move.from_account').as('from_name'),
  'move.live_data',
  'move.records',
  'move.files',
  'move.problem',
] as const

/** Returns the move of a project to another account; null for a project without one. */
export function presentMove(row: {
  move_state: 'waiting' | 'moving' | 'removing' | null
  from_account: string | null
  from_name: string | null
  live_data: 'copy' | 'leave' | null
  records: number | null
  files: number | null
  problem: string | null
}): z.output<typeof MoveOf> | null {
  if (row.move_state === null || row.from_account === null) return null
  return {
    state: row.move_state,
    from: { id: row.from_account, name: row.from_name },
    liveData: row.live_data ?? 'copy',
    records: row.records ?? 0,
    files: row.files ?? 0,
    problem: row.problem,
  }
}

/** Returns the projects that are still in a former account or have left resources there. */
export async function listMoves(ctx: CallerContext<'db'>) {
  const rows = await ctx.db
    .selectFrom('moves as move')
    .innerJoin(PROJECTS_AS_P, 'p.id', 'move.project_id')
    .select(MOVE_COLUMNS)
    .select(({ ref }) => ['p.id', 'p.name', 'p.lifecycle', oidOf(ref('p.id'), MAIN_REF).as('oid')])
    .where('move.org_id', '=', ctx.caller.organizationId)
    .where('p.deleting_at', 'is', null)
    .orderBy('p.name')
    .orderBy('p.id')
    .execute()
  return rows.flatMap((row) => {
    const move = presentMove(row)
    if (move === null) return []
    const canShip = row.oid !== null && row.lifecycle !== 'archived'
    return [{ projectId: row.id, projectName: row.name, canShip, ...move }]
  })
}

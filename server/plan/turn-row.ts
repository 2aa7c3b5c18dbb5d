import { sql } from 'kysely'
import type { Failure } from '../agent/frames.ts'
import type { CallUsage } from '../agent/model/usage.ts'
import { type Db, type Trx, transact } from '../db/database.ts'
import type { PlanMessagesTable } from '../db/tables/plan.ts'
import { notifyTurn } from './turn-notifications.ts'

/** Thrown when the turn was stopped, marked as failed for late heartbeats, or retried. The turn must then write nothing more. */
export class TurnLostError extends Error {}

/** A turn without a heartbeat for this long is treated as a turn of a dead process. */
const STALE_SECONDS = 10

export const INTERRUPTED_FAILURE: Failure = {
  kind: 'interrupted',
  message: 'The service restarted while the reply was written. Try it again.',
}

/**
 * What all attempts at a reply have done together: the tickets that they wrote, and whether any of them read text that
 * another system posted.
 */
export interface TurnProgress {
  tickets: string[]
  read_outside: boolean
}

/** Locks the turn until the transaction ends. Throws `TurnLostError` when the turn has ended. Returns its results so far. */
export async function lockTurn(trx: Trx, turn: PlanMessagesTable): Promise<TurnProgress> {
  const row = await trx
    .selectFrom('plan_messages')
    .select(['tickets', 'read_outside'])
    .where('org_id', '=', turn.org_id)
    .where('id', '=', turn.id)
    .where('lease', '=', turn.lease)
    .where('status', '=', 'running')
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw new TurnLostError(turn.id)
  return row
}

/**
 * Marks the reply, because the agent is about to read text that another system posted. Such text may try to instruct the agent. Later
 * attempts at this reply, and turns with this reply in their history, are marked too.
 */
export async function markOutside(db: Db, turn: PlanMessagesTable): Promise<void> {
  await db
    .updateTable('plan_messages')
    .set({ read_outside: true })
    .where('org_id', '=', turn.org_id)
    .where('id', '=', turn.id)
    .execute()
}

/** Writes the heartbeat of a turn. Returns false when the turn has ended. */
export async function writeTurnHeartbeat(db: Db, turn: PlanMessagesTable): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('plan_messages')
    .set({ heartbeat_at: sql<Date>`now()` })
    .where('org_id', '=', turn.org_id)
    .where('id', '=', turn.id)
    .where('lease', '=', turn.lease)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

interface TurnEnd {
  text: string
  usage: CallUsage
  /** Why the reply is incomplete; null when it is complete. */
  failure: Failure | null
}

/**
 * Stores the end of a turn. A turn that was stopped or marked as stale meanwhile keeps that status; only its text and
 * usage are stored. Returns null when the turn was retried or its row is deleted.
 */
export async function settleTurn(
  db: Db,
  turn: PlanMessagesTable,
  end: TurnEnd,
): Promise<PlanMessagesTable | null> {
  const error = end.failure === null ? null : JSON.stringify(end.failure)
  const status = end.failure === null ? 'complete' : 'failed'
  return transact(db, async (trx) => {
    const row = await trx
      .updateTable('plan_messages')
      .set({
        text: end.text,
        usage: usageText(end.usage),
        status: sql`case when status = 'running' then ${status} else status end`,
        error: sql`case when status = 'running' then ${error}::text else error end`,
        heartbeat_at: null,
      })
      .where('org_id', '=', turn.org_id)
      .where('id', '=', turn.id)
      .where('lease', '=', turn.lease)
      .returningAll()
      .executeTakeFirst()
    if (row?.status === 'stopped') await notifyTurn(trx, { kind: 'told', id: row.id })
    return row ?? null
  })
}

export const usageText = ({ input, output, cacheRead, cacheWrite }: CallUsage): string =>
  JSON.stringify({ input, output, cacheRead, cacheWrite })

/**
 * Marks the turns of dead processes as failed, because no process continues them. Without `projectId`, marks turns of all projects. Returns
 * the number of marked turns.
 */
export async function settleStaleTurns(db: Db | Trx, projectId?: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('plan_messages')
    .set({ status: 'failed', error: JSON.stringify(INTERRUPTED_FAILURE), heartbeat_at: null })
    .where('status', '=', 'running')
    .where('heartbeat_at', '<', sql<Date>`now() - make_interval(secs => ${STALE_SECONDS})`)
    .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId ?? ''))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

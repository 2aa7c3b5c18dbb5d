import { sql } from 'kysely'
import type { FileRef } from '../agent/loop/files.ts'
import { findProjectForShare, type ProjectRow } from '../projects/store.ts'
import { type ChosenModel, chooseModel } from '../connections/models/access.ts'
import { requireTokens } from '../connections/token-limits.ts'
import { requireReadableAttachments } from '../attachments/model-files.ts'
import { databaseErrorCode, type Trx, transact } from '../db/database.ts'
import type { PlanMessagesTable } from '../db/tables/plan.ts'
import type { CallerContext } from '../endpoint.ts'
import { ApiError, conflict } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import { requireUndeleted } from '../projects/lifecycle.ts'
import { settleStaleTurns } from './turn-row.ts'

/** `retry`: the last reply failed and is requested again. */
export type TurnRequest = { text: string; attachments: readonly string[] } | 'retry'

/**
 * A turn whose rows are stored. The caller must run the turn: until then the reply has the status `running`, and is marked as failed once
 * the heartbeat is too old.
 */
export interface OpenTurn {
  project: ProjectRow
  chosen: ChosenModel
  reply: PlanMessagesTable
}

const isRunning = () => conflict('The plan agent is answering in this project already.')

/**
 * Opens a turn. Throws 403 when the month's tokens are used up, 404 once the project is deleted, 409 while it is being deleted and while
 * another turn is running, 412 without a model, and 400 when there is nothing to retry.
 */
export async function openTurn(
  ctx: CallerContext<'db' | 'clock'>,
  project: ProjectRow,
  order: TurnRequest,
): Promise<OpenTurn> {
  try {
    return await transact(ctx.db, async (trx) => {
      requireUndeleted(await findProjectForShare(trx, { orgId: project.org_id, projectId: project.id }))
      await settleStaleTurns(trx, project.id)
      await requireTokens(trx, { orgId: project.org_id, ticketId: null }, ctx.clock.now())
      if (order === 'retry') {
        const { failed, attachments } = await lastFailed(trx, project)
        const chosen = await chooseModel(trx, project)
        // The message may have been written for another model.
        await requireReadableAttachments(trx, project, chosen, JSON.parse(attachments))
        return { project, chosen, reply: await reopenReply(trx, ctx, failed, chosen) }
      }
      const chosen = await chooseModel(trx, project)
      const files = await requireReadableAttachments(trx, project, chosen, order.attachments)
      return {
        project,
        chosen,
        reply: await storeMessages(trx, ctx, project, { text: order.text, files, chosen }),
      }
    })
  } catch (error) {
    // Another turn of the project was opened first, so its row exists already.
    if (databaseErrorCode(error) === '23505') throw isRunning()
    throw error
  }
}

/**
 * Returns the thread's last reply, and the attachments of the message that it replies to. Throws 409 while the reply is being written, and
 * 400 unless the reply failed.
 */
async function lastFailed(trx: Trx, project: ProjectRow) {
  const [last, message] = await trx
    .selectFrom('plan_messages')
    .selectAll()
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(2)
    .forUpdate()
    .execute()
  if (last?.status === 'running') throw isRunning()
  if (last?.status !== 'failed' || message === undefined)
    throw new ApiError('invalid_request', 'The last exchange did not fail.')
  return { failed: last, attachments: message.attachments }
}

const turnStartFields = (ctx: CallerContext, { connection, modelId }: ChosenModel) => ({
  actor: ctx.caller.actorId,
  provider: connection.provider,
  model: modelId,
  heartbeat_at: sql<Date>`now()`,
})

/** Stores the message and its empty reply in one transaction, so that no message is without a reply. */
async function storeMessages(
  trx: Trx,
  ctx: CallerContext<'clock'>,
  project: ProjectRow,
  { text, files, chosen }: { text: string; files: FileRef[]; chosen: ChosenModel },
): Promise<PlanMessagesTable> {
  // Sort the two ids, because ids of one millisecond are not ordered and the two messages share their time.
  const [first = '', second = ''] = [newId('msg'), newId('msg')].sort()
  const blank = {
    org_id: project.org_id,
    project_id: project.id,
    actor: ctx.caller.actorId,
    error: null,
    attachments: JSON.stringify([]),
    usage: null,
    tickets: [],
    read_outside: false,
    lease: 0,
    created_at: ctx.clock.now(),
  }
  const attachments = JSON.stringify(files.map(({ key }) => key))
  const unanswered = { provider: null, model: null, heartbeat_at: null }
  await trx
    .insertInto('plan_messages')
    .values({ ...blank, ...unanswered, attachments, id: first, role: 'user', status: 'complete', text })
    .execute()
  return trx
    .insertInto('plan_messages')
    .values({
      ...blank,
      ...turnStartFields(ctx, chosen),
      id: second,
      role: 'agent',
      status: 'running',
      text: '',
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Resets the failed reply for another attempt. Tickets that the failed attempt wrote stay. */
async function reopenReply(
  trx: Trx,
  ctx: CallerContext,
  failed: PlanMessagesTable,
  chosen: ChosenModel,
): Promise<PlanMessagesTable> {
  return trx
    .updateTable('plan_messages')
    .set((eb) => ({
      ...turnStartFields(ctx, chosen),
      status: 'running',
      text: '',
      error: null,
      lease: eb('lease', '+', 1),
    }))
    .where('org_id', '=', failed.org_id)
    .where('id', '=', failed.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

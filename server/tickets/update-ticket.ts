import { findAttachments } from '../attachments/load.ts'
import { transact, type Trx } from '../db/database.ts'
import type { ProjectIds } from '../db/tables/projects.ts'
import type { Context } from '../endpoint.ts'
import { emit } from '../events/emit.ts'
import type { RawJson } from '../http/endpoint.ts'
import { notFound } from '../http/errors.ts'
import { requireValidDependencies } from './dependencies.ts'
import { requireValidParent } from './parent.ts'
import { searchText, type TicketChange } from './ticket.ts'
import { getTicket } from './tickets.ts'
import { declaredKeys } from '../lib/keys.ts'

/** Changes a ticket. Sends no event when every field already has the new value. Throws 404 for an unknown ticket. */
export async function updateTicket(
  ctx: Context<'pool'>,
  projectId: string,
  ticketId: string,
  change: TicketChange,
): Promise<RawJson> {
  const place = { orgId: ctx.caller.organizationId, projectId, ticketId }
  await transact(ctx.db, (trx) => changeTicket(trx, place, change, ctx.clock.now()))
  return getTicket(ctx, projectId, ticketId)
}

/** Changes a ticket and stores the event in the caller's transaction. Returns the names of the changed fields. */
export async function changeTicket(
  trx: Trx,
  { orgId, projectId, ticketId }: { orgId: string; projectId: string; ticketId: string },
  change: TicketChange,
  at: Date,
): Promise<string[]> {
  const before = await lockTicket(trx, orgId, projectId, ticketId)
  if (change.parent !== undefined && change.parent !== null && change.parent !== before.parent_id)
    await requireValidParent(trx, { orgId, projectId, ticketId, parent: change.parent })
  const added = change.dependsOn?.filter((id) => !before.depends_on.includes(id)) ?? []
  await requireValidDependencies(trx, { orgId, projectId, ticketId, added })
  const next = {
    title: change.title ?? before.title,
    body: change.body ?? before.body,
    status: change.status ?? before.status,
    type: change.type ?? before.type,
    priority: change.priority ?? before.priority,
    due_at: change.dueAt === undefined ? before.due_at : dateOrNull(change.dueAt),
    parent_id: change.parent === undefined ? before.parent_id : change.parent,
    labels: change.labels ?? before.labels,
    depends_on: change.dependsOn ?? before.depends_on,
    attachments: await nextAttachments(
      trx,
      { id: projectId, org_id: orgId },
      before.attachments,
      change.attachments,
    ),
  }
  const changed = declaredKeys(FIELD_OF).flatMap((column) =>
    JSON.stringify(next[column]) === JSON.stringify(before[column]) ? [] : [FIELD_OF[column]],
  )
  if (changed.length === 0) return []
  await trx
    .updateTable('tickets')
    .set({
      ...next,
      search_fold: searchText(next),
      updated_at: at,
      // When the attachments change, the reason why the ticket left the build queue is cleared, because the
      // model may be able to read the attachments now.
      ...(changed.includes('attachments') && { queue_refusal: null }),
    })
    .where('org_id', '=', orgId)
    .where('id', '=', ticketId)
    .execute()
  await emit(trx, { type: 'ticket.updated', orgId, projectId, data: { ticketId, changed }, at })
  return changed
}

const FIELD_OF = {
  title: 'title',
  body: 'body',
  status: 'status',
  type: 'type',
  priority: 'priority',
  due_at: 'dueAt',
  parent_id: 'parent',
  labels: 'labels',
  depends_on: 'dependsOn',
  attachments: 'attachments',
} as const

async function lockTicket(trx: Trx, orgId: string, projectId: string, ticketId: string) {
  const row = await trx
    .selectFrom('tickets')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('project_id', '=', projectId)
    .where('id', '=', ticketId)
    // `for update` would block transactions that make another ticket a child of this ticket. The weaker lock `for no key update` does not
    // block them.
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (row === undefined) throw notFound('ticket')
  return row
}

/**
 * Returns a ticket's attachments after the change, each once. Throws 400 naming `attachments` when a new attachment is not a finalized
 * attachment of the project, or when the attachments are too many or together too large.
 */
async function nextAttachments(
  trx: Trx,
  project: ProjectIds,
  before: string[],
  wanted: string[] | undefined,
): Promise<string[]> {
  if (wanted === undefined) return before
  const next = [...new Set(wanted)]
  if (next.some((key) => !before.includes(key))) await findAttachments(trx, project, next)
  return next
}

const dateOrNull = (text: string | null): Date | null => (text === null ? null : new Date(text))

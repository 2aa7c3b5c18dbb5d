import { databaseErrorCode, prepared, transact, type Trx } from '../db/database.ts'
import { namedSql } from '../db/named-sql.ts'
import type { Context } from '../endpoint.ts'
import { eventParams, type EventParams, fireEvent, NOTIFY_DELIVERIES } from '../events/emit.ts'
import { notFound } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import { withProject } from '../sql/projects.ts'
import { requireGoodDependencies } from './dependencies.ts'
import { requireGoodParent } from './parent.ts'
import { type NewTicket, NO_BUILD, searchText, type Ticket } from './ticket.ts'

export interface TicketDraft extends NewTicket {
  origin: string | null
  source: Ticket['source']
  /** The link that another system sent with an idea to an ingest source; null for every other ticket. */
  url?: string | null
  attachments?: string[]
}

/**
 * One statement stores the ticket and its event, so it needs no explicit transaction. It also reads
 * the project: without a project of this organization it inserts nothing.
 */
const INSERT_TICKET = `
  with ${withProject(':orgId', ':projectId')},
  stored as (
    insert into tickets (id, org_id, project_id, title, body, status, type, priority, due_at, parent_id, labels,
      depends_on, origin, source, url, attachments, created_by, created_at, updated_at, search_fold)
    select :id, org_id, id, :title, :body, :status, :type, :priority, :dueAt::timestamptz, :parent,
      :labels::text[], :dependsOn::text[], :origin, :source, :url, :attachments::text[], :createdBy,
      :createdAt::timestamptz, :createdAt::timestamptz, :searchText
    from project returning id),
  ${fireEvent('from stored')}
  select id, ${NOTIFY_DELIVERIES} from stored`
type InsertParams = Ticket & EventParams & { orgId: string; searchText: string }
const insertAlone = prepared<{ id: string }, InsertParams>('ticket-insert', INSERT_TICKET)
const insertTicketStatement = namedSql<InsertParams>(INSERT_TICKET)

/**
 * Stores a ticket and its `ticket.created` event, and calls `also` in the same transaction. Throws 404 when
 * there is no such project.
 */
export async function insertTicket(
  ctx: Context<'pool'>,
  projectId: string,
  draft: TicketDraft,
  also?: (trx: Trx, ticket: Ticket) => Promise<void>,
): Promise<Ticket> {
  const orgId = ctx.caller.organizationId
  const at = ctx.clock.now()
  const ticket = newTicket(projectId, draft, ctx.caller.actorId, at)
  if (draft.parent === null && draft.dependsOn.length === 0 && also === undefined) {
    const rows = await insertAlone(ctx.pool, insertParams(orgId, ticket, at)).catch(unlessDeadlock)
    if (rows !== null) {
      requireProject(rows)
      return ticket
    }
  }
  const storeAll = async (trx: Trx) => {
    if (draft.parent !== null)
      await requireGoodParent(trx, { orgId, projectId, ticketId: ticket.id, parent: draft.parent })
    await requireGoodDependencies(trx, { orgId, projectId, ticketId: ticket.id, added: draft.dependsOn })
    await storeTicket(trx, orgId, ticket, at)
    await also?.(trx, ticket)
  }
  await transact(ctx.db, storeAll).catch(refuseGone)
  return ticket
}

/** Stores a ticket and its `ticket.created` event in the caller's transaction. Throws 404 when there is no such project. */
export async function storeTicket(trx: Trx, orgId: string, ticket: Ticket, at: Date): Promise<void> {
  const query = insertTicketStatement.query(insertParams(orgId, ticket, at))
  requireProject((await trx.executeQuery(query)).rows)
}

/** Returns a new ticket without storing it. */
export function newTicket(projectId: string, draft: TicketDraft, createdBy: string | null, at: Date): Ticket {
  return {
    id: newId('tkt'),
    projectId,
    title: draft.title,
    body: draft.body,
    status: draft.status,
    type: draft.type,
    priority: draft.priority,
    dueAt: draft.dueAt === null ? null : new Date(draft.dueAt).toISOString(),
    parent: draft.parent,
    labels: draft.labels,
    dependsOn: draft.dependsOn,
    origin: draft.origin,
    source: draft.source,
    url: draft.url ?? null,
    build: NO_BUILD,
    attachments: draft.attachments ?? [],
    createdBy,
    createdAt: at.toISOString(),
    updatedAt: at.toISOString(),
  }
}

function insertParams(orgId: string, ticket: Ticket, at: Date): InsertParams {
  const { id: ticketId, projectId, title, type, source } = ticket
  const data = { ticketId, title, type, source }
  const event = eventParams({ type: 'ticket.created', orgId, projectId, data, at })
  return { ...ticket, ...event, orgId, searchText: searchText(ticket) }
}

/**
 * Returns null for a deadlock: a simultaneous transaction updated the ticket counters in another order, so
 * the caller retries.
 */
function unlessDeadlock(error: unknown): null {
  return databaseErrorCode(error) === '40P01' ? null : refuseGone(error)
}

/** Throws 404 for a violated foreign key: the project was deleted between its look-up and the insert. */
function refuseGone(error: unknown): never {
  throw databaseErrorCode(error) === '23503' ? notFound('project') : error
}

function requireProject(rows: readonly unknown[]): void {
  if (rows.length === 0) throw notFound('project')
}

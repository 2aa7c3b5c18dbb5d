import { databaseErrorCode, preparedQuery, transact, type Trx } from '../db/database.ts'
import { namedSql } from '../db/named-sql.ts'
import type { Context } from '../endpoint.ts'
import { eventParams, fireEvents } from '../events/emit.ts'
import { notFound } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import type { ProjectKey } from '../projects/store.ts'
import { withProject } from '../sql/projects.ts'
import { requireValidDependencies } from './dependencies.ts'
import { requireValidParent } from './parent.ts'
import { type NewTicket, NO_BUILD, searchText, type Ticket } from './ticket.ts'

export interface TicketDraft extends NewTicket {
  origin: string | null
  source: Ticket['source']
  /** The link that another system sent with an idea to an ingest source; null for every other ticket. */
  url?: string | null
  attachments?: string[]
}

/** A ticket as it is inserted with its event. */
interface TicketValues extends Omit<Ticket, 'projectId' | 'build' | 'updatedAt'> {
  searchText: string
  eventId: string
  eventBody: string
}

/** The Postgres type of each field of `TicketValues`. */
const VALUE_TYPES: Record<keyof TicketValues, string> = {
  id: 'text',
  title: 'text',
  body: 'text',
  status: 'text',
  type: 'text',
  priority: 'text',
  dueAt: 'timestamptz',
  parent: 'text',
  labels: 'text[]',
  dependsOn: 'text[]',
  origin: 'text',
  source: 'text',
  url: 'text',
  attachments: 'text[]',
  createdBy: 'text',
  createdAt: 'timestamptz',
  searchText: 'text',
  eventId: 'text',
  eventBody: 'text',
}
const eachValue = (write: (name: string, type: string) => string): string =>
  Object.entries(VALUE_TYPES)
    .map(([name, type]) => write(name, type))
    .join(', ')

/**
 * Returns a statement that stores tickets of one project and their events. `added` is SQL that selects `TicketValues`. The statement also
 * reads the project: without a project of this organization it inserts nothing.
 */
const insertSql = (added: string): string => `
  with ${withProject(':orgId', ':projectId')},
  added as (${added}),
  stored as (
    insert into tickets (id, org_id, project_id, title, body, status, type, priority, due_at, parent_id, labels,
      depends_on, origin, source, url, attachments, created_by, created_at, updated_at, search_fold)
    select t.id, p.org_id, p.id, t.title, t.body, t.status, t.type, t.priority, t."dueAt", t.parent, t.labels,
      t."dependsOn", t.origin, t.source, t.url, t.attachments, t."createdBy", t."createdAt", t."createdAt", t."searchText"
    from project p, added t returning id),
  ${fireEvents(`select t."eventId", p.org_id, p.id, 'ticket.created', t."eventBody", t."createdAt" from project p, added t`)}
  select id from stored`

/** One statement stores the ticket and its event, so it needs no explicit transaction. */
const insertAlone = preparedQuery<{ id: string }, TicketValues & ProjectKey>(
  'ticket-insert',
  insertSql(`select ${eachValue((name, type) => `:${name}::${type} as "${name}"`)}`),
)

/** Stores many tickets as fast as a few. `tickets` is a JSON array, because an array of arrays has no type in Postgres. */
const insertMany = namedSql<ProjectKey & { tickets: string }>(
  insertSql(`select * from json_to_recordset(:tickets) t(${eachValue((name, type) => `"${name}" ${type}`)})`),
)

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
    const rows = await insertAlone(ctx.pool, { orgId, projectId, ...ticketValues(orgId, ticket) }).catch(
      unlessDeadlock,
    )
    if (rows !== null) {
      requireProject(rows)
      return ticket
    }
  }
  const storeAll = async (trx: Trx) => {
    if (draft.parent !== null)
      await requireValidParent(trx, { orgId, projectId, ticketId: ticket.id, parent: draft.parent })
    await requireValidDependencies(trx, { orgId, projectId, ticketId: ticket.id, added: draft.dependsOn })
    await storeTickets(trx, { orgId, projectId }, [ticket])
    await also?.(trx, ticket)
  }
  await transact(ctx.db, storeAll).catch(refuseGone)
  return ticket
}

/**
 * Stores tickets of one project and their `ticket.created` events in the caller's transaction. Throws 404 when there is
 * no such project.
 */
export async function storeTickets(trx: Trx, key: ProjectKey, tickets: readonly Ticket[]): Promise<void> {
  const values = JSON.stringify(tickets.map((ticket) => ticketValues(key.orgId, ticket)))
  requireProject((await trx.executeQuery(insertMany.query({ ...key, tickets: values }))).rows)
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

function ticketValues(orgId: string, ticket: Ticket): TicketValues {
  const { id: ticketId, projectId, title, type, source } = ticket
  const data = { ticketId, title, type, source }
  const at = new Date(ticket.createdAt)
  const { eventId, eventBody } = eventParams({ type: 'ticket.created', orgId, projectId, data, at })
  return { ...ticket, eventId, eventBody, searchText: searchText(ticket) }
}

/**
 * Returns null for a deadlock: a simultaneous transaction updated the ticket counters in another order, so
 * the caller retries.
 */
function unlessDeadlock(error: unknown): null {
  return databaseErrorCode(error) === '40P01' ? null : refuseGone(error)
}

/** Throws 404 for a violated foreign key, because the project was deleted between its look-up and the insert. */
function refuseGone(error: unknown): never {
  throw databaseErrorCode(error) === '23503' ? notFound('project') : error
}

function requireProject(rows: readonly unknown[]): void {
  if (rows.length === 0) throw notFound('project')
}

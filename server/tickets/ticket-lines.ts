import { type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { TicketsTable } from '../db/tables/tickets.ts'
import type { ProjectKey } from '../projects/store.ts'
import type { Ticket } from './ticket.ts'

const LINE_COLUMNS = [
  'id',
  'title',
  'status',
  'type',
  'priority',
  'parent_id',
  'source',
  'from_outside',
] as const

export type TicketLine = Pick<Selectable<TicketsTable>, (typeof LINE_COLUMNS)[number]>

/** Returns the newest open tickets. Reads the newest of each open status from an index, so that it never reads finished tickets. */
export async function openTicketLines(
  db: Db | Trx,
  { orgId, projectId }: ProjectKey,
  limit: number,
): Promise<TicketLine[]> {
  const { rows } = await sql<TicketLine>`
    select t.id, t.title, t.status, t.type, t.priority, t.parent_id, t.source, t.from_outside
    from unnest(array['backlog', 'todo', 'in_progress', 'in_review']) s
    cross join lateral (
      select * from tickets
      where org_id = ${orgId} and project_id = ${projectId} and status = s
      order by created_at desc, id desc limit ${limit}) t
    order by t.created_at desc, t.id desc limit ${limit}`.execute(db)
  return rows
}

/** Returns the tickets with these ids, the newest first. Ids that are not tickets of the project are left out. */
export async function ticketLinesOf(
  db: Db | Trx,
  { orgId, projectId }: ProjectKey,
  ids: readonly string[],
): Promise<TicketLine[]> {
  if (ids.length === 0) return []
  return await db
    .selectFrom('tickets')
    .select(LINE_COLUMNS)
    .where('org_id', '=', orgId)
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Returns the tickets that match, the newest first, starting after the ticket `after`. */
export async function listTicketLines(
  db: Db | Trx,
  { orgId, projectId }: ProjectKey,
  {
    status,
    parent,
    after,
    limit,
  }: {
    status?: Ticket['status'] | undefined
    parent?: string | undefined
    after: { at: Date; id: string } | null
    limit: number
  },
): Promise<(TicketLine & { created_at: Date })[]> {
  return await db
    .selectFrom('tickets')
    .select([...LINE_COLUMNS, 'created_at'])
    .where('org_id', '=', orgId)
    .where('project_id', '=', projectId)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'todo'))
    .$if(parent !== undefined, (query) => query.where('parent_id', '=', parent ?? ''))
    .$if(after !== null, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after?.at ?? new Date(0), after?.id ?? '')),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Returns null when the project has no such ticket. */
export async function readTicketText(db: Db | Trx, { orgId, projectId }: ProjectKey, id: string) {
  const row = await db
    .selectFrom('tickets')
    .select([...LINE_COLUMNS, 'body', 'labels', 'due_at'])
    .where('org_id', '=', orgId)
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { RunsTable } from '../../db/tables/runs.ts'
import type { TicketsTable } from '../../db/tables/tickets.ts'

export type TicketOfLine = Pick<
  Selectable<TicketsTable>,
  'title' | 'type' | 'body' | 'source' | 'from_outside'
>

/** The ticket of a run and those above it, the ticket itself first. A line has at most eight tickets (docs/api). */
export async function readTicketLine(db: Db, run: RunsTable): Promise<[TicketOfLine, ...TicketOfLine[]]> {
  const { rows } = await sql<TicketOfLine>`
    with recursive line as (
      select id, parent_id, title, type, body, source, from_outside, 0 as depth
      from tickets where org_id = ${run.org_id} and id = ${run.ticket_id}
      union all
      select t.id, t.parent_id, t.title, t.type, t.body, t.source, t.from_outside, l.depth + 1
      from tickets t join line l on l.parent_id = t.id
      where t.org_id = ${run.org_id} and l.depth < 8
    )
    select title, type, body, source, from_outside from line order by depth`.execute(db)
  const [first, ...above] = rows
  if (first === undefined) throw new Error(`run ${run.id} has no ticket`)
  return [first, ...above]
}

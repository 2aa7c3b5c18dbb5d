import { sql } from 'kysely'
import type { MaterialTag } from '../../agent/prompts/material.ts'
import type { Db } from '../../db/database.ts'
import type { RunRow } from '../../db/tables/runs.ts'
import type { TicketStatus } from '../../db/tables/tickets.ts'
import { isFromOutside } from '../../tickets/from-outside.ts'

const TICKETS_MAX = 20
/** Summaries of so many tickets, the nearest first, are long enough to hold what was decided and assumed. */
const WHOLE_SUMMARIES_MAX = 6
const [SUMMARY_CHARS_MAX, WHOLE_SUMMARY_CHARS_MAX] = [140, 600]
const SAID_CHARS_MAX = 1500

interface Sibling {
  id: string
  title: string
  status: TicketStatus
  source: 'human' | 'agent' | 'ingest'
  from_outside: boolean
  is_dependency: boolean
  summary: string | null
}

/**
 * Returns what a build should know of the tickets around its own, as blocks of its prompt: the other tickets of the
 * project (its dependencies, then those with the same parent, then the newest; at most 20) with how their last green
 * build ended, and what was said when the plan agent wrote the ticket. Texts from outside are left out, because they
 * would reach a build that may ship or switch capabilities on; a build whose ticket came from outside may neither.
 */
export async function surroundings(
  db: Db,
  run: RunRow,
  { tag, isIngested }: { tag: MaterialTag; isIngested: boolean },
): Promise<string[]> {
  const [siblings, plan] = await Promise.all([readSiblings(db, run), readPlan(db, run, isIngested)])
  const lines = siblings.map((ticket, place) => siblingLine(ticket, { place, isIngested }))
  return [
    ...(lines.length === 0 ? [] : [tag('other-tickets', {}, lines.join('\n'))]),
    ...(plan === null ? [] : [tag('plan', {}, plan)]),
  ]
}

async function readSiblings(db: Db, run: RunRow): Promise<Sibling[]> {
  const mine = sql`t.org_id = ${run.org_id} and t.project_id = ${run.project_id} and t.id <> ${run.ticket_id}
    and t.type <> 'epic'`
  const { rows } = await sql<Sibling>`
    with own as (select depends_on, parent_id from tickets where org_id = ${run.org_id} and id = ${run.ticket_id}),
    near as (
      (select t.id, 0 as distance from tickets t, own where ${mine} and t.id = any(own.depends_on))
      union all
      (select t.id, 1 from tickets t, own where ${mine} and t.parent_id = own.parent_id
        order by t.created_at, t.id limit ${TICKETS_MAX})
      union all
      (select t.id, 2 from tickets t where ${mine} order by t.created_at desc, t.id desc limit ${TICKETS_MAX})
    ),
    nearest as (select id, min(distance) as distance from near group by id)
    select t.id, t.title, t.status, t.source, t.from_outside, n.distance = 0 as is_dependency, (
      select r.message from runs r where r.ticket_id = t.id and r.outcome = 'built'
      order by r.created_at desc, r.id desc limit 1) as summary
    from nearest n join tickets t on t.org_id = ${run.org_id} and t.id = n.id
    order by n.distance, case when n.distance < 2 then t.created_at end, case when n.distance < 2 then t.id end,
      t.created_at desc, t.id desc
    limit ${TICKETS_MAX}`.execute(db)
  return rows
}

function siblingLine(ticket: Sibling, at: { place: number; isIngested: boolean }): string {
  const needed = ticket.is_dependency ? ', this ticket depends on it' : ''
  const state = `(${ticket.status}${needed})`
  if (isFromOutside(ticket) && !at.isIngested) return `- a ticket from outside, its text is left out ${state}`
  const charsMax = at.place < WHOLE_SUMMARIES_MAX ? WHOLE_SUMMARY_CHARS_MAX : SUMMARY_CHARS_MAX
  const summary = ticket.summary === null ? '' : ` Built: ${shorten(ticket.summary, charsMax)}`
  return `- ${JSON.stringify(ticket.title)} ${state}${summary}`
}

/** What the person and the plan agent said around the reply that wrote the ticket; null when a person wrote it. */
async function readPlan(db: Db, run: RunRow, isIngested: boolean): Promise<string | null> {
  const { rows } = await sql<{ role: 'user' | 'agent'; text: string; read_outside: boolean }>`
    with reply as (
      select created_at, id from plan_messages
      where org_id = ${run.org_id} and project_id = ${run.project_id} and ${run.ticket_id} = any(tickets)
      order by created_at, id limit 1)
    select m.role, m.text, m.read_outside from reply, lateral (
      (select * from plan_messages p where p.org_id = ${run.org_id} and p.project_id = ${run.project_id}
        and (p.created_at, p.id) <= (reply.created_at, reply.id) order by p.created_at desc, p.id desc limit 2)
      union all
      (select * from plan_messages p where p.org_id = ${run.org_id} and p.project_id = ${run.project_id}
        and (p.created_at, p.id) > (reply.created_at, reply.id) order by p.created_at, p.id limit 2)
    ) m where m.status <> 'running' order by m.created_at, m.id`.execute(db)
  if (rows.length === 0 || (!isIngested && rows.some((message) => message.read_outside))) return null
  return rows
    .map(
      ({ role, text }) =>
        `${role === 'user' ? 'The person' : 'The planner'}: ${shorten(text, SAID_CHARS_MAX)}`,
    )
    .join('\n')
}

/** The text on one line, so that it cannot imitate the next. */
function shorten(text: string, charsMax: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= charsMax ? line : `${line.slice(0, charsMax - 1)}…`
}

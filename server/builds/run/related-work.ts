import { sql } from 'kysely'
import type { MaterialTag } from '../../agent/prompts/material.ts'
import type { Db } from '../../db/database.ts'
import type { RunRow } from '../../db/tables/runs.ts'
import { messagesAroundTicket } from '../../plan/shared-sql.ts'
import { type RelatedTicket, relatedTickets } from '../../tickets/built-ticket.ts'
import { isFromOutside } from '../../tickets/from-outside.ts'

const TICKETS_MAX = 20
/** Summaries of so many tickets, the nearest first, are long enough to hold what was decided and assumed. */
const WHOLE_SUMMARIES_MAX = 6
const [SUMMARY_CHARS_MAX, WHOLE_SUMMARY_CHARS_MAX] = [140, 600]
const SAID_CHARS_MAX = 1500

interface Sibling extends RelatedTicket {
  /** Null when the ticket has no green build. */
  summary: string | null
}

/**
 * Returns what a build should know of the tickets around its own, as blocks of its prompt: the other tickets of the
 * project (its dependencies, then those with the same parent, then the newest; at most 20) with how their last green
 * build ended, and what was said when the plan agent wrote the ticket. Texts from outside are left out, because they
 * would reach a build that may ship or switch capabilities on; a build whose ticket came from outside may neither.
 */
export async function relatedWork(
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
  const tickets = await relatedTickets(db, run, TICKETS_MAX)
  const { rows } = await sql<{ id: string; summary: string | null }>`
    select t.id, (
      select r.message from runs r where r.ticket_id = t.id and r.outcome = 'built'
      order by r.created_at desc, r.id desc limit 1) as summary
    from unnest(${tickets.map(({ id }) => id)}::text[]) t(id)`.execute(db)
  const summaries = new Map(rows.map(({ id, summary }) => [id, summary]))
  return tickets.map((ticket) => ({ ...ticket, summary: summaries.get(ticket.id) ?? null }))
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
  const { rows } = await messagesAroundTicket(run).execute(db)
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

import { sql } from 'kysely'
import type { MaterialTag } from '../../agent/prompts/material.ts'
import type { Db } from '../../db/database.ts'
import type { RunRow } from '../../db/tables/runs.ts'
import { messagesAroundTicket } from '../../sql/plan.ts'
import { type RelatedTicket, relatedTickets } from '../../tickets/built-ticket.ts'
import { isFromOutside } from '../../tickets/from-outside.ts'

const TICKETS_MAX = 20
/** The first tickets of the list, which are the most related, get longer summaries, with decisions and assumptions. */
const WHOLE_SUMMARIES_MAX = 6
const [SUMMARY_CHARS_MAX, WHOLE_SUMMARY_CHARS_MAX] = [140, 600]
const MESSAGE_CHARS_MAX = 1500

interface SiblingTicket extends RelatedTicket {
  /** The summary of the ticket's last green build; null when there is none. */
  summary: string | null
}

/**
 * Returns blocks of a build's prompt about related work: at most 20 other tickets of the project (dependencies, then
 * those with the same parent, then the newest) with the summaries of their last green builds, and the plan messages
 * around the reply that wrote the ticket. Leaves out text that another system has posted. The exception is a build of a
 * ticket that was posted itself: such a build may neither ship nor enable capabilities, so instructions hidden in the
 * text can do little.
 */
export async function relatedWork(
  db: Db,
  run: RunRow,
  { tag, isIngested }: { tag: MaterialTag; isIngested: boolean },
): Promise<string[]> {
  const [siblings, plan] = await Promise.all([readSiblings(db, run), readPlanMessages(db, run, isIngested)])
  const lines = siblings.map((ticket, place) => relatedTicketLine(ticket, { place, isIngested }))
  return [
    ...(lines.length === 0 ? [] : [tag('other-tickets', {}, lines.join('\n'))]),
    ...(plan === null ? [] : [tag('plan', {}, plan)]),
  ]
}

async function readSiblings(db: Db, run: RunRow): Promise<SiblingTicket[]> {
  const tickets = await relatedTickets(db, run, TICKETS_MAX)
  const { rows } = await sql<{ id: string; summary: string | null }>`
    select t.id, (
      select r.message from runs r where r.ticket_id = t.id and r.outcome = 'built'
      order by r.created_at desc, r.id desc limit 1) as summary
    from unnest(${tickets.map(({ id }) => id)}::text[]) t(id)`.execute(db)
  const summaries = new Map(rows.map(({ id, summary }) => [id, summary]))
  return tickets.map((ticket) => ({ ...ticket, summary: summaries.get(ticket.id) ?? null }))
}

function relatedTicketLine(ticket: SiblingTicket, at: { place: number; isIngested: boolean }): string {
  const needed = ticket.is_dependency ? ', this ticket depends on it' : ''
  const state = `(${ticket.status}${needed})`
  if (isFromOutside(ticket) && !at.isIngested) return `- a ticket from outside, its text is left out ${state}`
  const charsMax = at.place < WHOLE_SUMMARIES_MAX ? WHOLE_SUMMARY_CHARS_MAX : SUMMARY_CHARS_MAX
  const summary = ticket.summary === null ? '' : ` Built: ${shortenText(ticket.summary, charsMax)}`
  return `- ${JSON.stringify(ticket.title)} ${state}${summary}`
}

/** Returns the messages around the plan agent's reply that wrote the ticket; null when a person wrote it. */
async function readPlanMessages(db: Db, run: RunRow, isIngested: boolean): Promise<string | null> {
  const { rows } = await messagesAroundTicket(run).execute(db)
  if (rows.length === 0 || (!isIngested && rows.some((message) => message.read_outside))) return null
  return rows
    .map(
      ({ role, text }) =>
        `${role === 'user' ? 'The person' : 'The planner'}: ${shortenText(text, MESSAGE_CHARS_MAX)}`,
    )
    .join('\n')
}

/** Returns the text on one line, cut to `charsMax`. A text with line breaks could imitate further lines of the list. */
function shortenText(text: string, charsMax: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= charsMax ? line : `${line.slice(0, charsMax - 1)}…`
}

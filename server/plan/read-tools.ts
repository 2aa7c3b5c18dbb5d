import * as z from 'zod'
import type { MaterialTag } from '../agent/prompts/material.ts'
import { type AgentTool, agentTool, toolSuccess, toolFailure } from '../agent/tools/tool.ts'
import type { Context } from '../endpoint.ts'
import { decodeCursor, encodeCursor } from '../http/query.ts'
import { isFromOutside } from '../tickets/from-outside.ts'
import { TICKET_STATUSES, type Ticket } from '../tickets/ticket.ts'
import { searchTickets } from '../tickets/ticket-search.ts'
import { refusalsAsOutcome } from './refusal.ts'
import { listTicketLines, readTicketText, ticketLinesOf } from '../tickets/ticket-lines.ts'
import { ticketLine } from './ticket-text.ts'

const LISTED_TICKETS_MAX = 50
const FOUND_TICKETS_MAX = 20

interface TicketToolContext {
  ctx: Context<'pool'>
  projectId: string
  tag: MaterialTag
  /** Called before the model gets text that another system posted. */
  onOutside: () => Promise<void>
}

export function readTicketTools(context: TicketToolContext): AgentTool[] {
  return [
    agentTool({
      name: 'list_tickets',
      description: `Lists tickets, newest first, ${LISTED_TICKETS_MAX} at a time. \`status\` and \`parent\` (a ticket's id) narrow the list; \`cursor\` continues where the last list ended.`,
      input: z.object({
        status: z.enum(TICKET_STATUSES).optional(),
        parent: z.string().optional(),
        cursor: z.string().optional(),
      }),
      run: (filter) => refusalsAsOutcome(() => listTickets(context, filter)),
    }),
    agentTool({
      name: 'read_ticket',
      description: 'Reads one ticket with its text.',
      input: z.object({ id: z.string() }),
      run: ({ id }) => refusalsAsOutcome(() => readTicket(context, id)),
    }),
    agentTool({
      name: 'search_tickets',
      description: `Finds tickets whose title or text contains \`q\`, ignoring case; the newest ${FOUND_TICKETS_MAX}.`,
      input: z.object({ q: z.string().trim().min(1).max(100) }),
      run: ({ q }) => refusalsAsOutcome(() => findTickets(context, q)),
    }),
  ]
}

const projectKey = ({ ctx, projectId }: Pick<TicketToolContext, 'ctx' | 'projectId'>) => ({
  orgId: ctx.caller.organizationId,
  projectId,
})

async function listTickets(
  { ctx, projectId, tag, onOutside }: TicketToolContext,
  filter: { status?: Ticket['status'] | undefined; parent?: string | undefined; cursor?: string | undefined },
) {
  // Models send an empty string for an omitted filter.
  const after = filter.cursor ? decodeCursor(filter.cursor, 'tkt') : null
  const rows = await listTicketLines(ctx.db, projectKey({ ctx, projectId }), {
    status: filter.status,
    parent: filter.parent || undefined,
    after,
    limit: LISTED_TICKETS_MAX + 1,
  })
  if (rows.length === 0) return toolSuccess('No tickets.')
  const shown = rows.slice(0, LISTED_TICKETS_MAX)
  if (shown.some(isFromOutside)) await onOutside()
  const last = rows.length > LISTED_TICKETS_MAX ? shown.at(-1) : undefined
  const more =
    last === undefined ? '' : `\nMore with cursor ${encodeCursor({ at: last.created_at, id: last.id })}`
  return toolSuccess(tag('tickets', {}, shown.map(ticketLine).join('\n')) + more)
}

async function readTicket({ ctx, projectId, tag, onOutside }: TicketToolContext, id: string) {
  const row = await readTicketText(ctx.db, projectKey({ ctx, projectId }), id)
  if (row === null) return toolFailure('not_found', `there is no ticket ${id.slice(0, 60)} in this project`)
  if (isFromOutside(row)) await onOutside()
  const facts = [
    ticketLine(row),
    `Written by: ${row.source}`,
    ...(row.labels.length === 0 ? [] : [`Labels: ${row.labels.join(', ')}`]),
    ...(row.due_at === null ? [] : [`Due: ${row.due_at.toISOString()}`]),
  ]
  return toolSuccess(tag('ticket', { id: row.id }, `${facts.join('\n')}\n\n${row.body}`.trim()))
}

const Found = z.object({ items: z.array(z.object({ id: z.string() })) })

async function findTickets({ ctx, projectId, tag, onOutside }: TicketToolContext, q: string) {
  const page = await searchTickets(ctx, projectId, { q, limit: FOUND_TICKETS_MAX })
  const { items } = Found.parse(JSON.parse(page.text))
  if (items.length === 0) return toolSuccess('No tickets.')
  const found = items.map(({ id }) => id)
  const rows = await ticketLinesOf(ctx.db, projectKey({ ctx, projectId }), found)
  if (rows.some(isFromOutside)) await onOutside()
  return toolSuccess(tag('tickets', {}, rows.map(ticketLine).join('\n')))
}

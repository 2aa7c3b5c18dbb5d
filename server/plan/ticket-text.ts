import { isFromOutside } from '../tickets/from-outside.ts'
import type { TicketLine } from '../tickets/ticket-lines.ts'

/** Formats a ticket as one line of a list. Titles are JSON strings, so that a title cannot imitate a line. */
export const ticketLine = (ticket: TicketLine): string =>
  ticketSummaryLine(ticket, JSON.stringify(ticket.title))

/** Formats a ticket that the agent did not request. Leaves out the title when another system posted the ticket. */
export const unrequestedTicketLine = (ticket: TicketLine): string =>
  isFromOutside(ticket) ? ticketSummaryLine(ticket, 'from outside, read_ticket shows it') : ticketLine(ticket)

function ticketSummaryLine({ id, type, status, priority, parent_id }: TicketLine, title: string): string {
  const parent = parent_id === null ? '' : ` below ${parent_id}`
  return `${id} ${title} (${type}, ${status}, priority ${priority})${parent}`
}

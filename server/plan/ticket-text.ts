import type { Selectable } from 'kysely'
import type { TicketsTable } from '../db/tables/tickets.ts'

export const LINE_COLUMNS = ['id', 'title', 'status', 'type', 'priority', 'parent_id'] as const
export type TicketLine = Pick<Selectable<TicketsTable>, (typeof LINE_COLUMNS)[number]>

/** A ticket as one line of a list; titles are JSON strings, so that a title cannot pretend to be a line. */
export function ticketLine(ticket: TicketLine): string {
  const parent = ticket.parent_id === null ? '' : ` below ${ticket.parent_id}`
  return `${ticket.id} ${JSON.stringify(ticket.title)} (${ticket.type}, ${ticket.status}, priority ${ticket.priority})${parent}`
}

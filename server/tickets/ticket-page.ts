import { JsonText } from '../http/endpoint.ts'
import { type Cursor, decodeCursor, encodeCursor } from '../http/query.ts'
import { type TicketRow, ticketText } from './ticket.ts'

/** A row that knows its place in the list. */
export interface PlacedTicket extends TicketRow {
  id: string
  at: Date
}

/** Columns of `PlacedTicket` beside those of the ticket. */
export const PLACE_COLUMNS = 't.id, t.created_at as at'

/** Where a list of tickets goes on; 400 naming `cursor` when it is not one of ours. */
export const ticketCursor = (text: string | undefined): Cursor | undefined =>
  text === undefined ? undefined : decodeCursor(text, 'tkt')

/** A page that may have a next one, which begins after the row `last`. */
export function ticketPage(items: readonly TicketRow[], last: Cursor | undefined): JsonText {
  const nextCursor = last === undefined ? null : encodeCursor(last)
  return new JsonText(
    `{"items":[${items.map(ticketText).join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`,
  )
}

import { RawJson } from '../http/endpoint.ts'
import { type Cursor, decodeCursor, encodeCursor } from '../http/query.ts'
import { type TicketRow, ticketText } from './ticket.ts'

export interface TicketPageRow extends TicketRow {
  id: string
  at: Date
}

/** The columns of `TicketPageRow` that `PAGE_COLUMNS` does not select: a page needs them for its cursor. */
export const CURSOR_COLUMNS = 't.id, t.created_at as at'

/** Parses the cursor of a ticket list. Throws 400 naming `cursor` when this service did not issue it. */
export const ticketCursor = (text: string | undefined): Cursor | undefined =>
  text === undefined ? undefined : decodeCursor(text, 'tkt')

/** Returns a page of tickets. The next page begins after the row `last`; without `last` there is no next page. */
export function ticketPage(items: readonly TicketRow[], last: Cursor | undefined): RawJson {
  const nextCursor = last === undefined ? null : encodeCursor(last)
  return new RawJson(
    `{"items":[${items.map(ticketText).join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`,
  )
}

import type { QueryClient } from '@tanstack/react-query'
import type { TicketStatus } from '../../../api/types.ts'
import { readFocus } from '../../../shell/keys/shortcut-gate.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { workText } from '../../../text/workspace.en.ts'
import type { PaneState } from '../../../state/tickets/pane-context.ts'
import { editTickets } from '../../../state/tickets/edit-tickets.ts'
import { entryAfterRemoval } from '../../../lib/list-cursor.ts'

/**
 * Moves tickets to a status. A ticket that is moved alone keeps the focus. When its new place is not visible, for example in a folded
 * group, its former neighbor gets the focus.
 */
export async function setStatus(
  client: QueryClient,
  pane: Pick<PaneState, 'projectId' | 'marks' | 'order' | 'announce'>,
  ids: string[],
  status: TicketStatus,
): Promise<void> {
  const { marks } = pane
  const only = ids.length === 1 ? ids[0] : undefined
  const beside = only && entryAfterRemoval(pane.order.current(), only)
  if (only) marks.focus(only, status)
  const word = workText.tickets.status[status]
  const refused = await editTickets(
    client,
    pane.projectId,
    ids,
    (ticket) => (ticket.status === status ? {} : { status }),
    ticketsText.done.status(ids.length, word),
  )
  if (only === undefined) return
  const isRefused = refused.length > 0
  if (marks.wanted()?.id !== only) {
    // The ticket has the focus in its new place. Undoing the move after the refusal removes the ticket from there.
    if (isRefused && isFocused(only)) marks.focus(only)
    return
  }
  marks.arrived()
  if (!isRefused) pane.announce(ticketsText.movedAway(word))
  // The user may have begun to type during the request.
  if (readFocus(document.activeElement).inField) return
  const next = isRefused ? only : beside
  if (next) marks.focus(next)
}

const isFocused = (ticketId: string): boolean =>
  document.activeElement instanceof HTMLElement && document.activeElement.dataset['ticket'] === ticketId

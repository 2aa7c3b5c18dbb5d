import { useQueryClient } from '@tanstack/react-query'
import type { TicketChange } from '../../api/types.ts'
import { ticketsText } from '../../text/tickets.en.ts'
import { editTickets } from './edit-tickets.ts'

/**
 * Changes the ticket on screen at once. A refused change restores the old value and shows the reason at the
 * ticket. Resolves with whether it was saved.
 */
export function useTicketChange(projectId: string, ticketId: string) {
  const client = useQueryClient()
  return async (field: string, change: TicketChange): Promise<boolean> => {
    const words = ticketsText.done.field(field)
    const refused = await editTickets(client, projectId, [ticketId], () => change, words)
    return refused.length === 0
  }
}

import { useQueryClient } from '@tanstack/react-query'
import type { TicketChange } from '../../api/types.ts'
import { ticketsText } from '../../text/tickets.en.ts'
import { editTickets } from './edit-tickets.ts'

/**
 * Returns a function that changes the ticket and shows the change at once. When the service refuses the change, the old value is
 * restored and the ticket shows the reason. The function resolves with whether the change was saved.
 */
export function useTicketChange(projectId: string, ticketId: string) {
  const client = useQueryClient()
  return async (field: string, change: TicketChange): Promise<boolean> => {
    const words = ticketsText.done.field(field)
    const refused = await editTickets(client, projectId, [ticketId], () => change, words)
    return refused.length === 0
  }
}

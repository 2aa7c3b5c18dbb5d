import { useQueryClient } from '@tanstack/react-query'
import type { TicketChange } from '../../api/types.ts'
import { ticketsText } from '../../text/tickets.en.ts'
import { editTickets } from './edit-tickets.ts'

/** Changes the ticket on screen at once; a refusal puts the old value back, and its reason stands at the ticket. */
export function useTicketChange(projectId: string, ticketId: string) {
  const client = useQueryClient()
  return (field: string, change: TicketChange) =>
    void editTickets(client, projectId, [ticketId], () => change, {
      words: ticketsText.done.field(field),
      quiet: true,
    })
}

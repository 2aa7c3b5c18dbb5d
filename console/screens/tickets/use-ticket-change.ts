import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ticketsQuery, updateTicket } from '../../api/tickets.ts'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import type { TicketChange } from '../../api/types.ts'

/** Changes a ticket on screen at once; a refusal puts the old value back and says why. */
export function useTicketChange(projectId: string, ticketId: string) {
  const client = useQueryClient()
  const key = ticketsQuery(projectId).queryKey
  const put = (change: (ticket: Ticket) => Ticket) =>
    client.setQueryData(key, (known) =>
      known?.map((ticket) => (ticket.id === ticketId ? change(ticket) : ticket)),
    )
  return useMutation({
    mutationFn: (change: TicketChange) => updateTicket(projectId, ticketId, change),
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey: key })
      const before = client.getQueryData(key)?.find((ticket) => ticket.id === ticketId)
      put((ticket) => ({ ...ticket, ...change }))
      return { before }
    },
    onError: (_error, _change, context) => {
      const before = context?.before
      if (before) put(() => before)
    },
    onSuccess: (saved) => put(() => saved),
  })
}

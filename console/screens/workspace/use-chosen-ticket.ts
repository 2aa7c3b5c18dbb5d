import { useQuery } from '@tanstack/react-query'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { isNotFound } from '../../api/queries.ts'
import { recentTicketsQuery, ticketQuery } from '../../api/tickets.ts'
import { chooseTicket } from './selection.ts'

export interface Chosen {
  ticket: Ticket | null
  /** The address names a ticket this project lacks. */
  isMissing: boolean
  isPending: boolean
}

/** The ticket on screen: the one in the address, read by its id, or the one most likely meant. */
export function useChosenTicket(projectId: string, wanted: string | undefined): Chosen {
  const recent = useQuery({ ...recentTicketsQuery(projectId), enabled: wanted === undefined })
  const fallback = wanted === undefined ? chooseTicket(recent.data ?? []) : null
  const id = wanted ?? fallback?.id
  const one = useQuery({
    ...ticketQuery(projectId, id ?? ''),
    enabled: id !== undefined,
    ...(fallback && { placeholderData: fallback }),
  })
  return {
    ticket: (id === undefined ? null : one.data) ?? null,
    isMissing: isNotFound(one.error),
    isPending: id === undefined ? recent.isPending : one.isPending,
  }
}

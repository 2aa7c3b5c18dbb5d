import { useQuery } from '@tanstack/react-query'
import { ticketQuery } from '../../api/project/tickets.ts'

const FRESH_MS = 300_000

/** Returns the title of a ticket; null until it is loaded. A windowed list renders, and so loads, only its visible rows. */
export function useTicketTitle(projectId: string, ticketId: string): string | null {
  return useQuery({ ...ticketQuery(projectId, ticketId), staleTime: FRESH_MS }).data?.title ?? null
}

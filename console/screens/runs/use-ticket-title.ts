import { useQuery } from '@tanstack/react-query'
import { ticketQuery } from '../../api/project/tickets.ts'

const FRESH_MS = 300_000

/** Returns the title of a ticket; null until it is loaded. A windowed list renders only its visible rows, so only their titles are loaded. */
export function useTicketTitle(projectId: string, ticketId: string): string | null {
  return useQuery({ ...ticketQuery(projectId, ticketId), staleTime: FRESH_MS }).data?.title ?? null
}

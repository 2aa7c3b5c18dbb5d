import { useQuery } from '@tanstack/react-query'
import { ticketQuery } from '../../api/project/tickets.ts'

const FRESH_MS = 300_000

/** The title of a ticket; null until it is loaded. Loaded only for visible rows. */
export function useTicketTitle(projectId: string, ticketId: string): string | null {
  return useQuery({ ...ticketQuery(projectId, ticketId), staleTime: FRESH_MS }).data?.title ?? null
}

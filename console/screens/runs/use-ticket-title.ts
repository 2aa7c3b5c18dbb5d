import { useQuery } from '@tanstack/react-query'
import { ticketQuery } from '../../api/project/tickets.ts'

const FRESH_MS = 300_000

/** What a ticket is called; null until it is known. Rows out of sight ask for nothing. */
export function useTicketTitle(projectId: string, ticketId: string): string | null {
  return useQuery({ ...ticketQuery(projectId, ticketId), staleTime: FRESH_MS }).data?.title ?? null
}

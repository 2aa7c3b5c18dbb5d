import { queryOptions } from '@tanstack/react-query'
import { request } from './client.ts'
import type { Ticket, TicketChange } from './types.ts'

/** There is no project-wide stream: a visible tab reads the list again at this pace. */
const REREAD_MS = 15_000

export const ticketsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['tickets', 'list', projectId],
    queryFn: ({ signal }) =>
      request<Ticket[]>('GET', `/projects/${projectId}/tickets`, { query: { limit: '500' }, signal }),
    refetchInterval: REREAD_MS,
  })

export const readTicket = (projectId: string, ticketId: string) =>
  request<Ticket>('GET', `/projects/${projectId}/tickets/${ticketId}`)

/** Keeps a sentence as a ticket; the same key may be sent again. */
export const captureTicket = (projectId: string, sentence: string, idempotencyKey: string) =>
  request<Ticket>('POST', `/projects/${projectId}/tickets/capture`, {
    body: { text: sentence },
    headers: { 'Idempotency-Key': idempotencyKey },
  })

export const updateTicket = (projectId: string, ticketId: string, change: TicketChange) =>
  request<Ticket>('PATCH', `/projects/${projectId}/tickets/${ticketId}`, { body: change })

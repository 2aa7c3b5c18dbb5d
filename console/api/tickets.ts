import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import type { TicketChange } from './types.ts'

/** There is no project-wide stream: a visible tab reads the list again at this pace. */
const REREAD_MS = 15_000
const SHOWN_AT_MOST = 500

export const ticketsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['tickets', 'list', projectId],
    queryFn: ({ signal }) =>
      call(api.listTickets({ path: { projectId }, query: { limit: SHOWN_AT_MOST }, signal })),
    refetchInterval: REREAD_MS,
  })

export const readTicket = (projectId: string, ticketId: string) =>
  call(api.getTicket({ path: { projectId, ticketId } }))

export const ticketQuery = (projectId: string, ticketId: string) =>
  queryOptions({
    queryKey: ['tickets', 'one', projectId, ticketId],
    queryFn: () => readTicket(projectId, ticketId),
  })

/** Keeps a sentence as a ticket; the same key may be sent again. */
export const captureTicket = (projectId: string, sentence: string, idempotencyKey: string) =>
  call(
    api.captureTicket({
      path: { projectId },
      body: { text: sentence },
      headers: { 'Idempotency-Key': idempotencyKey },
    }),
  )

export const updateTicket = (projectId: string, ticketId: string, change: TicketChange) =>
  call(api.updateTicket({ path: { projectId, ticketId }, body: change }))

import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'
import type { TicketChange, TicketFilter } from '../types.ts'

/** The polling interval of the ticket counts while the tab is visible, because there is no stream of a project's changes. */
const COUNTS_REFETCH_MS = 15_000
const PAGE_SIZE = 100
/** Lists are refetched when the polled counts change (`use-remote-changes.ts`), so not on every window focus. */
const REFETCH_BY_COUNTS = { refetchOnWindowFocus: false }
/** How many recent tickets to load in order to choose one when the URL names none. */
const RECENT_LIMIT = 20

/** Identifies one page of the children of a ticket. The first page has an empty cursor. */
export interface TreePageKey {
  parent: string
  active: boolean
  cursor: string
}

export const recentTicketsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.tickets.recent(projectId),
    queryFn: ({ signal }) =>
      call(api.listTickets({ path: { projectId }, query: { limit: RECENT_LIMIT }, signal })),
  })

export const ticketQuery = (projectId: string, ticketId: string) =>
  queryOptions({
    queryKey: queryKeys.tickets.one(projectId, ticketId),
    queryFn: ({ signal }) => call(api.getTicket({ path: { projectId, ticketId }, signal })),
    staleTime: 0,
  })

/** The matching tickets, newest first, in pages. */
export const ticketPagesQuery = (projectId: string, filter: TicketFilter) =>
  infiniteQueryOptions({
    queryKey: queryKeys.tickets.pages(projectId, filter),
    queryFn: ({ pageParam, signal }) =>
      call(
        api.searchTickets({
          path: { projectId },
          query: { ...filter, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    ...REFETCH_BY_COUNTS,
  })

/** One page of the children of a ticket (`root`: of the top level), oldest first. */
export const ticketTreeQuery = (projectId: string, { parent, active, cursor }: TreePageKey) =>
  queryOptions({
    queryKey: queryKeys.tickets.tree(projectId, { parent, active, cursor }),
    queryFn: ({ signal }) =>
      call(
        api.getTicketTree({
          path: { projectId },
          query: { parent, active: active ? '1' : '0', limit: PAGE_SIZE, ...(cursor && { cursor }) },
          signal,
        }),
      ),
    ...REFETCH_BY_COUNTS,
  })

export const ticketStatsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.tickets.stats(projectId),
    queryFn: ({ signal }) => call(api.getTicketStats({ path: { projectId }, signal })),
    refetchInterval: COUNTS_REFETCH_MS,
    staleTime: 0,
  })

export const ticketLabelsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.tickets.labels(projectId),
    queryFn: ({ signal }) => call(api.listTicketLabels({ path: { projectId }, signal })),
  })

/** The rollups of these tickets: the counts of their descendants by status. */
export const ticketRollupsQuery = (projectId: string, ids: string[]) =>
  queryOptions({
    queryKey: queryKeys.tickets.rollups(projectId, ids),
    queryFn: ({ signal }) => call(api.getTicketRollups({ path: { projectId }, body: { ids }, signal })),
    enabled: ids.length > 0,
  })

export const readTicket = (projectId: string, ticketId: string) =>
  call(api.getTicket({ path: { projectId, ticketId } }))

/**
 * Creates a ticket from a sentence: a model writes the title and the other fields. Several requests with the
 * same key create only one ticket.
 */
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

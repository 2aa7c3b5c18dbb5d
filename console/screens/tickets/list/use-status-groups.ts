import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { ticketPagesQuery, ticketStatsQuery } from '../../../api/project/tickets.ts'
import type { TicketFilter, TicketStatus } from '../../../api/types.ts'
import type { StatusGroup } from './list-rows.ts'
import { hasFilter } from '../../../state/tickets/ticket-filter.ts'

const NO_TICKETS: Ticket[] = []

export type LiveGroup = StatusGroup & {
  /** Whether the tickets or their count are being loaded for the first time. */
  isFirstRead: boolean
  loadMore: () => void
  /** Whether any page is being loaded. The next one is loaded only after that. */
  isReading: boolean
  retry: () => void
}

/** The tickets of one status in pages, with their number; nothing is loaded while `isFolded`. */
export function useStatusGroup(
  projectId: string,
  filter: TicketFilter,
  status: TicketStatus,
  isFolded = false,
): LiveGroup {
  const stats = useQuery(ticketStatsQuery(projectId))
  const isOther = filter.status !== undefined && filter.status !== status
  const { status: _any, ...narrowing } = filter
  const counted = hasFilter(narrowing) ? null : (stats.data?.byStatus[status] ?? null)
  const isEmpty = isOther || counted === 0
  const query = useInfiniteQuery({
    ...ticketPagesQuery(projectId, { ...filter, status }),
    enabled: !isFolded && !isEmpty,
  })
  const loaded = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data])
  const tickets = isOther ? NO_TICKETS : loaded
  return {
    status,
    tickets,
    total: isOther ? 0 : (counted ?? (query.data && !query.hasNextPage ? tickets.length : null)),
    hasMore: query.hasNextPage && !isOther,
    isPending: query.isPending && !isEmpty,
    error: isOther ? null : query.error,
    isFolded,
    isFirstRead: query.isLoading || (stats.isLoading && !hasFilter(narrowing)),
    isReading: query.isFetching,
    loadMore: () => {
      if (query.hasNextPage && !query.isFetching) void query.fetchNextPage()
    },
    retry: () => void query.refetch(),
  }
}

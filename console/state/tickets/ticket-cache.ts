import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { queryKeys } from '../../api/query-keys.ts'
import {
  recentTicketsQuery,
  ticketQuery,
  ticketStatsQuery,
  type TreePageKey,
} from '../../api/project/tickets.ts'
import type { TicketFilter, TicketPage, TreePage, TreeTicket } from '../../api/types.ts'
import { matchesFilter } from './ticket-filter.ts'
import { updateTicketInPages } from './ticket-order.ts'
import { isOpen, recount } from './ticket-stats.ts'

/** Returns the newest cached copy of a ticket, from a list or from its own query; null when there is none. */
export function cachedTicket(client: QueryClient, projectId: string, ticketId: string): Ticket | null {
  const one = client.getQueryData(ticketQuery(projectId, ticketId).queryKey)
  const known = cachedTickets(client, projectId).filter(({ id }) => id === ticketId)
  // The copies can differ, because the lists were fetched at different times.
  const latest = (a: Ticket, b: Ticket) => (Date.parse(b.updatedAt) > Date.parse(a.updatedAt) ? b : a)
  return [...(one ? [one] : []), ...known].reduce<Ticket | null>((a, b) => (a ? latest(a, b) : b), null)
}

function cachedTickets(client: QueryClient, projectId: string): Ticket[] {
  const lists = client.getQueriesData<InfiniteData<TicketPage>>({
    queryKey: queryKeys.tickets.allPages(projectId),
  })
  return [
    ...lists.flatMap(([, data]) => data?.pages.flatMap((page) => page.items) ?? []),
    ...treePages(client, projectId).flatMap(([, page]) => page.items),
    ...(client.getQueryData(recentTicketsQuery(projectId).queryKey) ?? []),
  ]
}

/** Writes a changed or new ticket into every cached list and count to which it belongs. */
export function cacheTicket(client: QueryClient, projectId: string, ticket: Ticket): void {
  const before = cachedTicket(client, projectId, ticket.id)
  client.setQueryData(ticketQuery(projectId, ticket.id).queryKey, ticket)
  client.setQueryData(recentTicketsQuery(projectId).queryKey, (recent) =>
    recent?.map((other) => (other.id === ticket.id ? ticket : other)),
  )
  client.setQueryData(
    ticketStatsQuery(projectId).queryKey,
    (stats) => stats && recount(stats, before, ticket),
  )
  for (const query of client.getQueryCache().findAll({ queryKey: queryKeys.tickets.allPages(projectId) })) {
    const fits = matchesFilter(ticket, query.queryKey[3] as TicketFilter)
    client.setQueryData<InfiniteData<TicketPage>>(
      query.queryKey,
      (data) => data && { ...data, pages: updateTicketInPages(data.pages, ticket, fits) },
    )
  }
  putIntoTree(client, projectId, ticket, before)
}

/** Writes a new ticket into the cache as `cacheTicket` does, and makes it the first of the recent tickets. */
export function cacheNewTicket(client: QueryClient, projectId: string, ticket: Ticket): void {
  cacheTicket(client, projectId, ticket)
  client.setQueryData(recentTicketsQuery(projectId).queryKey, (recent) =>
    recent?.some(({ id }) => id === ticket.id) ? recent : recent && [ticket, ...recent],
  )
}

function treePages(client: QueryClient, projectId: string): [TreePageKey, TreePage][] {
  const found = client.getQueriesData<TreePage>({ queryKey: queryKeys.tickets.wholeTree(projectId) })
  return found.flatMap(([key, page]): [TreePageKey, TreePage][] =>
    page ? [[key[3] as TreePageKey, page]] : [],
  )
}

function putIntoTree(client: QueryClient, projectId: string, ticket: Ticket, before: Ticket | null): void {
  const pages = treePages(client, projectId)
  const node = pages.flatMap(([, page]) => page.items).find(({ id }) => id === ticket.id)
  const inTree: TreeTicket = {
    ...ticket,
    childCount: node?.childCount ?? 0,
    openChildCount: node?.openChildCount ?? 0,
  }
  const isCounted = before !== null && (before.parent !== ticket.parent || isOpen(before) !== isOpen(ticket))
  for (const [place, page] of pages) {
    const fits = (ticket.parent ?? 'root') === place.parent && (!place.active || isOpen(ticket))
    const isLast = page.nextCursor === null || page.items.some(({ id }) => id === ticket.id)
    const [placed] = updateTicketInPages([page], inTree, fits && isLast, false)
    const counted = isCounted ? placed?.items.map((item) => countChild(item, before, ticket)) : placed?.items
    if (counted)
      client.setQueryData<TreePage>(queryKeys.tickets.tree(projectId, place), { ...page, items: counted })
  }
}

/** Corrects the child counts of `item` when it is the old or the new parent of a ticket that was moved, closed or opened again. */
function countChild(item: TreeTicket, before: Ticket, ticket: Ticket): TreeTicket {
  const isChild = Number(ticket.parent === item.id)
  const wasChild = Number(before.parent === item.id)
  if (isChild + wasChild === 0) return item
  const open = isChild * Number(isOpen(ticket)) - wasChild * Number(isOpen(before))
  return {
    ...item,
    childCount: item.childCount + isChild - wasChild,
    // Not below 0: the tree may have been read after the change, and `before` earlier.
    openChildCount: Math.max(0, item.openChildCount + open),
  }
}

import type { Ticket } from '@slipway/sdk/client/types.gen.ts'

interface TicketPage<T> {
  items: T[]
  nextCursor: string | null
}

/** The order of the service's lists: by creation time, then by id. */
function isBefore(a: Ticket, b: Ticket, newestFirst: boolean): boolean {
  const apart = Date.parse(a.createdAt) - Date.parse(b.createdAt)
  if (apart !== 0) return newestFirst ? apart > 0 : apart < 0
  return newestFirst ? a.id > b.id : a.id < b.id
}

/**
 * Returns the pages with a changed ticket. The ticket is replaced, inserted if it now matches the filter (`fits`), or else removed. When
 * `fits` is null, the ticket stays where it is. A ticket that belongs beyond the loaded pages is not inserted, because a page loaded later
 * contains it.
 */
export function updateTicketInPages<T extends Ticket>(
  pages: TicketPage<T>[],
  ticket: T,
  fits: boolean | null,
  newestFirst = true,
): TicketPage<T>[] {
  const isThere = pages.some(({ items }) => items.some(({ id }) => id === ticket.id))
  if (isThere && fits !== false)
    return pages.map((page) => ({
      ...page,
      items: page.items.map((item) => (item.id === ticket.id ? ticket : item)),
    }))
  if (isThere)
    return pages.map((page) => ({ ...page, items: page.items.filter(({ id }) => id !== ticket.id) }))
  if (fits !== true) return pages
  const at = pages.findIndex(
    ({ items, nextCursor }) =>
      nextCursor === null || items.some((item) => isBefore(ticket, item, newestFirst)),
  )
  return pages.map((page, index) =>
    index === at ? { ...page, items: insertOrdered(page.items, ticket, newestFirst) } : page,
  )
}

function insertOrdered<T extends Ticket>(items: T[], ticket: T, newestFirst: boolean): T[] {
  const at = items.findIndex((item) => isBefore(ticket, item, newestFirst))
  return at < 0 ? [...items, ticket] : items.toSpliced(at, 0, ticket)
}

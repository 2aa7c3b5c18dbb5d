import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import type { TicketFilter } from '../../api/types.ts'

/** Whether a ticket matches a filter. Null when only the service can tell, as for a text search. */
export function matchesFilter(ticket: Ticket, filter: TicketFilter): boolean | null {
  const isOther =
    (filter.status !== undefined && filter.status !== ticket.status) ||
    (filter.type !== undefined && filter.type !== ticket.type) ||
    (filter.priority !== undefined && filter.priority !== ticket.priority) ||
    (filter.label !== undefined && !ticket.labels.includes(filter.label))
  if (isOther) return false
  return filter.q ? null : true
}

/** Whether any filter is set. With a filter, the counts of the whole project do not fit the list. */
export const hasFilter = (filter: TicketFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined && value !== '')

/** The filter without empty parts, for requests and cache keys. */
export const cleanFilter = (filter: TicketFilter): TicketFilter =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value !== ''))

/** The URL parameters of an empty filter, which remove all filters from the URL. */
export const NO_FILTER = {
  q: undefined,
  status: undefined,
  type: undefined,
  priority: undefined,
  label: undefined,
} as const satisfies Record<keyof TicketFilter, undefined>

import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import type { TicketFilter } from '../../../api/types.ts'

/** Whether a ticket is one of those a list shows; null when only the service knows, as for a text. */
export function fitsFilter(ticket: Ticket, filter: TicketFilter): boolean | null {
  const isOther =
    (filter.status !== undefined && filter.status !== ticket.status) ||
    (filter.type !== undefined && filter.type !== ticket.type) ||
    (filter.priority !== undefined && filter.priority !== ticket.priority) ||
    (filter.label !== undefined && !ticket.labels.includes(filter.label))
  if (isOther) return false
  return filter.q ? null : true
}

/** Something narrows the list, so the counts of the whole project say nothing about it. */
export const isNarrowed = (filter: TicketFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined && value !== '')

/** Without the parts that say nothing: what is sent, and what the cache is named by. */
export const cleanFilter = (filter: TicketFilter): TicketFilter =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value !== ''))

/** In the address: nothing narrows the list. */
export const NO_FILTER = {
  q: undefined,
  status: undefined,
  type: undefined,
  priority: undefined,
  label: undefined,
} as const satisfies Record<keyof TicketFilter, undefined>

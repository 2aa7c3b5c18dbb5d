import type { Ticket, TicketStats } from '@slipway/sdk/client/types.gen.ts'
import type { TicketStatus } from '../../api/types.ts'

const CLOSED_STATUSES: ReadonlySet<TicketStatus> = new Set(['done', 'cancelled'])

/** Whether a ticket is neither done nor cancelled. */
export const isOpen = (ticket: Pick<Ticket, 'status'>): boolean => !CLOSED_STATUSES.has(ticket.status)

/** Whether a ticket is open and was due before `now`. */
export const isOverdue = (ticket: Pick<Ticket, 'status' | 'dueAt'>, now: number): boolean =>
  isOpen(ticket) && ticket.dueAt !== null && Date.parse(ticket.dueAt) < now

/** Returns the counts after a change of a ticket. `before` is null for a new ticket. */
export function recount(
  stats: TicketStats,
  before: Ticket | null,
  after: Ticket,
  now = Date.now(),
): TicketStats {
  const next = structuredClone(stats)
  const addToStats = (ticket: Ticket, n: 1 | -1) => {
    next.total += n
    if (isOpen(ticket)) next.open += n
    if (isOverdue(ticket, now)) next.overdue += n
    next.byStatus[ticket.status] += n
    next.byType[ticket.type] += n
    next.byPriority[ticket.priority] += n
  }
  if (before) addToStats(before, -1)
  addToStats(after, 1)
  return next
}

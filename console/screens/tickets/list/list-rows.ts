import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import type { TicketStatus } from '../../../api/types.ts'

/** The order of the statuses in a list: statuses in progress first, closed statuses last. */
export const LIST_ORDER = [
  'in_progress',
  'in_review',
  'todo',
  'backlog',
  'done',
  'cancelled',
] as const satisfies TicketStatus[]

export interface StatusGroup {
  status: TicketStatus
  tickets: Ticket[]
  /** The total number of tickets. Null when only the number of loaded tickets is known. */
  total: number | null
  hasMore: boolean
  isPending: boolean
  error: unknown
  isFolded: boolean
}

export type ListRow =
  | { kind: 'group'; key: string; group: StatusGroup }
  | { kind: 'pending'; key: string; sentence: string }
  | { kind: 'ticket'; key: string; ticket: Ticket }
  | { kind: 'more' | 'loading' | 'failed'; key: string; group: StatusGroup }

/**
 * Returns the rows of the list from top to bottom, without statuses that have no ticket. Each status is fetched by a separate request, so a
 * ticket whose status has just changed may be in two responses. The newer copy is shown.
 */
export function listRows(groups: StatusGroup[], pending: string[]): ListRow[] {
  const newest = new Map<string, Ticket>()
  for (const ticket of groups.flatMap(({ tickets }) => tickets)) {
    const other = newest.get(ticket.id)
    if (other === undefined || other.updatedAt < ticket.updatedAt) newest.set(ticket.id, ticket)
  }
  return groups.flatMap((group): ListRow[] => {
    // A sentence that is sent twice becomes one ticket, so show it once.
    const sentences = group.status === 'todo' ? [...new Set(pending)] : []
    const isEmpty = group.tickets.length === 0 && !group.hasMore && sentences.length === 0
    if (group.isFolded) return group.total === 0 ? [] : [groupHeadRow(group)]
    if (isEmpty && !group.error && !(group.isPending && group.total !== 0)) return []
    const rest = lastRowKind(group)
    return [
      groupHeadRow(group),
      ...sentences.map((sentence): ListRow => ({ kind: 'pending', key: `pending-${sentence}`, sentence })),
      ...group.tickets
        .filter((ticket) => newest.get(ticket.id) === ticket)
        .map((ticket): ListRow => ({ kind: 'ticket', key: ticket.id, ticket })),
      ...(rest ? [{ kind: rest, key: `${rest}-${group.status}`, group }] : []),
    ]
  })
}

const groupHeadRow = (group: StatusGroup): ListRow => ({ kind: 'group', key: `group-${group.status}`, group })

function lastRowKind(group: StatusGroup): 'more' | 'loading' | 'failed' | null {
  if (group.error) return 'failed'
  if (group.isPending) return 'loading'
  return group.hasMore ? 'more' : null
}

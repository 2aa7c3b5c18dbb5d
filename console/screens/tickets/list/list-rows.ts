import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import type { TicketStatus } from '../../../api/types.ts'

/** The order of the statuses in a list: those in progress first, closed ones last. */
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
  /** The number of tickets; null when only the loaded ones are known. */
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
 * The rows of the list from top to bottom; a status without tickets has none. The statuses are read one by one, so a
 * ticket that has just moved is in two of them for a moment: the newer one counts.
 */
export function listRows(groups: StatusGroup[], pending: string[]): ListRow[] {
  const newest = new Map<string, Ticket>()
  for (const ticket of groups.flatMap(({ tickets }) => tickets)) {
    const other = newest.get(ticket.id)
    if (other === undefined || other.updatedAt < ticket.updatedAt) newest.set(ticket.id, ticket)
  }
  return groups.flatMap((group): ListRow[] => {
    const sentences = group.status === 'todo' ? pending : []
    const isEmpty = group.tickets.length === 0 && !group.hasMore && sentences.length === 0
    if (group.isFolded) return group.total === 0 ? [] : [headOf(group)]
    if (isEmpty && !group.error && !(group.isPending && group.total !== 0)) return []
    const rest = restOf(group)
    return [
      headOf(group),
      ...sentences.map((sentence): ListRow => ({ kind: 'pending', key: `pending-${sentence}`, sentence })),
      ...group.tickets
        .filter((ticket) => newest.get(ticket.id) === ticket)
        .map((ticket): ListRow => ({ kind: 'ticket', key: ticket.id, ticket })),
      ...(rest ? [{ kind: rest, key: `${rest}-${group.status}`, group }] : []),
    ]
  })
}

const headOf = (group: StatusGroup): ListRow => ({ kind: 'group', key: `group-${group.status}`, group })

function restOf(group: StatusGroup): 'more' | 'loading' | 'failed' | null {
  if (group.error) return 'failed'
  if (group.isPending) return 'loading'
  return group.hasMore ? 'more' : null
}

/** The ticket that takes the cursor when this one is removed: the next one, at the end the previous one. */
export function besideOf(ids: string[], id: string): string | null {
  const at = ids.indexOf(id)
  return at < 0 ? null : (ids[at + 1] ?? ids[at - 1] ?? null)
}

/** The ticket the cursor moves to; the first one when there is no cursor. */
export function neighbour(ids: string[], from: string | null, step: 1 | -1): string | null {
  const at = from === null ? -1 : ids.indexOf(from)
  if (at < 0) return ids[0] ?? null
  return ids[Math.min(ids.length - 1, Math.max(0, at + step))] ?? null
}

import { useState } from 'react'
import { TICKET_STATUSES, type TicketStatus } from '../../../api/types.ts'
import { readChoice, storeChoice } from '../../../lib/stored-choice.ts'

const STORAGE_KEY = 'slipway.tickets.folded'
const FOLDED_BY_DEFAULT = 'done,cancelled'

/**
 * The folded statuses of the list. Closed statuses are folded by default, and the choice is stored in this
 * browser. For search results there is a separate choice, which starts with all statuses unfolded and is not
 * stored.
 */
export function useCollapsedStatuses(
  isSearch: boolean,
): [ReadonlySet<TicketStatus>, (status: TicketStatus) => void] {
  const [kept, setKept] = useState(readFolded)
  const [ofSearch, setOfSearch] = useState<ReadonlySet<TicketStatus>>(new Set())
  const folded = isSearch ? ofSearch : kept
  const toggle = (status: TicketStatus) => {
    const next = new Set(folded)
    if (!next.delete(status)) next.add(status)
    if (isSearch) return setOfSearch(next)
    setKept(next)
    storeFolded(next)
  }
  return [folded, toggle]
}

function readFolded(): Set<TicketStatus> {
  const kept = (readChoice(STORAGE_KEY) ?? FOLDED_BY_DEFAULT).split(',')
  return new Set(TICKET_STATUSES.filter((status) => kept.includes(status)))
}

function storeFolded(folded: Set<TicketStatus>): void {
  storeChoice(STORAGE_KEY, [...folded].join(','))
}

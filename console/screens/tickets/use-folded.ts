import { useState } from 'react'
import type { TicketStatus } from '../../api/types.ts'

const KEY = 'slipway.tickets.folded'
const AT_FIRST = 'done,cancelled'

/** Which statuses of the list are folded: what is over, until somebody wants otherwise; kept in this browser. */
export function useFolded(): [ReadonlySet<TicketStatus>, (status: TicketStatus) => void] {
  const [folded, setFolded] = useState(read)
  const toggle = (status: TicketStatus) => {
    const next = new Set(folded)
    if (!next.delete(status)) next.add(status)
    setFolded(next)
    store(next)
  }
  return [folded, toggle]
}

function read(): Set<TicketStatus> {
  try {
    return new Set((localStorage.getItem(KEY) ?? AT_FIRST).split(',') as TicketStatus[])
  } catch {
    return new Set(AT_FIRST.split(',') as TicketStatus[])
  }
}

function store(folded: Set<TicketStatus>): void {
  try {
    localStorage.setItem(KEY, [...folded].join(','))
  } catch {
    // Without storage the choice lasts until the page is left.
  }
}

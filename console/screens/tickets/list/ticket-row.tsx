import { memo } from 'react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { usePane } from '../../../state/tickets/pane-context.ts'
import { MarkBox } from '../fields/mark-box.tsx'
import { useIsMarked } from '../../../state/tickets/mark-store.ts'
import { RefusalNote } from '../fields/refusal-note.tsx'
import { StatusButton } from '../fields/status-button.tsx'
import { TicketMeta } from '../fields/ticket-meta.tsx'
import { TitleButton } from '../fields/title-button.tsx'

interface TicketRowProps {
  ticket: Ticket
  now: number
  /** Only the row with the cursor is reached by Tab. */
  isReached: boolean
}

export const TicketRow = memo(function TicketRow({ ticket, now, isReached }: TicketRowProps) {
  const { chosen, marks } = usePane()
  const isMarked = useIsMarked(marks, ticket.id)
  const tabIndex = isReached ? 0 : -1
  return (
    <div
      className={`group/ticket relative flex items-start rounded-lg py-1.5 pr-2 ${rowColour(chosen === ticket.id, isMarked)}`}
    >
      <div role="cell">
        <MarkBox ticket={ticket} tabIndex={tabIndex} />
      </div>
      <div role="cell" className="relative z-10 shrink-0">
        <StatusButton ticket={ticket} tabIndex={tabIndex} />
      </div>
      <div role="cell" className="min-w-0 flex-1 pl-1">
        <TitleButton ticket={ticket} tabIndex={tabIndex} clamp="line-clamp-2" />
        <TicketMeta ticket={ticket} now={now} />
        <RefusalNote ticketId={ticket.id} />
      </div>
    </div>
  )
})

function rowColour(isCurrent: boolean, isMarked: boolean): string {
  if (isMarked) return 'bg-tide-tint ring-1 ring-tide-line ring-inset'
  return isCurrent ? 'bg-kumo-base shadow-sm ring-1 ring-kumo-line' : 'hover:bg-kumo-tint'
}

import { memo } from 'react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { usePane } from '../../../state/tickets/pane-context.ts'
import { MarkBox } from '../fields/mark-box.tsx'
import { useIsMarked } from '../../../state/tickets/mark-store.ts'
import { RefusalNote } from '../fields/refusal-note.tsx'
import { StatusButton } from '../fields/status-button.tsx'
import { TicketMeta } from '../fields/ticket-meta.tsx'
import { TitleButton } from '../fields/title-button.tsx'
import { useCardDrag } from './use-drag.ts'

interface BoardCardProps {
  ticket: Ticket
  now: number
  isReached: boolean
}

/** One ticket on the board. A person moves it to another status by dragging it or with the menu of its status button. */
export const BoardCard = memo(function BoardCard({ ticket, now, isReached }: BoardCardProps) {
  const { chosen, marks } = usePane()
  const { ref, isDragged } = useCardDrag(ticket)
  const isMarked = useIsMarked(marks, ticket.id)
  const tabIndex = isReached ? 0 : -1
  return (
    <article
      ref={ref}
      className={`group/ticket relative flex flex-col gap-1 rounded-lg bg-kumo-base p-1.5 pb-2 shadow-xs ring-1 ${cardColour(chosen === ticket.id, isMarked)} ${isDragged ? 'opacity-40' : ''}`}
    >
      <div className="flex items-start gap-0.5">
        <span className="relative z-10 shrink-0">
          <StatusButton ticket={ticket} tabIndex={tabIndex} />
        </span>
        <TitleButton ticket={ticket} tabIndex={tabIndex} clamp="line-clamp-4" />
        <MarkBox ticket={ticket} tabIndex={tabIndex} />
      </div>
      <div className="pl-1.5 empty:hidden">
        <TicketMeta ticket={ticket} now={now} />
      </div>
      <RefusalNote ticketId={ticket.id} />
    </article>
  )
})

function cardColour(isCurrent: boolean, isMarked: boolean): string {
  if (isMarked) return 'ring-2 ring-tide'
  return isCurrent ? 'ring-2 ring-kumo-focus' : 'ring-kumo-line hover:ring-kumo-interact'
}

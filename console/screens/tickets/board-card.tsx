import { memo } from 'react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { ticketsText } from '../../text/tickets.en.ts'
import { useDesk } from './desk.ts'
import { useIsMarked } from './mark-store.ts'
import { RefusalNote } from './refusal-note.tsx'
import { StatusButton } from './status-button.tsx'
import { TicketMeta } from './ticket-meta.tsx'
import { useCardDrag } from './use-drag.ts'

interface BoardCardProps {
  ticket: Ticket
  now: number
  isReached: boolean
}

/** One ticket on the board: dragged to another status, or moved there by its menu. */
export const BoardCard = memo(function BoardCard({ ticket, now, isReached }: BoardCardProps) {
  const { chosen, choose, marks, order } = useDesk()
  const { ref, isDragged } = useCardDrag(ticket)
  const isCurrent = chosen === ticket.id
  const isMarked = useIsMarked(marks, ticket.id)
  const tabIndex = isReached ? 0 : -1
  return (
    <article
      ref={ref}
      className={`group/card relative flex flex-col gap-1.5 rounded-lg bg-kumo-base p-2 shadow-xs ring-1 ${cardColour(isCurrent, isMarked)} ${isDragged ? 'opacity-40' : ''}`}
    >
      <div className="flex items-start gap-1.5">
        <span className="relative z-10 -my-0.5 -ml-0.5 shrink-0">
          <StatusButton ticket={ticket} tabIndex={tabIndex} />
        </span>
        <button
          type="button"
          data-ticket={ticket.id}
          aria-current={isCurrent ? 'true' : undefined}
          tabIndex={tabIndex}
          onFocus={() => marks.moveTo(ticket.id)}
          onClick={() => choose(ticket)}
          className={`line-clamp-4 min-w-0 flex-1 cursor-pointer text-left leading-5 pointer-coarse:py-1 break-words outline-none after:absolute after:inset-0 after:rounded-lg focus-visible:after:outline-2 focus-visible:after:outline-kumo-focus ${isCurrent ? 'font-medium text-kumo-strong' : 'text-kumo-default'}`}
        >
          {ticket.title}
        </button>
        <input
          type="checkbox"
          aria-label={ticketsText.select(ticket.title)}
          checked={isMarked}
          tabIndex={tabIndex}
          onChange={() => marks.toggle(ticket.id)}
          onClick={(event) => {
            if (!event.shiftKey) return
            event.preventDefault()
            marks.extendTo(ticket.id, order.current())
          }}
          className={`relative z-10 mt-0.5 size-4 shrink-0 cursor-pointer before:absolute before:-inset-1 focus-visible:opacity-100 pointer-coarse:opacity-100 ${isMarked ? '' : 'opacity-0 group-hover/card:opacity-100'}`}
        />
      </div>
      <TicketMeta ticket={ticket} now={now} />
      <RefusalNote ticketId={ticket.id} />
    </article>
  )
})

function cardColour(isCurrent: boolean, isMarked: boolean): string {
  if (isMarked) return 'ring-2 ring-tide'
  return isCurrent ? 'ring-2 ring-kumo-focus' : 'ring-kumo-line hover:ring-kumo-interact'
}

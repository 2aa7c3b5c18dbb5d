import { memo } from 'react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { ticketsText } from '../../text/tickets.en.ts'
import { useDesk } from './desk.ts'
import { useIsMarked } from './mark-store.ts'
import { RefusalNote } from './refusal-note.tsx'
import { StatusButton } from './status-button.tsx'
import { TicketMeta } from './ticket-meta.tsx'

interface TicketRowProps {
  ticket: Ticket
  now: number
  /** The row the keyboard stands on is the only one that Tab reaches. */
  isReached: boolean
}

/** One ticket in the list: its box, its status to change in place, and its title that opens it. */
export const TicketRow = memo(function TicketRow({ ticket, now, isReached }: TicketRowProps) {
  const { chosen, choose, marks, order } = useDesk()
  const isCurrent = chosen === ticket.id
  const isMarked = useIsMarked(marks, ticket.id)
  const tabIndex = isReached ? 0 : -1
  return (
    <div
      className={`group/row relative flex items-start rounded-lg py-1.5 pr-2 ${rowColour(isCurrent, isMarked)}`}
    >
      <div role="cell" className="relative z-10 grid h-6 w-6 shrink-0 place-items-center pointer-coarse:h-8">
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
          className={`size-4 cursor-pointer before:absolute before:inset-0 focus-visible:opacity-100 pointer-coarse:opacity-100 ${isMarked ? '' : 'opacity-0 group-hover/row:opacity-100'}`}
        />
      </div>
      <div role="cell" className="relative z-10 shrink-0">
        <StatusButton ticket={ticket} tabIndex={tabIndex} />
      </div>
      <div role="cell" className="min-w-0 flex-1 pl-1">
        <button
          type="button"
          data-ticket={ticket.id}
          aria-current={isCurrent ? 'true' : undefined}
          tabIndex={tabIndex}
          onFocus={() => marks.moveTo(ticket.id)}
          onClick={() => choose(ticket)}
          className={`line-clamp-2 w-full cursor-pointer text-left py-0.5 leading-5 break-words pointer-coarse:py-1.5 outline-none after:absolute after:inset-0 after:rounded-lg focus-visible:after:outline-2 focus-visible:after:outline-kumo-focus ${isCurrent ? 'font-medium text-kumo-strong' : 'text-kumo-default'}`}
        >
          {ticket.title}
        </button>
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

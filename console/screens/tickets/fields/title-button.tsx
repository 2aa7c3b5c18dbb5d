import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { usePane } from '../../../state/tickets/pane-context.ts'

interface TitleButtonProps {
  ticket: Ticket
  tabIndex: number
  clamp: 'line-clamp-2' | 'line-clamp-4'
}

/** The title of a ticket as a button that opens the ticket. Its clickable area is the whole row or card. */
export function TitleButton({ ticket, tabIndex, clamp }: TitleButtonProps) {
  const { chosen, choose, marks } = usePane()
  const isCurrent = chosen === ticket.id
  return (
    <button
      type="button"
      data-ticket={ticket.id}
      aria-current={isCurrent ? 'true' : undefined}
      tabIndex={tabIndex}
      onFocus={() => marks.moveTo(ticket.id)}
      onClick={() => choose(ticket)}
      className="block w-full min-w-0 cursor-pointer py-0.5 text-left outline-none after:absolute after:inset-0 after:rounded-lg focus-visible:after:outline-2 focus-visible:after:outline-kumo-focus pointer-coarse:py-1.5"
    >
      <span
        className={`${clamp} leading-5 break-words ${isCurrent ? 'font-medium text-kumo-strong' : 'text-kumo-default'}`}
      >
        {ticket.title}
      </span>
    </button>
  )
}

import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { usePane } from '../../../state/tickets/pane-context.ts'
import { useIsMarked } from '../../../state/tickets/mark-store.ts'

/**
 * The checkbox that selects a ticket, or with Shift a range of tickets. With a mouse it is visible only when the row is
 * hovered or selected.
 */
export function MarkBox({ ticket, tabIndex }: { ticket: Ticket; tabIndex: number }) {
  const { marks, order } = usePane()
  const isMarked = useIsMarked(marks, ticket.id)
  return (
    <label className="relative z-10 grid size-6 shrink-0 cursor-pointer place-items-center pointer-coarse:size-8">
      <input
        type="checkbox"
        aria-label={ticketsText.select(ticket.title)}
        checked={isMarked}
        tabIndex={tabIndex}
        onChange={({ nativeEvent }) => {
          if (nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            marks.extendTo(ticket.id, order.current())
          else marks.toggle(ticket.id)
        }}
        className={`size-4 cursor-pointer focus-visible:opacity-100 pointer-coarse:opacity-100 ${isMarked ? '' : 'opacity-0 group-hover/ticket:opacity-100'}`}
      />
    </label>
  )
}

import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { workText } from '../../../text/workspace.en.ts'
import { usePane } from '../../../state/tickets/pane-context.ts'
import { StatusIcon } from '../../../ui/page/status-icon.tsx'

/** Shows the status of a ticket and opens a menu to change it, as keyboards cannot drag a card. */
export function StatusButton({ ticket, tabIndex }: { ticket: Ticket; tabIndex?: number }) {
  const { open } = usePane()
  const label = ticketsText.setStatus(workText.tickets.status[ticket.status], ticket.title)
  return (
    <button
      type="button"
      data-status-of={ticket.id}
      aria-label={label}
      aria-haspopup="menu"
      title={workText.tickets.status[ticket.status]}
      tabIndex={tabIndex}
      onClick={(event) => open({ kind: 'status', ids: [ticket.id], anchor: event.currentTarget })}
      className="grid size-6 cursor-pointer place-items-center rounded-md hover:bg-kumo-fill pointer-coarse:size-8"
    >
      <StatusIcon status={ticket.status} className="size-4" />
    </button>
  )
}

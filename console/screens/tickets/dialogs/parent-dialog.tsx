import { ArrowLineUpIcon } from '@phosphor-icons/react'
import { useQueryClient } from '@tanstack/react-query'
import { ticketsText } from '../../../text/tickets.en.ts'
import { editTickets } from '../../../state/tickets/edit-tickets.ts'
import { cachedTicket } from '../../../state/tickets/ticket-cache.ts'
import { TicketSearchDialog } from './ticket-search-dialog.tsx'

const parentDialogText = ticketsText.parentDialog

/** Moves a ticket below another one, or to the top level. An error is shown at the ticket. */
export function ParentDialog(props: { projectId: string; ticketId: string; onClose: () => void }) {
  const { projectId, ticketId, onClose } = props
  const client = useQueryClient()
  const ticket = cachedTicket(client, projectId, ticketId)
  const move = (parent: string | null) => {
    onClose()
    if (parent === ticket?.parent) return
    void editTickets(client, projectId, [ticketId], () => ({ parent }), ticketsText.done.parent)
  }
  const icon = <ArrowLineUpIcon className="size-4 shrink-0 text-tide" aria-hidden="true" />
  return (
    <TicketSearchDialog
      projectId={projectId}
      words={{
        title: parentDialogText.title,
        hint: parentDialogText.hint(ticket?.title ?? ''),
        find: parentDialogText.find,
      }}
      offers={({ id }) => id !== ticketId}
      current={ticket?.parent ?? null}
      first={
        ticket?.parent != null ? { icon, words: parentDialogText.top, onChoose: () => move(null) } : null
      }
      onChoose={move}
      onClose={onClose}
    />
  )
}

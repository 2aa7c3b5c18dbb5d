import { useQueryClient } from '@tanstack/react-query'
import { PRIORITIES, TICKET_STATUSES, type TicketPriority, type TicketStatus } from '../../../api/types.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { workText } from '../../../text/workspace.en.ts'
import { ChoiceMenu } from '../../../ui/controls/choice-menu.tsx'
import { type MenuKind, usePane } from '../../../state/tickets/pane-context.ts'
import { editTickets } from '../../../state/tickets/edit-tickets.ts'
import { PriorityIcon } from '../fields/priority-mark.tsx'
import { setStatus } from '../fields/set-status.ts'
import { StatusIcon } from '../../../ui/page/status-icon.tsx'
import { cachedTicket } from '../../../state/tickets/ticket-cache.ts'

const STATUS_OPTIONS = TICKET_STATUSES.map((value) => ({
  value,
  label: workText.tickets.status[value],
  icon: <StatusIcon status={value} className="size-4" />,
}))
const PRIORITY_CHOICES = PRIORITIES.map((value) => ({
  value,
  label: workText.tickets.priority[value],
  icon: <PriorityIcon priority={value} />,
}))

export function FieldMenu(props: {
  kind: MenuKind
  ids: string[]
  anchor: HTMLElement
  onClose: () => void
}) {
  const { kind, ids, anchor, onClose } = props
  const pane = usePane()
  const client = useQueryClient()
  const held = ids.map((id) => cachedTicket(client, pane.projectId, id)?.[kind])
  const common = held.every((value) => value === held[0]) ? held[0] : undefined
  const shared = { anchor, onClose }
  return kind === 'status' ? (
    <ChoiceMenu
      {...shared}
      label={ticketsText.statusMenu}
      choices={STATUS_OPTIONS}
      value={(common as TicketStatus | undefined) ?? null}
      onChoose={(status) => void setStatus(client, pane, ids, status)}
    />
  ) : (
    <ChoiceMenu
      {...shared}
      label={ticketsText.priorityMenu}
      choices={PRIORITY_CHOICES}
      value={(common as TicketPriority | undefined) ?? null}
      onChoose={(priority) => {
        const words = ticketsText.done.priority(ids.length, workText.tickets.priority[priority])
        void editTickets(
          client,
          pane.projectId,
          ids,
          (ticket) => (ticket.priority === priority ? {} : { priority }),
          words,
        )
      }}
    />
  )
}

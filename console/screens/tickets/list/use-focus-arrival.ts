import { useEffect, useEffectEvent } from 'react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { readFocus } from '../../../shell/keys/shortcut-gate.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { workText } from '../../../text/workspace.en.ts'
import { usePane } from '../../../state/tickets/pane-context.ts'
import { useFocusRequest } from '../../../state/tickets/mark-store.ts'

/**
 * Scrolls to the ticket that should get the focus and focuses it as soon as it is in this list, unless the user then types into a field.
 * Announces the new position of a moved ticket.
 */
export function useFocusArrival(
  tickets: Ticket[],
  reveal: (ticketId: string) => void,
  totalOf: (status: Ticket['status']) => number | null,
): void {
  const { marks, announce } = usePane()
  const wanted = useFocusRequest(marks)
  const arrive = useEffectEvent((id: string, status: Ticket['status'] | null) => {
    const ticket = tickets.find((other) => other.id === id)
    if (!ticket || (status !== null && ticket.status !== status)) return
    if (status !== null) {
      const beside = tickets.filter((other) => other.status === status)
      const place = beside.findIndex((other) => other.id === id) + 1
      const count = totalOf(status) ?? beside.length
      announce(ticketsText.moved(workText.tickets.status[status], place, count))
    }
    marks.arrived()
    // The user may have begun to type since the focus was requested.
    if (readFocus(document.activeElement).inField) return
    reveal(id)
    focusSoon(id)
  })
  useEffect(() => {
    if (wanted) arrive(wanted.id, wanted.status)
  }, [wanted, tickets])
}

/** Focuses the ticket once its row is rendered, which takes one or two animation frames after scrolling to it. */
function focusSoon(id: string, tries = 10): void {
  requestAnimationFrame(() => {
    const button = document.querySelector<HTMLElement>(`[data-ticket="${CSS.escape(id)}"]`)
    if (button) button.focus({ preventScroll: true })
    else if (tries > 0) focusSoon(id, tries - 1)
  })
}

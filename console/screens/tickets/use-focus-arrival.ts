import { useEffect, useEffectEvent, useRef } from 'react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { useDesk } from './desk.ts'
import { useWantedFocus } from './mark-store.ts'

/**
 * Brings the focus to the ticket that is to have it, scrolling there first. A ticket that has left the view gives
 * the focus to the one that took its place.
 */
export function useFocusArrival(tickets: Ticket[], reveal: (ticketId: string) => void): void {
  const { marks } = useDesk()
  const wanted = useWantedFocus(marks)
  const lastAt = useRef(0)
  const arrive = useEffectEvent((id: string, status: string | null) => {
    const at = tickets.findIndex((ticket) => ticket.id === id)
    if (at >= 0 && status !== null && tickets[at]?.status !== status) {
      lastAt.current = at
      return
    }
    const here = tickets[at >= 0 ? at : Math.min(lastAt.current, tickets.length - 1)]
    if (!here) return marks.arrived()
    reveal(here.id)
    marks.moveTo(here.id)
    focusSoon(here.id, () => marks.arrived())
  })
  useEffect(() => {
    if (wanted) arrive(wanted.id, wanted.status)
  }, [wanted, tickets])
}

/** A row that was scrolled to is drawn a frame or two later. */
function focusSoon(id: string, done: () => void, tries = 10): void {
  requestAnimationFrame(() => {
    const button = document.querySelector<HTMLElement>(`[data-ticket="${CSS.escape(id)}"]`)
    if (button === null && tries > 0) return focusSoon(id, done, tries - 1)
    button?.focus({ preventScroll: true })
    done()
  })
}

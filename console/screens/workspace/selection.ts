import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { isOpen } from '../../state/tickets/ticket-stats.ts'

/** Returns the ticket to show when the URL names none: the ticket being built, otherwise the newest open ticket. */
export function chooseTicket(recent: Ticket[]): Ticket | null {
  const busy = recent.find((ticket) => ticket.build.state === 'running' || ticket.build.state === 'awaiting')
  return busy ?? recent.find(isOpen) ?? recent[0] ?? null
}

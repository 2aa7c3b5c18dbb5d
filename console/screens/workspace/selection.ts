import type { Ticket } from '@slipway/sdk/client/types.gen.ts'

const CLOSED = new Set(['done', 'cancelled'])

/** The ticket on screen: the one in the address, else the one being built, else the newest open one. */
export function chooseTicket(tickets: Ticket[], wanted: string | undefined): Ticket | null {
  if (wanted) {
    const named = tickets.find((ticket) => ticket.id === wanted)
    if (named) return named
  }
  const busy = tickets.find((ticket) => ticket.build.state === 'running' || ticket.build.state === 'awaiting')
  return busy ?? tickets.find(isOpen) ?? tickets[0] ?? null
}

export const isOpen = (ticket: Ticket) => !CLOSED.has(ticket.status)

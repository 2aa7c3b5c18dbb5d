import { useSyncExternalStore } from 'react'

let asked: string | null = null
const listeners = new Set<() => void>()

/** The title of this ticket is to become a field as soon as its page is on screen; null when it has. */
export function askForTitle(ticketId: string | null): void {
  asked = ticketId
  for (const listener of listeners) listener()
}

/** Whether the title of this ticket was asked for. */
export const useTitleRequest = (ticketId: string): boolean =>
  useSyncExternalStore(subscribe, () => asked === ticketId)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

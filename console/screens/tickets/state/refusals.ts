import { useSyncExternalStore } from 'react'

const refused = new Map<string, unknown>()
const listeners = new Set<() => void>()

/** Remembers why the last change of a ticket was refused, so that it can be said where the ticket stands. */
export function setRefusal(ticketId: string, error: unknown): void {
  refused.set(ticketId, error)
  tell()
}

/** The next try, or a person who has read it, clears the refusal. */
export function clearRefusal(ticketId: string): void {
  if (refused.delete(ticketId)) tell()
}

/** Why the last change of this ticket was refused; null when it was not. */
export const useRefusal = (ticketId: string): unknown =>
  useSyncExternalStore(subscribe, () => refused.get(ticketId) ?? null)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tell(): void {
  for (const listener of listeners) listener()
}

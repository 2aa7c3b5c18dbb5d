import { createStore, useStore } from '../../../lib/store.ts'

const refused = createStore<ReadonlyMap<string, unknown>>(new Map())

/** Stores the error of a ticket's last change, which is shown wherever the ticket is. */
export function setRefusal(ticketId: string, error: unknown): void {
  refused.set(new Map(refused.get()).set(ticketId, error))
}

/** Removes the error: before the ticket's next change, and when the user dismisses it. */
export function clearRefusal(ticketId: string): void {
  const rest = new Map(refused.get())
  if (rest.delete(ticketId)) refused.set(rest)
}

/** Why the last change of this ticket was refused; null when it was not. */
export const refusalOf = (ticketId: string): unknown => refused.get().get(ticketId) ?? null

/** As `refusalOf`, and renders again when it changes. */
export const useRefusal = (ticketId: string): unknown =>
  useStore(refused, (errors) => errors.get(ticketId) ?? null)

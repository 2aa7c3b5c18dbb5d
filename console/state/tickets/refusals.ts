import { createStore, useStore } from '../../lib/store.ts'

const refusedChanges = createStore<ReadonlyMap<string, unknown>>(new Map())

/** Stores the error of a ticket's last change. The error is shown wherever the ticket is shown. */
export function setRefusal(ticketId: string, error: unknown): void {
  refusedChanges.set(new Map(refusedChanges.get()).set(ticketId, error))
}

/** Removes the stored error of a ticket. Called before the ticket's next change, and when the user dismisses the error. */
export function clearRefusal(ticketId: string): void {
  const rest = new Map(refusedChanges.get())
  if (rest.delete(ticketId)) refusedChanges.set(rest)
}

/** Why the last change of this ticket was refused; null when it was not. */
export const refusedChangeOf = (ticketId: string): unknown => refusedChanges.get().get(ticketId) ?? null

/** The hook for `refusedChangeOf`. The component renders again when the error changes. */
export const useRefusal = (ticketId: string): unknown =>
  useStore(refusedChanges, (errors) => errors.get(ticketId) ?? null)

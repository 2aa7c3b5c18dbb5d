import { createStore, useStore } from '../../../lib/store.ts'

const requested = createStore<string | null>(null)

/** Requests that this ticket's title is edited as soon as its details are on screen; null withdraws that. */
export const askForTitle = (ticketId: string | null): void => requested.set(ticketId)

export const useTitleRequest = (ticketId: string): boolean =>
  useStore(requested, (requestedId) => requestedId === ticketId)

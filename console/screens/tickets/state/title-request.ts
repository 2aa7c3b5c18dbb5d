import { createStore, useStore } from '../../../lib/store.ts'

const requested = createStore<string | null>(null)

/** Requests that a ticket's title becomes editable as soon as its details are on screen. Null withdraws the request. */
export const askForTitle = (ticketId: string | null): void => requested.set(ticketId)

export const useTitleRequest = (ticketId: string): boolean =>
  useStore(requested, (requestedId) => requestedId === ticketId)

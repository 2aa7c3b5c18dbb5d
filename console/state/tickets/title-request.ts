import { createStore, useStore } from '../../lib/store.ts'

const requestedTitle = createStore<string | null>(null)

/** Requests that a ticket's title becomes editable as soon as its details are on screen. Null withdraws the request. */
export const requestTitleEdit = (ticketId: string | null): void => requestedTitle.set(ticketId)

/** Returns whether this ticket's title was requested to become editable (`requestTitleEdit`). */
export const useTitleRequest = (ticketId: string): boolean =>
  useStore(requestedTitle, (requestedId) => requestedId === ticketId)

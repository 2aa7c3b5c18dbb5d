import type { QueryClient } from '@tanstack/react-query'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { updateTicket } from '../../../api/project/tickets.ts'
import type { TicketChange } from '../../../api/types.ts'
import { clearRefusal, setRefusal } from './refusals.ts'
import { knownTicket, putTicket } from './ticket-cache.ts'

/** Changes in progress, oldest first: a response to one of them is older than the later ones. */
const underWay = new Map<string, TicketChange[]>()
/** The stored state of tickets with changes in progress, to which a refused change returns. */
const asSaved = new Map<string, Ticket>()

/** The current values of the changed fields: the change that undoes this one. */
export const inverseOf = (ticket: Ticket, change: TicketChange): TicketChange =>
  Object.fromEntries(Object.keys(change).map((field) => [field, ticket[field as keyof TicketChange]]))

/**
 * Changes a ticket on screen at once and then on the service, one change after the other. A refused change
 * restores the stored state with the other changes in progress, is remembered for display at the ticket, and
 * is thrown.
 */
export async function changeTicket(
  client: QueryClient,
  projectId: string,
  ticketId: string,
  change: TicketChange,
  send: typeof updateTicket = updateTicket,
): Promise<void> {
  const before = knownTicket(client, projectId, ticketId)
  if (before && !asSaved.has(ticketId)) asSaved.set(ticketId, before)
  underWay.set(ticketId, [...(underWay.get(ticketId) ?? []), change])
  clearRefusal(ticketId)
  // A response older than this change would bring the old value back.
  const interrupted = await interruptReads(client)
  // A move changes counts in the tree that cannot be derived back, so keep the tree for a refusal.
  const tree =
    change.parent === undefined
      ? []
      : client.getQueriesData({ queryKey: queryKeys.tickets.wholeTree(projectId) })
  if (before) putTicket(client, projectId, { ...before, ...change })
  try {
    const saved = await inTurn(client, ticketId, () => send(projectId, ticketId, change))
    asSaved.set(ticketId, saved)
    putTicket(client, projectId, { ...saved, ...laterThan(ticketId, change) })
  } catch (error) {
    const saved = asSaved.get(ticketId)
    if (saved) putTicket(client, projectId, { ...saved, ...laterThan(ticketId, change) })
    for (const [key, page] of tree) client.setQueryData(key, page)
    setRefusal(ticketId, error)
    throw error
  } finally {
    forget(ticketId, change)
    // So would a response requested before the service had stored the change.
    for (const queryKey of [...interrupted, ...reading(client)])
      void client.invalidateQueries({ queryKey, exact: true })
    if (change.labels) void client.invalidateQueries({ queryKey: queryKeys.tickets.labels(projectId) })
    if (change.status || change.parent !== undefined)
      void client.invalidateQueries({ queryKey: queryKeys.tickets.allRollups(projectId) })
    if (change.parent !== undefined)
      void client.invalidateQueries({ queryKey: queryKeys.tickets.wholeTree(projectId) })
  }
}

/** Through the mutation cache: its `scope` sends the changes of one ticket one by one, and it handles an ended session. */
function inTurn<T>(client: QueryClient, ticketId: string, send: () => Promise<T>): Promise<T> {
  const options = { mutationKey: ['ticket', ticketId], scope: { id: ticketId }, mutationFn: send }
  return client.getMutationCache().build(client, options).execute(undefined)
}

/** Cancels the reads of tickets in progress and returns their keys. */
async function interruptReads(client: QueryClient) {
  const keys = reading(client)
  await Promise.all(keys.map((queryKey) => client.cancelQueries({ queryKey, exact: true })))
  return keys
}

const reading = (client: QueryClient) =>
  client
    .getQueryCache()
    .findAll({ queryKey: queryKeys.tickets.all, fetchStatus: 'fetching' })
    .map(({ queryKey }) => queryKey)

/** The later changes combined; this one is the oldest. */
const laterThan = (ticketId: string, change: TicketChange): TicketChange =>
  Object.assign({}, ...(underWay.get(ticketId) ?? []).filter((other) => other !== change))

function forget(ticketId: string, change: TicketChange): void {
  const others = (underWay.get(ticketId) ?? []).filter((other) => other !== change)
  if (others.length > 0) return void underWay.set(ticketId, others)
  underWay.delete(ticketId)
  asSaved.delete(ticketId)
}

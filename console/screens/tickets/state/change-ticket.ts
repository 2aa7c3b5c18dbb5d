import type { QueryClient } from '@tanstack/react-query'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { updateTicket } from '../../../api/project/tickets.ts'
import type { TicketChange } from '../../../api/types.ts'
import { clearRefusal, setRefusal } from './refusals.ts'
import { knownTicket, putTicket } from './ticket-cache.ts'

/** Changes on their way, in the order they were made: what the service answers is older than the later ones. */
const underWay = new Map<string, TicketChange[]>()
/** Tickets with changes on their way as the service has them: what a refusal goes back to. */
const asSaved = new Map<string, Ticket>()

/** The values these fields have now: the change that takes another one back. */
export const inverseOf = (ticket: Ticket, change: TicketChange): TicketChange =>
  Object.fromEntries(Object.keys(change).map((field) => [field, ticket[field as keyof TicketChange]]))

/**
 * Changes a ticket on screen at once and then on the service, one change after the other. A refusal puts back what
 * is saved, with the changes still on their way, is kept for the place where the ticket stands, and is thrown.
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
  // An answer that is older than this change would bring the old value back.
  const interrupted = await interruptReads(client)
  // A branch that is moved takes along what nobody could work out again from the ticket alone.
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
    // So would one that was asked for before the service had saved it.
    for (const queryKey of [...interrupted, ...reading(client)])
      void client.invalidateQueries({ queryKey, exact: true })
    if (change.labels) void client.invalidateQueries({ queryKey: queryKeys.tickets.labels(projectId) })
    if (change.status || change.parent !== undefined)
      void client.invalidateQueries({ queryKey: queryKeys.tickets.allRollups(projectId) })
    if (change.parent !== undefined)
      void client.invalidateQueries({ queryKey: queryKeys.tickets.wholeTree(projectId) })
  }
}

/** Through the cache of mutations, which knows what to do when the session has ended. */
function inTurn<T>(client: QueryClient, ticketId: string, send: () => Promise<T>): Promise<T> {
  const options = { mutationKey: ['ticket', ticketId], scope: { id: ticketId }, mutationFn: send }
  return client.getMutationCache().build(client, options).execute(undefined)
}

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

/** What the changes after this one, which is the oldest, make of the ticket. */
const laterThan = (ticketId: string, change: TicketChange): TicketChange =>
  Object.assign({}, ...(underWay.get(ticketId) ?? []).filter((other) => other !== change))

function forget(ticketId: string, change: TicketChange): void {
  const others = (underWay.get(ticketId) ?? []).filter((other) => other !== change)
  if (others.length > 0) return void underWay.set(ticketId, others)
  underWay.delete(ticketId)
  asSaved.delete(ticketId)
}

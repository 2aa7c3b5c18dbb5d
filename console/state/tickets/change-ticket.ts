import type { QueryClient } from '@tanstack/react-query'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { updateTicket } from '../../api/project/tickets.ts'
import type { TicketChange } from '../../api/types.ts'
import { clearRefusal, setRefusal } from './refusals.ts'
import { cachedTicket, cacheTicket } from './ticket-cache.ts'
import { declaredKeys } from '../../lib/fields.ts'

/** The changes of each ticket that wait for a response, oldest first. */
const underWay = new Map<string, TicketChange[]>()
/** The last stored state of each ticket with waiting changes. A refused change restores it. */
const savedTickets = new Map<string, Ticket>()

/**
 * Returns the change that undoes this one: the values that the changed fields had in `before`. In a list, such as the labels, undoes only
 * what this change has added and removed. Keeps what later changes did to the list (`now`).
 */
export const inverseOf = (
  before: Ticket,
  change: TicketChange,
  now: Ticket = { ...before, ...change },
): TicketChange =>
  Object.fromEntries(
    declaredKeys(change).map((field) => {
      const [was, changed, current] = [before[field], change[field], now[field]]
      const isList = Array.isArray(was) && Array.isArray(changed) && Array.isArray(current)
      return [field, isList ? undoneList(was, changed, current) : was]
    }),
  )

function undoneList(was: string[], changed: string[], current: string[]): string[] {
  // The list has not changed since, so its order can also be restored.
  if (current.length === changed.length && current.every((item, at) => item === changed[at])) return was
  const kept = current.filter((item) => was.includes(item) || !changed.includes(item))
  return [...kept, ...was.filter((item) => !changed.includes(item) && !kept.includes(item))]
}

/**
 * Changes a ticket on screen at once, then sends the change after the ticket's earlier ones. When the service refuses the change, reverts
 * it on screen, stores its error to be shown at the ticket, and throws. Later changes that wait for a response stay on screen.
 */
export async function changeTicket(
  client: QueryClient,
  projectId: string,
  ticketId: string,
  change: TicketChange,
  send: typeof updateTicket = updateTicket,
): Promise<void> {
  const before = cachedTicket(client, projectId, ticketId)
  if (before && !savedTickets.has(ticketId)) savedTickets.set(ticketId, before)
  underWay.set(ticketId, [...(underWay.get(ticketId) ?? []), change])
  clearRefusal(ticketId)
  // Cancel reads in progress: their response is older than this change and would bring back the old value.
  const interrupted = await interruptReads(client)
  // Keep the tree to restore it after a refusal: a changed parent also changes child counts, which cannot be undone
  // one by one.
  const tree =
    change.parent === undefined
      ? []
      : client.getQueriesData({ queryKey: queryKeys.tickets.wholeTree(projectId) })
  if (before) cacheTicket(client, projectId, { ...before, ...change })
  try {
    const saved = await sendInOrder(client, ticketId, () => send(projectId, ticketId, change))
    savedTickets.set(ticketId, saved)
    cacheTicket(client, projectId, { ...saved, ...laterChanges(ticketId, change) })
  } catch (error) {
    const saved = savedTickets.get(ticketId)
    if (saved) cacheTicket(client, projectId, { ...saved, ...laterChanges(ticketId, change) })
    for (const [key, page] of tree) client.setQueryData(key, page)
    setRefusal(ticketId, error)
    throw error
  } finally {
    dropChange(ticketId, change)
    // Refetch the queries that were cancelled above, and those in progress, which may have read the old
    // state.
    for (const queryKey of [...interrupted, ...readingKeys(client)])
      void client.invalidateQueries({ queryKey, exact: true })
    if (change.labels) void client.invalidateQueries({ queryKey: queryKeys.tickets.labels(projectId) })
    if (change.status || change.parent !== undefined)
      void client.invalidateQueries({ queryKey: queryKeys.tickets.allRollups(projectId) })
    if (change.parent !== undefined)
      void client.invalidateQueries({ queryKey: queryKeys.tickets.wholeTree(projectId) })
  }
}

/**
 * Sends through the mutation cache. With a `scope`, the cache sends the changes of one ticket one after the
 * other. The cache's error handler handles a session that has ended or that the organization's policy
 * refuses.
 */
function sendInOrder<T>(client: QueryClient, ticketId: string, send: () => Promise<T>): Promise<T> {
  const options = { mutationKey: ['ticket', ticketId], scope: { id: ticketId }, mutationFn: send }
  return client.getMutationCache().build(client, options).execute(undefined)
}

/** Cancels the reads of tickets that are in progress, and returns their query keys. */
async function interruptReads(client: QueryClient) {
  const keys = readingKeys(client)
  await Promise.all(keys.map((queryKey) => client.cancelQueries({ queryKey, exact: true })))
  return keys
}

const readingKeys = (client: QueryClient) =>
  client
    .getQueryCache()
    .findAll({ queryKey: queryKeys.tickets.all, fetchStatus: 'fetching' })
    .map(({ queryKey }) => queryKey)

/** Merges the changes of the ticket that were made after `change`, which is always the oldest one that waits for a response. */
const laterChanges = (ticketId: string, change: TicketChange): TicketChange =>
  Object.assign({}, ...(underWay.get(ticketId) ?? []).filter((other) => other !== change))

function dropChange(ticketId: string, change: TicketChange): void {
  const others = (underWay.get(ticketId) ?? []).filter((other) => other !== change)
  if (others.length > 0) return void underWay.set(ticketId, others)
  underWay.delete(ticketId)
  savedTickets.delete(ticketId)
}

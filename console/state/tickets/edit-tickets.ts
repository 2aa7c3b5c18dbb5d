import type { QueryClient } from '@tanstack/react-query'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import type { TicketChange } from '../../api/types.ts'
import { notify, notifyFailure } from '../../shell/toasts/toasts.ts'
import { ticketsText } from '../../text/tickets.en.ts'
import { changeTicket, inverseOf } from './change-ticket.ts'
import { cachedTicket } from './ticket-cache.ts'
import { type UndoableChange, UndoStack } from './undo-stack.ts'

const undoStack = new UndoStack()

/**
 * Changes several tickets, then shows `words` with an undo button. Returns the ids of the tickets whose change was refused. Each of these
 * tickets shows the reason.
 */
export async function editTickets(
  client: QueryClient,
  projectId: string,
  ids: string[],
  changeOf: (ticket: Ticket) => TicketChange,
  words: string,
): Promise<string[]> {
  const steps = ids.flatMap((id) => {
    const ticket = cachedTicket(client, projectId, id)
    const change = ticket && changeOf(ticket)
    return change && Object.keys(change).length > 0 ? [{ id, change, before: ticket }] : []
  })
  const answers = await Promise.allSettled(
    steps.map(({ id, change }) => changeTicket(client, projectId, id, change)),
  )
  const saved = steps.filter((_, at) => answers[at]?.status === 'fulfilled')
  const refused = steps.filter((_, at) => answers[at]?.status === 'rejected').map(({ id }) => id)
  if (saved.length > 0) {
    const entry: UndoableChange = {
      words,
      undo: async () => {
        await Promise.all(
          saved.map(({ id, change, before }) => {
            const now = cachedTicket(client, projectId, id) ?? undefined
            return changeTicket(client, projectId, id, inverseOf(before, change, now))
          }),
        )
      },
    }
    undoStack.push(entry)
    notify(words, { undo: () => void undoEdit(entry) })
  }
  if (refused.length > 0 && steps.length > 1) notify(ticketsText.bulk.partly(refused.length, steps.length))
  return refused
}

/** Undoes the edit `entry`, or the last edit when there is no argument. */
export async function undoEdit(entry?: UndoableChange): Promise<void> {
  try {
    const undone = await undoStack.undo(entry)
    if (undone) notify(ticketsText.done.undone(undone.words))
    else if (!entry) notify(ticketsText.done.nothing)
  } catch (error) {
    notifyFailure(error)
  }
}

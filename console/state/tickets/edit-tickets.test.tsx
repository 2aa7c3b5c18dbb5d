import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { act } from '@testing-library/react'
import { ticketQuery } from '../../api/project/tickets.ts'
import { queryClient } from '../../api/request/query-client.ts'
import type { TicketChange } from '../../api/types.ts'
import { findMessage, press, Refusal, sent, serve } from '../../testing/console.tsx'
import { testTicket } from '../../testing/tickets.ts'
import { editTickets, undoEdit } from './edit-tickets.ts'

let lastTicket = 0

/** Puts a ticket into the cache, as a page does, and serves the requests that change the ticket. */
function giveTicket(part: Partial<Ticket> = {}, answer?: (change: TicketChange) => unknown) {
  const id = `tkt_edit_${++lastTicket}`
  const path = `PATCH /projects/prj_1/tickets/${id}`
  const { queryKey } = ticketQuery('prj_1', id)
  let stored = testTicket(id, part)
  queryClient.setQueryData(queryKey, stored)
  const calls = serve({
    [path]: ({ body }) => {
      const change = body as TicketChange
      stored = { ...stored, ...change }
      return answer?.(change) ?? stored
    },
  })
  const edit = (changeOf: (ticket: Ticket) => TicketChange, words: string) =>
    act(async () => editTickets(queryClient, 'prj_1', [id], changeOf, words))
  return {
    id,
    edit,
    saved: () => sent(calls, path),
    stored: () => stored,
    shown: () => queryClient.getQueryData(queryKey),
  }
}
const undo = () => act(async () => undoEdit())
const attach = (key: string) => (ticket: Ticket) => ({ attachments: [...ticket.attachments, key] })
/** Presses the undo button of the message with the text `words`. */
async function undoMessage(words: string) {
  const message = (await findMessage(words)).closest('li, [role=group], div')
  const undoButton = [...(message?.parentElement?.querySelectorAll('button') ?? [])].find(
    (one) => one.textContent === 'Undo',
  )
  assert.ok(undoButton)
  await act(async () => undoButton.click())
}

describe('undoing a change of a ticket', () => {
  test('undoing a ticket change restores only the fields that it changed', async () => {
    const { edit, saved, stored } = giveTicket({ priority: 'low', title: 'Old' })
    await edit(() => ({ priority: 'urgent' }), 'Priority changed')
    await edit(() => ({ title: 'New' }), 'Title changed')
    await undo()
    assert.deepEqual(saved()?.at(-1), { title: 'Old' })
    assert.equal(stored().priority, 'urgent')
    await undo()
    assert.deepEqual(saved()?.at(-1), { priority: 'low' })
  })

  test('undoing the attachment of a file keeps files that were attached later', async () => {
    const { edit, stored } = giveTicket({ attachments: ['first'] })
    await edit(attach('second'), 'second attached')
    await edit(attach('third'), 'third attached')
    await undoMessage('second attached')
    assert.deepEqual(stored().attachments, ['first', 'third'])
    await undoMessage('third attached')
    assert.deepEqual(stored().attachments, ['first'])
  })

  test('undoing the removal of a label adds the label again and keeps labels that were added later', async () => {
    const { edit, stored } = giveTicket({ labels: ['garden', 'soon'] })
    await edit(() => ({ labels: ['soon'] }), 'garden removed')
    await edit(({ labels }) => ({ labels: [...labels, 'water'] }), 'water added')
    await undoMessage('garden removed')
    assert.deepEqual(stored().labels.toSorted(), ['garden', 'soon', 'water'])
  })

  test("undoing the latest change to a ticket's list, such as its dependencies, restores the order of the list", async () => {
    const { edit, stored } = giveTicket({ dependsOn: ['a', 'b', 'c'] })
    await edit(() => ({ dependsOn: ['a', 'c'] }), 'b removed')
    await undo()
    assert.deepEqual(stored().dependsOn, ['a', 'b', 'c'])
  })

  test('undoing the attachment of a file that was already removed keeps the other attachments', async () => {
    const { edit, stored } = giveTicket({ attachments: ['first'] })
    await edit(attach('second'), 'second attached')
    await edit(() => ({ attachments: ['first'] }), 'second removed')
    await undoMessage('second attached')
    assert.deepEqual(stored().attachments, ['first'])
  })

  test('an undone ticket change is not undone a second time', async () => {
    const { edit, saved } = giveTicket()
    await edit(() => ({ priority: 'high' }), 'Priority changed')
    await undo()
    await undo()
    assert.deepEqual(saved(), [{ priority: 'high' }, { priority: 'none' }])
  })

  test('a refused undo shows the reason, and the ticket keeps its value', async () => {
    const { edit, shown } = giveTicket({}, ({ priority }) =>
      priority === 'none' ? new Refusal(409, 'conflict', 'It is being built.') : undefined,
    )
    await edit(() => ({ priority: 'high' }), 'Priority changed')
    await undo()
    await findMessage(/It is being built/)
    assert.equal(shown()?.priority, 'high')
  })

  test('a refused change of a ticket cannot be undone', async () => {
    const { edit, saved } = giveTicket({}, () => new Refusal(409, 'conflict', 'It is being built.'))
    await edit(() => ({ priority: 'high' }), 'Priority of the refused ticket')
    await undo()
    assert.deepEqual(saved(), [{ priority: 'high' }])
  })
})

describe('changing several tickets at once', () => {
  test('when some changes are refused, a message counts them and undo reverts only the saved changes', async () => {
    const good = testTicket('tkt_bulk_1')
    const bad = testTicket('tkt_bulk_2')
    for (const ticket of [good, bad])
      queryClient.setQueryData(ticketQuery('prj_1', ticket.id).queryKey, ticket)
    const calls = serve({
      'PATCH /projects/prj_1/tickets/tkt_bulk_1': ({ body }) => ({ ...good, ...(body as object) }),
      'PATCH /projects/prj_1/tickets/tkt_bulk_2': () => new Refusal(409, 'conflict', 'It is being built.'),
    })
    let refused: string[] = []
    await act(async () => {
      refused = await editTickets(
        queryClient,
        'prj_1',
        [good.id, bad.id],
        () => ({ priority: 'high' }),
        'Two changed',
      )
    })
    assert.deepEqual(refused, [bad.id])
    await findMessage(/1 of 2/)
    await act(async () => press('Undo'))
    assert.deepEqual(sent(calls, 'PATCH /projects/prj_1/tickets/tkt_bulk_1'), [
      { priority: 'high' },
      { priority: 'none' },
    ])
    assert.equal(sent(calls, 'PATCH /projects/prj_1/tickets/tkt_bulk_2')?.length, 1)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act } from '@testing-library/react'
import { ticketQuery } from '../../../api/project/tickets.ts'
import { queryClient } from '../../../api/request/query-client.ts'
import {
  field,
  findMessage,
  press,
  Refusal,
  sent,
  serve,
  show,
  untilSent,
} from '../../../testing/console.tsx'
import { testPane, testTicket } from '../../../testing/tickets.ts'
import { setStatus } from './set-status.ts'

const pathOf = (id: string) => `PATCH /projects/prj_1/tickets/${id}`
let lastTicket = 0
/** Returns ids that no other test uses, because ticket errors are stored outside the components. */
const newIds = (count: number) => Array.from({ length: count }, () => `tkt_status_${++lastTicket}`)

/** Returns a pane that shows the tickets of `ids` from top to bottom. `answers` maps ticket ids to responses to a change. */
function openPane(ids: string[], answers: Record<string, () => unknown> = {}) {
  for (const id of ids) queryClient.setQueryData(ticketQuery('prj_1', id).queryKey, testTicket(id))
  const calls = serve(
    Object.fromEntries(
      ids.map((id) => [
        pathOf(id),
        ({ body }: { body: unknown }) => answers[id]?.() ?? { ...testTicket(id), ...(body as object) },
      ]),
    ),
  )
  const { pane, spoken } = testPane({ order: { current: () => ids } })
  return { pane, spoken, saved: (id: string) => sent(calls, pathOf(id)) }
}
const REFUSED = new Refusal(409, 'conflict', 'It is being built.')

describe('moving tickets to a status', () => {
  test('a ticket that is moved to another status keeps the focus in its new place', async () => {
    const [id = '', other = ''] = newIds(2)
    const { pane, spoken, saved } = openPane([id, other])
    const moving = setStatus(queryClient, pane, [id], 'done')
    assert.deepEqual(pane.marks.wanted(), { id, status: 'done' })
    // A list calls `arrived` after it has focused the ticket in its new group.
    pane.marks.arrived()
    await act(async () => moving)
    assert.deepEqual(saved(id), [{ status: 'done' }])
    assert.deepEqual([pane.marks.wanted(), pane.marks.cursor(), spoken], [null, id, []])
  })

  test('when a list does not show a moved ticket, the next ticket gets the focus, and the move is announced', async () => {
    const [first = '', id = '', last = ''] = newIds(3)
    const { pane, spoken } = openPane([first, id, last])
    await act(async () => setStatus(queryClient, pane, [id], 'done'))
    assert.deepEqual(pane.marks.wanted(), { id: last, status: null })
    assert.equal(spoken.length, 1)
    assert.match(spoken[0] ?? '', /Done/)
  })

  test('when the last ticket is moved out of a list, the previous ticket gets the focus', async () => {
    const [first = '', id = ''] = newIds(2)
    const { pane } = openPane([first, id])
    await act(async () => setStatus(queryClient, pane, [id], 'done'))
    assert.equal(pane.marks.wanted()?.id, first)
  })

  test('when the only ticket is moved out of a list, no ticket gets the focus', async () => {
    const [id = ''] = newIds(1)
    const { pane } = openPane([id])
    await act(async () => setStatus(queryClient, pane, [id], 'done'))
    assert.equal(pane.marks.wanted(), null)
  })

  test('after a refused move to another status, the ticket has the focus in its old place', async () => {
    const [id = '', other = ''] = newIds(2)
    const { pane, spoken } = openPane([id, other], { [id]: () => REFUSED })
    await act(async () => setStatus(queryClient, pane, [id], 'done'))
    assert.deepEqual(pane.marks.wanted(), { id, status: null })
    assert.deepEqual(spoken, [])
  })

  test('a moved ticket that has the focus in its new place has it in its old place after a refusal', async () => {
    const [id = ''] = newIds(1)
    const { pane } = openPane([id], { [id]: () => REFUSED })
    show(
      <button type="button" data-ticket={id} ref={(button) => button?.focus()}>
        In its new column
      </button>,
    )
    const moving = setStatus(queryClient, pane, [id], 'done')
    pane.marks.arrived()
    await act(async () => moving)
    assert.deepEqual(pane.marks.wanted(), { id, status: null })
  })

  test('a refused move of a ticket leaves the focus in the field in which the user is typing', async () => {
    const [id = ''] = newIds(1)
    const { pane } = openPane([id], { [id]: () => REFUSED })
    show(<input aria-label="Note" ref={(note) => note?.focus()} />)
    const moving = setStatus(queryClient, pane, [id], 'done')
    pane.marks.arrived()
    await act(async () => moving)
    assert.equal(pane.marks.wanted(), null)
  })

  test('moving a ticket out of the list leaves the focus in the field in which the user is typing', async () => {
    for (const answer of [undefined, () => REFUSED]) {
      const [id = '', beside = ''] = newIds(2)
      const { pane, spoken } = openPane([id, beside], answer && { [id]: answer })
      const { unmount } = show(<input aria-label="Note" />)
      const moving = setStatus(queryClient, pane, [id], 'done')
      field('Note').focus()
      await act(async () => moving)
      assert.equal(pane.marks.wanted(), null)
      assert.equal(spoken.length, answer ? 0 : 1, 'a move is announced nevertheless')
      unmount()
    }
  })

  test('the end of an earlier move leaves the focus on the ticket that was moved later', async () => {
    const [id = '', later = ''] = newIds(2)
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { pane } = openPane([id, later], { [id]: () => promise })
    const moving = setStatus(queryClient, pane, [id], 'done')
    pane.marks.focus(later, 'in_review')
    resolve(testTicket(id, { status: 'done' }))
    await act(async () => moving)
    assert.deepEqual(pane.marks.wanted(), { id: later, status: 'in_review' })
  })

  test('moving several tickets leaves the focus where it is, and one message offers to undo all moves', async () => {
    const [first = '', second = ''] = newIds(2)
    const { pane, saved } = openPane([first, second])
    await act(async () => setStatus(queryClient, pane, [first, second], 'done'))
    assert.equal(pane.marks.wanted(), null)
    await findMessage(/2 tickets/)
    press('Undo')
    await untilSent()
    assert.deepEqual([saved(first)?.at(-1), saved(second)?.at(-1)], [{ status: 'todo' }, { status: 'todo' }])
  })

  test('choosing the status that a ticket already has sends nothing', async () => {
    const [id = ''] = newIds(1)
    const { pane, saved } = openPane([id])
    await act(async () => setStatus(queryClient, pane, [id], 'todo'))
    assert.deepEqual(saved(id), [])
  })
})

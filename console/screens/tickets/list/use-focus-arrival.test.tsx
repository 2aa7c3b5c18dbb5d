import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { act, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { PaneContext } from '../../../state/tickets/pane-context.ts'
import { field, show } from '../../../testing/console.tsx'
import { testPane, testTicket } from '../../../testing/tickets.ts'
import { useFocusArrival } from './use-focus-arrival.ts'

const [a, b, c] = ['a', 'b', 'c'].map((id) => testTicket(id)) as [Ticket, Ticket, Ticket]

/** Shows a list beside a search field. A ticket is rendered only after it was revealed, as in a long list. */
function showList(first: Ticket[], total: number | null = null) {
  const { pane, spoken } = testPane()
  const revealed: string[] = []
  let setTickets: (tickets: Ticket[]) => void = () => {}
  function List() {
    const [tickets, set] = useState(first)
    const [shown, setShown] = useState<string[]>([])
    setTickets = set
    useFocusArrival(
      tickets,
      (id) => {
        revealed.push(id)
        setShown((before) => [...before, id])
      },
      () => total,
    )
    return tickets
      .filter(({ id }) => shown.includes(id))
      .map(({ id }) => (
        <button key={id} type="button" data-ticket={id}>
          {id}
        </button>
      ))
  }
  show(
    <PaneContext value={pane}>
      <input type="search" aria-label="Search" />
      <List />
    </PaneContext>,
  )
  return {
    marks: pane.marks,
    spoken,
    revealed,
    change: (tickets: Ticket[]) => act(async () => setTickets(tickets)),
  }
}
const assertFocused = (id: string) =>
  waitFor(() => assert.equal(document.activeElement?.getAttribute('data-ticket'), id))
const frame = () => act(async () => void (await new Promise(requestAnimationFrame)))

describe('moving the focus to a ticket', () => {
  test('the ticket list scrolls to the ticket that is to be focused and focuses it when its row is rendered', async () => {
    const { marks, revealed, spoken } = showList([a, b])
    act(() => marks.focus('b'))
    await assertFocused('b')
    assert.deepEqual([revealed, spoken, marks.wanted()], [['b'], [], null])
  })

  test('a ticket that is to be focused but is not in the list yet gets the focus when it arrives', async () => {
    const { marks, change, revealed } = showList([a])
    act(() => marks.focus('b'))
    assert.deepEqual([revealed, marks.wanted()?.id], [[], 'b'])
    await change([a, b])
    await assertFocused('b')
  })

  test('a moved ticket is focused only in its new status, and its new position is announced', async () => {
    const { marks, change, spoken } = showList([a, b], 7)
    act(() => marks.focus('b', 'done'))
    assert.deepEqual(spoken, [])
    const done = { status: 'done' } as const
    await change([a, { ...c, ...done }, { ...b, ...done }])
    await assertFocused('b')
    assert.deepEqual(spoken, ['Moved to Done, 2 of 7'])
  })

  test('while the ticket count of a status is unknown, the number of its loaded tickets is announced', async () => {
    const { marks, spoken } = showList([a, b, c])
    act(() => marks.focus('c', 'todo'))
    await assertFocused('c')
    assert.deepEqual(spoken, ['Moved to To do, 3 of 3'])
  })

  test('a ticket that is to be focused when it arrives never takes the focus from a field in which the user is', async () => {
    const { marks, change } = showList([a])
    act(() => marks.focus('b'))
    act(() => field('Search').focus())
    await change([a, b])
    await frame()
    assert.ok(document.activeElement === field('Search'))
    assert.equal(marks.wanted(), null)
    assert.ok(screen.queryByRole('button') === null, 'the list is not scrolled either')
  })
})

import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import type { TicketFilter } from '../../../api/types.ts'
import type { WorkspaceSearch } from '../../../routes.ts'
import { PaneContext } from '../../../state/tickets/pane-context.ts'
import { button, field, isShown, serve, show, write } from '../../../testing/console.tsx'
import { giveScrollersHeight } from '../../../testing/layout.ts'
import { testPane, testTicket, ticketCounts } from '../../../testing/tickets.ts'
import { Board } from './board.tsx'

const TICKETS = [
  testTicket('todo_1'),
  testTicket('todo_2'),
  testTicket('review', { status: 'in_review' }),
  testTicket('done', { status: 'done' }),
]

/** Shows the board in a window that is wide or narrow. */
function renderBoard(
  t: TestContext,
  {
    isWide = true,
    filter = {},
    tickets = TICKETS,
  }: { isWide?: boolean; filter?: TicketFilter; tickets?: typeof TICKETS } = {},
) {
  giveScrollersHeight(t)
  t.mock.method(globalThis, 'matchMedia', () => ({
    matches: isWide,
    addEventListener() {},
    removeEventListener() {},
  }))
  serve({
    'GET /projects/prj_1/tickets/stats': () =>
      ticketCounts(tickets.length === 0 ? {} : { todo: 2, in_review: 1, done: 1 }),
    'GET /projects/prj_1/tickets/search': ({ query }) => ({
      items: tickets.filter(({ status }) => status === query['status']),
      nextCursor: null,
    }),
  })
  const went: [WorkspaceSearch, unknown][] = []
  const { pane } = testPane({ filter })
  const { unmount } = show(
    <PaneContext value={pane}>
      <Board go={(...to) => void went.push([to[0], to[1]])} />
    </PaneContext>,
  )
  return { pane, went, unmount }
}
const columns = () => screen.getAllByRole('region').map((column) => column.getAttribute('aria-label'))
const findCard = (id: string) => screen.findByRole('button', { name: `Ticket ${id}` })

describe('the ticket board', () => {
  test('the board of a project without tickets says how to write the first one, in place of its empty columns', async (t) => {
    for (const isWide of [true, false]) {
      const { unmount } = renderBoard(t, { isWide, tickets: [] })
      await screen.findByRole('heading', { name: 'No tickets yet' })
      assert.ok(!isShown(/^Drop a ticket here/))
      unmount()
      t.mock.restoreAll()
    }
  })

  test('a wide board has a column for each status, and the keyboard order of its cards runs through the columns left to right', async (t) => {
    const { pane } = renderBoard(t)
    await findCard('done')
    assert.deepEqual(columns(), ['Backlog', 'To do', 'In progress', 'In review', 'Done', 'Cancelled'])
    assert.deepEqual(pane.order.current(), ['todo_1', 'todo_2', 'review', 'done'])
  })

  test('while the keyboard cursor is on a card of the board, the keyboard order contains only the cards of its column', async (t) => {
    const { pane } = renderBoard(t)
    await findCard('done')
    act(() => pane.marks.moveTo('todo_2'))
    assert.deepEqual(pane.order.current(), ['todo_1', 'todo_2'])
  })

  test("the right arrow key focuses a card of the board's next non-empty column, and does nothing in the last column", async (t) => {
    renderBoard(t)
    await findCard('done')
    fireEvent.keyDown(button('Ticket todo_2'), { key: 'ArrowRight' })
    await waitFor(() => assert.equal(document.activeElement?.textContent, 'Ticket review'))
    fireEvent.keyDown(button('Ticket review'), { key: 'ArrowRight' })
    await waitFor(() => assert.equal(document.activeElement?.textContent, 'Ticket done'))
    assert.equal(
      fireEvent.keyDown(button('Ticket done'), { key: 'ArrowRight' }),
      true,
      'the key is not taken',
    )
    fireEvent.keyDown(button('Ticket done'), { key: 'ArrowLeft' })
    await waitFor(() => assert.equal(document.activeElement?.textContent, 'Ticket review'))
  })

  test('with a status filter the board shows only the column of the chosen status', async (t) => {
    renderBoard(t, { filter: { status: 'done' } })
    await findCard('done')
    assert.deepEqual(columns(), ['Done'])
  })

  test('a narrow board shows one status, and a field with the ticket counts switches to another status', async (t) => {
    const { went } = renderBoard(t, { isWide: false })
    await findCard('todo_1')
    assert.deepEqual(columns(), ['To do'])
    await screen.findByText('In review (1)')
    assert.equal(field('Column').value, 'todo')
    write('Column', 'in_review')
    assert.deepEqual(went, [[{ status: 'in_review' }, { replace: true }]])
  })

  test('Alt+→ and Alt+← on a card of the board still move through the browser history', async (t) => {
    const { pane } = renderBoard(t)
    await findCard('done')
    for (const held of ['altKey', 'ctrlKey', 'metaKey'])
      for (const key of ['ArrowRight', 'ArrowLeft'])
        assert.equal(
          fireEvent.keyDown(button('Ticket review'), { key, [held]: true }),
          true,
          `${held} ${key}`,
        )
    assert.equal(pane.marks.cursor(), null)
  })
})

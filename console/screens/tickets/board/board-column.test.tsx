import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import type { TicketFilter, TicketStatus } from '../../../api/types.ts'
import { ticketPagesQuery } from '../../../api/project/tickets.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { queryClient } from '../../../api/request/query-client.ts'
import { PaneContext } from '../../../state/tickets/pane-context.ts'
import {
  assertAlert,
  isShown,
  isThere,
  press,
  readAgain,
  Refusal,
  serve,
  show,
  untilSent,
} from '../../../testing/console.tsx'
import { giveScrollersHeight } from '../../../testing/layout.ts'
import { testPane, testTicket, ticketCounts } from '../../../testing/tickets.ts'
import { BoardColumn } from './board-column.tsx'

const SEARCH = 'GET /projects/prj_1/tickets/search'
const NOT_NOW = new Refusal(400, 'invalid_request', 'Not now.')
type Page = Refusal | { items: ReturnType<typeof testTicket>[]; nextCursor: string | null }

/** Shows the To do column. `pages` maps each cursor to the page that the service returns. */
function renderColumn(
  t: TestContext,
  pages: Record<string, () => Page>,
  { filter = {}, todo = 2 }: { filter?: TicketFilter; todo?: number } = {},
) {
  giveScrollersHeight(t)
  const calls = serve({
    'GET /projects/prj_1/tickets/stats': () => ticketCounts({ todo }),
    [SEARCH]: ({ query }) => (pages[query['cursor'] ?? ''] ?? (() => NOT_NOW))(),
  })
  const orders: [TicketStatus, string[]][] = []
  const { pane } = testPane({ filter })
  show(
    <PaneContext value={pane}>
      <BoardColumn status="todo" hideHead={false} onOrder={(...order) => void orders.push(order)} />
    </PaneContext>,
  )
  return { calls, order: () => orders.at(-1), asked: () => calls[SEARCH]?.map(({ query }) => query) }
}

const titles = () => [...document.querySelectorAll('[data-ticket]')].map((one) => one.textContent)
const assertTitles = (...ids: string[]) =>
  waitFor(() =>
    assert.deepEqual(
      titles(),
      ids.map((id) => `Ticket ${id}`),
    ),
  )
const heading = () => screen.getByRole('heading').textContent
const [a, b] = [testTicket('a'), testTicket('b')]

describe('a column of the board', () => {
  test('a board column loads its next page when its last cards are almost in view, and reports its card order to the board', async (t) => {
    const { order, asked } = renderColumn(t, {
      '': () => ({ items: [a], nextCursor: 'c1' }),
      c1: () => ({ items: [b], nextCursor: null }),
    })
    await assertTitles('a', 'b')
    assert.deepEqual(order(), ['todo', ['a', 'b']])
    assert.deepEqual(asked(), [
      { status: 'todo', limit: '100' },
      { status: 'todo', limit: '100', cursor: 'c1' },
    ])
    assert.equal(heading(), 'To do2')
  })

  test('a board column loads its next page even if its last cards come almost into view during a refetch', async (t) => {
    const { queryKey } = ticketPagesQuery('prj_1', { status: 'todo' })
    const known = { pages: [{ items: [a], nextCursor: 'c1' }], pageParams: [''] }
    queryClient.setQueryData(queryKey, known, { updatedAt: 1 })
    renderColumn(t, {
      '': () => ({ items: [a], nextCursor: 'c1' }),
      c1: () => ({ items: [b], nextCursor: null }),
    })
    await assertTitles('a')
    await assertTitles('a', 'b')
  })

  test('when the next page of a board column fails to load, the cards stay and only a retry requests the page again', async (t) => {
    let isAway = true
    const { calls, asked } = renderColumn(t, {
      '': () => ({ items: [a], nextCursor: 'c1' }),
      c1: () => (isAway ? NOT_NOW : { items: [b], nextCursor: null }),
    })
    await assertAlert(/Not now/)
    await untilSent()
    assert.deepEqual(titles(), ['Ticket a'])
    assert.deepEqual(
      asked()?.map(({ cursor }) => cursor),
      [undefined, 'c1'],
    )
    isAway = false
    press('Try again')
    await assertTitles('a', 'b')
    assert.equal(isThere('alert'), false)
    assert.equal(calls[SEARCH]?.length, 4)
  })

  test('a loaded board column keeps its cards when a refetch fails', async (t) => {
    let isAway = false
    renderColumn(t, { '': () => (isAway ? NOT_NOW : { items: [a, b], nextCursor: null }) })
    await assertTitles('a', 'b')
    isAway = true
    await readAgain(queryKeys.tickets.pages('prj_1', { status: 'todo' }))
    assert.deepEqual(titles(), ['Ticket a', 'Ticket b'])
    await assertAlert(/Not now/)
  })

  test('a board column that cannot be loaded shows the reason, and a retry loads its cards', async (t) => {
    let isAway = true
    renderColumn(t, { '': () => (isAway ? NOT_NOW : { items: [a], nextCursor: null }) })
    await assertAlert(/Not now/)
    isAway = false
    press('Try again')
    await assertTitles('a')
  })

  test('a board column without tickets explains how a ticket gets into it', async (t) => {
    renderColumn(t, { '': () => ({ items: [], nextCursor: null }) }, { todo: 0 })
    await screen.findByText('Drop a ticket here, or choose this status on its card.')
    await waitFor(() => assert.equal(heading(), 'To do0'))
  })

  test('with a filter, the heading of a board column shows the number of loaded cards while more pages exist', async (t) => {
    const next = Promise.withResolvers<Page>()
    renderColumn(
      t,
      { '': () => ({ items: [a], nextCursor: 'c1' }), c1: () => next.promise as unknown as Page },
      { filter: { label: 'garden' }, todo: 9 },
    )
    await assertTitles('a')
    assert.equal(heading(), 'To do1+')
    next.resolve({ items: [b], nextCursor: null })
    await assertTitles('a', 'b')
    assert.equal(heading(), 'To do2')
    assert.equal(isShown('Try again'), false)
  })

  test('a board column whose status the filter excludes is empty and sends no request', async (t) => {
    const { asked } = renderColumn(t, {}, { filter: { status: 'done' } })
    await screen.findByText('Drop a ticket here, or choose this status on its card.')
    await untilSent()
    assert.deepEqual(asked(), [])
  })
})

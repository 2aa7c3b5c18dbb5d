import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import { ticketPagesQuery } from '../../../api/project/tickets.ts'
import { queryClient } from '../../../api/request/query-client.ts'
import type { TicketFilter } from '../../../api/types.ts'
import type { WorkspaceSearch } from '../../../routes.ts'
import { PaneContext } from '../../../state/tickets/pane-context.ts'
import {
  assertAlert,
  button,
  isShown,
  isThere,
  press,
  Refusal,
  serve,
  show,
  untilSent,
} from '../../../testing/console.tsx'
import { testPane, testTicket, ticketCounts } from '../../../testing/tickets.ts'
import { TicketList } from './ticket-list.tsx'

type Page = Refusal | { items: ReturnType<typeof testTicket>[]; nextCursor: string | null }
const NOT_NOW = new Refusal(400, 'invalid_request', 'Not now.')

/** Shows the list. `pages` has the pages by `<status>/<cursor>`; all other statuses have no tickets. */
function renderList(
  pages: Record<string, () => Page | Promise<Page>>,
  { filter = {}, counts = { todo: 2 } }: { filter?: TicketFilter; counts?: Record<string, number> } = {},
) {
  const calls = serve({
    'GET /projects/prj_1/tickets/stats': () => ticketCounts(counts),
    'GET /projects/prj_1/tickets/search': ({ query }) =>
      (pages[`${query['status']}/${query['cursor'] ?? ''}`] ?? (() => ({ items: [], nextCursor: null })))(),
  })
  const went: WorkspaceSearch[] = []
  const { pane } = testPane({ filter })
  show(
    <PaneContext value={pane}>
      <TicketList go={(to) => void went.push(to)} />
    </PaneContext>,
  )
  const asked = () =>
    calls['GET /projects/prj_1/tickets/search']?.map(
      ({ query }) => `${query['status']}/${query['cursor'] ?? ''}`,
    )
  return { pane, went, asked }
}

const table = () => screen.getByRole('table')
/** The heading of each status and the title of each ticket, from top to bottom. */
const outline = () =>
  [...table().querySelectorAll('h3, [data-ticket]')].map((one) => one.textContent?.replace('Ticket ', ''))
const assertOutline = (...wanted: string[]) => waitFor(() => assert.deepEqual(outline(), wanted))
const [a, b, done] = [testTicket('a'), testTicket('b'), testTicket('done', { status: 'done' })]

describe('the ticket list', () => {
  test('the ticket list shows all statuses together, once the slowest of them has loaded', async () => {
    const late = Promise.withResolvers<Page>()
    renderList(
      { 'todo/': () => ({ items: [a], nextCursor: null }), 'in_review/': () => late.promise },
      { counts: { todo: 1, in_review: 1 } },
    )
    await untilSent()
    assert.equal(isThere('table'), false)
    late.resolve({ items: [testTicket('review', { status: 'in_review' })], nextCursor: null })
    await assertOutline('In review1', 'review', 'To do1', 'a')
  })

  test('a status of the ticket list loads its next page when its last row is in view, and counts tickets not loaded yet', async () => {
    const next = Promise.withResolvers<Page>()
    const { pane, asked } = renderList({
      'todo/': () => ({ items: [a], nextCursor: 'c1' }),
      'todo/c1': () => next.promise,
    })
    await assertOutline('To do2', 'a')
    assert.equal(table().getAttribute('aria-rowcount'), '3')
    next.resolve({ items: [b], nextCursor: null })
    await assertOutline('To do2', 'a', 'b')
    assert.deepEqual(pane.order.current(), ['a', 'b'])
    assert.deepEqual(
      asked()?.filter((page) => page.startsWith('todo')),
      ['todo/', 'todo/c1'],
    )
  })

  test('a status of the ticket list loads its next page even if its last row comes into view during a refetch', async () => {
    const again = Promise.withResolvers<Page>()
    const { queryKey } = ticketPagesQuery('prj_1', { status: 'todo' })
    const known = { pages: [{ items: [a], nextCursor: 'c1' }], pageParams: [''] }
    queryClient.setQueryData(queryKey, known, { updatedAt: 1 })
    const { asked } = renderList({
      'todo/': () => again.promise,
      'todo/c1': () => ({ items: [b], nextCursor: null }),
    })
    await assertOutline('To do2', 'a')
    await untilSent()
    again.resolve({ items: [a], nextCursor: 'c1' })
    await assertOutline('To do2', 'a', 'b')
    assert.deepEqual(
      asked()?.filter((page) => page.startsWith('todo')),
      ['todo/', 'todo/c1'],
    )
  })

  test('a page of the ticket list that cannot be loaded is requested again only after the user retries', async () => {
    let isAway = true
    const { asked } = renderList({
      'todo/': () => ({ items: [a], nextCursor: 'c1' }),
      'todo/c1': () => (isAway ? NOT_NOW : { items: [b], nextCursor: null }),
    })
    await assertAlert(/Not now/)
    await untilSent()
    assert.deepEqual(outline(), ['To do2', 'a'])
    assert.equal(asked()?.filter((page) => page === 'todo/c1').length, 1)
    isAway = false
    press('Try again')
    await assertOutline('To do2', 'a', 'b')
  })

  test('in the ticket list a status that cannot be loaded shows the reason, and the other statuses show their tickets', async () => {
    renderList(
      {
        'todo/': () => NOT_NOW,
        'in_progress/': () => ({ items: [testTicket('now', { status: 'in_progress' })], nextCursor: null }),
      },
      { counts: { todo: 1, in_progress: 1 } },
    )
    await assertAlert(/Not now/)
    assert.deepEqual(outline(), ['In progress1', 'now', 'To do1'])
  })

  test('closed tickets load when their heading is pressed, and stay unfolded for the next visit', async () => {
    const { asked } = renderList(
      {
        'todo/': () => ({ items: [a], nextCursor: null }),
        'done/': () => ({ items: [done], nextCursor: null }),
      },
      { counts: { todo: 1, done: 1 } },
    )
    await assertOutline('To do1', 'a', 'Done1')
    assert.equal(asked()?.includes('done/'), false)
    press(/^Done/)
    await assertOutline('To do1', 'a', 'Done1', 'done')
    assert.equal(button(/^Done/).getAttribute('aria-expanded'), 'true')
    assert.equal(localStorage.getItem('slipway.tickets.folded'), 'cancelled')
  })

  test('a search unfolds closed tickets, and the heading counts the loaded tickets while the total is unknown', async () => {
    const next = Promise.withResolvers<Page>()
    renderList(
      { 'done/': () => ({ items: [done], nextCursor: 'c1' }), 'done/c1': () => next.promise },
      { filter: { q: 'd' } },
    )
    await assertOutline('Done1+', 'done')
    assert.equal(table().getAttribute('aria-rowcount'), '-1')
    next.resolve({ items: [], nextCursor: null })
    await assertOutline('Done1', 'done')
  })

  test('a search for tickets without a result offers to clear the filters', async () => {
    const { went } = renderList({}, { filter: { q: 'x' } })
    await screen.findByText('No ticket matches')
    press('Clear filters')
    assert.deepEqual(went, [
      { q: undefined, status: undefined, type: undefined, priority: undefined, label: undefined },
    ])
  })

  test('a project without tickets says so and has no filters to clear', async () => {
    renderList({}, { counts: {} })
    await screen.findByText('No tickets yet')
    assert.equal(isShown('Clear filters'), false)
  })
})

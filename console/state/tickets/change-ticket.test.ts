import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { QueryObserver } from '@tanstack/react-query'
import type { Ticket, TicketStats } from '@slipway/sdk/client/types.gen.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { RestartingClient } from '../../api/request/restarting-client.ts'
import type { TicketChange } from '../../api/types.ts'

// Set `location` before the import, because the API client reads the page's address when the client is loaded.
globalThis.location ??= { origin: 'http://localhost' } as Location
const { changeTicket, inverseOf } = await import('./change-ticket.ts')
const { cacheNewTicket } = await import('./ticket-cache.ts')

const PROJECT_ID = 'prj_1'
const ticketWith = (id: string, part: Partial<Ticket> = {}) =>
  ({
    id,
    title: 'old',
    status: 'todo',
    type: 'task',
    priority: 'none',
    parent: null,
    labels: [],
    dueAt: null,
    createdAt: '2026-01-01T00:00:00Z',
    ...part,
  }) as Ticket
const noStats: TicketStats = {
  total: 1,
  open: 1,
  overdue: 0,
  byStatus: { backlog: 0, todo: 1, in_progress: 0, in_review: 0, done: 0, cancelled: 0 },
  byType: { epic: 0, feature: 0, task: 1, bug: 0, chore: 0 },
  byPriority: { none: 1, low: 0, medium: 0, high: 0, urgent: 0 },
}

/** Returns a `send` function. Each request stays open until the test calls `answer` or `refuse` of its entry in `sent`. */
function holdResponses() {
  const sent: { change: TicketChange; answer: (ticket: Ticket) => void; refuse: (error: Error) => void }[] =
    []
  const send = (_project: string, _ticket: string, change: TicketChange) =>
    new Promise<Ticket>((answer, refuse) => void sent.push({ change, answer, refuse }))
  return { sent, send }
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('changing a ticket', () => {
  let client: RestartingClient
  beforeEach(() => {
    client = new RestartingClient()
    const page = (items: Ticket[]) => ({ pages: [{ items, nextCursor: null }], pageParams: [''] })
    client.setQueryData(queryKeys.tickets.pages(PROJECT_ID, { status: 'todo' }), page([ticketWith('a')]))
    client.setQueryData(queryKeys.tickets.pages(PROJECT_ID, { status: 'done' }), page([]))
    client.setQueryData(queryKeys.tickets.stats(PROJECT_ID), noStats)
  })
  const column = (status: string) =>
    client
      .getQueryData<{ pages: { items: Ticket[] }[] }>(queryKeys.tickets.pages(PROJECT_ID, { status }))
      ?.pages.flatMap(({ items }) => items.map(({ id, title }) => `${id} ${title}`))
  const doneCount = () => client.getQueryData<TicketStats>(queryKeys.tickets.stats(PROJECT_ID))?.byStatus.done

  test('a ticket change updates the ticket and the ticket counts at once, and the response then replaces the ticket', async () => {
    const { sent, send } = holdResponses()
    const change = changeTicket(client, PROJECT_ID, 'a', { status: 'done' }, send)
    await nextTurn()
    assert.deepEqual([column('todo'), column('done'), doneCount()], [[], ['a old'], 1])
    sent[0]?.answer(ticketWith('a', { status: 'done', title: 'tidied' }))
    await change
    assert.deepEqual([column('done'), doneCount()], [['a tidied'], 1])
  })

  test('a refused ticket change is reverted, and the error is thrown', async () => {
    const { sent, send } = holdResponses()
    const change = changeTicket(client, PROJECT_ID, 'a', { status: 'done' }, send)
    await nextTurn()
    sent[0]?.refuse(new Error('no'))
    await assert.rejects(change, /no/)
    assert.deepEqual([column('todo'), column('done'), doneCount()], [['a old'], [], 0])
  })

  test('two changes of a ticket are sent in order, and the first response does not revert the second change', async () => {
    const { sent, send } = holdResponses()
    const first = changeTicket(client, PROJECT_ID, 'a', { title: 'one' }, send)
    await nextTurn()
    const second = changeTicket(client, PROJECT_ID, 'a', { title: 'two' }, send)
    await nextTurn()
    assert.equal(sent.length, 1)
    sent[0]?.answer(ticketWith('a', { title: 'one' }))
    await first
    assert.deepEqual(column('todo'), ['a two'])
    await nextTurn()
    sent[1]?.refuse(new Error('no'))
    await assert.rejects(second)
    assert.deepEqual(column('todo'), ['a one'])
  })

  test('a ticket list that was requested during a change is fetched again, because the list may lack the change', async () => {
    const queryKey = queryKeys.tickets.pages(PROJECT_ID, { status: 'in_review' })
    const reads: ((ids: string[]) => void)[] = []
    const queryFn = () =>
      new Promise((answer) => {
        reads.push((ids) =>
          answer({ pages: [{ items: ids.map((id) => ticketWith(id)), nextCursor: null }], pageParams: [''] }),
        )
      })
    const { sent, send } = holdResponses()
    const change = changeTicket(client, PROJECT_ID, 'a', { status: 'in_review' }, send)
    await nextTurn()
    const unsubscribe = new QueryObserver(client, { queryKey, queryFn }).subscribe(() => {})
    sent[0]?.answer(ticketWith('a', { status: 'in_review' }))
    await change
    await nextTurn()
    reads[0]?.([])
    reads.at(-1)?.(['a'])
    await nextTurn()
    unsubscribe()
    assert.deepEqual(column('in_review'), ['a old'])
  })

  test('after two changes of the same field are refused, the field has its original value again', async () => {
    const { sent, send } = holdResponses()
    const first = changeTicket(client, PROJECT_ID, 'a', { title: 'one' }, send)
    const second = changeTicket(client, PROJECT_ID, 'a', { title: 'two' }, send)
    await nextTurn()
    assert.deepEqual(column('todo'), ['a two'])
    sent[0]?.refuse(new Error('no'))
    await assert.rejects(first)
    assert.deepEqual(column('todo'), ['a two'])
    await nextTurn()
    sent[1]?.refuse(new Error('no'))
    await assert.rejects(second)
    assert.deepEqual(column('todo'), ['a old'])
  })

  test('undoing a ticket change sets the changed fields back to their previous values', () => {
    const before = ticketWith('a', { labels: ['x'] })
    assert.deepEqual(inverseOf(before, { labels: [], parent: 'b' }), { labels: ['x'], parent: null })
  })

  test('a new ticket is first in its list and is counted', () => {
    cacheNewTicket(client, PROJECT_ID, ticketWith('b', { createdAt: '2026-01-02T00:00:00Z' }))
    assert.deepEqual(column('todo'), ['b old', 'a old'])
    assert.equal(client.getQueryData<TicketStats>(queryKeys.tickets.stats(PROJECT_ID))?.total, 2)
  })
})

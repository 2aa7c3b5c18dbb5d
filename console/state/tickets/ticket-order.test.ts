import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { updateTicketInPages } from './ticket-order.ts'

const madeAt = (minute: number, part: Partial<Ticket> = {}) =>
  ({
    id: `t${minute}`,
    title: '',
    createdAt: `2026-01-01T00:${String(minute).padStart(2, '0')}:00Z`,
    ...part,
  }) as Ticket
const pagesOf = (...minutes: number[][]) =>
  minutes.map((page, at) => ({
    items: page.map((minute) => madeAt(minute)),
    nextCursor: at === minutes.length - 1 ? null : 'more',
  }))
const pageIds = (pages: { items: Ticket[] }[]) =>
  pages.map(({ items }) => items.map(({ id }) => id).join(' '))

describe('the position of a ticket in the loaded pages', () => {
  test('a changed ticket is replaced at its position in the loaded pages', () => {
    const pages = updateTicketInPages(pagesOf([9, 8], [5]), madeAt(8, { title: 'new' }), true)
    assert.deepEqual(pageIds(pages), ['t9 t8', 't5'])
    assert.equal(pages[0]?.items[1]?.title, 'new')
  })

  test("a ticket is removed from a list only if it certainly no longer matches the list's filter", () => {
    assert.deepEqual(pageIds(updateTicketInPages(pagesOf([9, 8], [5]), madeAt(8), false)), ['t9', 't5'])
    assert.deepEqual(pageIds(updateTicketInPages(pagesOf([9, 8], [5]), madeAt(8), null)), ['t9 t8', 't5'])
    assert.deepEqual(pageIds(updateTicketInPages(pagesOf([9]), madeAt(7), null)), ['t9'])
  })

  test('a new ticket is inserted into the loaded pages by its creation time', () => {
    assert.deepEqual(pageIds(updateTicketInPages(pagesOf([9, 7], [5]), madeAt(8), true)), ['t9 t8 t7', 't5'])
    assert.deepEqual(pageIds(updateTicketInPages(pagesOf([9, 7], [5]), madeAt(6), true)), ['t9 t7', 't6 t5'])
    assert.deepEqual(pageIds(updateTicketInPages(pagesOf([9, 7], [5]), madeAt(1), true)), ['t9 t7', 't5 t1'])
    assert.deepEqual(pageIds(updateTicketInPages(pagesOf([]), madeAt(1), true)), ['t1'])
  })

  test('a ticket that belongs after the loaded pages is not inserted into them', () => {
    const [first] = pagesOf([9, 7], [5])
    assert.deepEqual(pageIds(updateTicketInPages(first ? [first] : [], madeAt(6), true)), ['t9 t7'])
  })

  test('the ticket tree sorts tickets oldest first, and tickets with the same creation time by id', () => {
    assert.deepEqual(pageIds(updateTicketInPages(pagesOf([1, 3]), madeAt(2), true, false)), ['t1 t2 t3'])
    const twin = madeAt(9, { id: 't91' })
    assert.deepEqual(pageIds(updateTicketInPages(pagesOf([9]), twin, true)), ['t91 t9'])
  })
})

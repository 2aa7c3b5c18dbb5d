import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { QueryClient } from '@tanstack/react-query'
import { ticketQuery } from '../../api/project/tickets.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { TreePage, TreeTicket } from '../../api/types.ts'
import { testTicket } from '../../testing/tickets.ts'
import { cachedTicket, cacheTicket } from './ticket-cache.ts'

const ROOT = { parent: 'root', active: true }
const node = (id: string, part: Partial<TreeTicket> = {}): TreeTicket => ({
  ...testTicket(id),
  childCount: 0,
  openChildCount: 0,
  ...part,
})

/** Returns a cache with a tree of two epics. The first epic has the open ticket `tkt_1` and a done ticket. */
function cacheWithTree() {
  const client = new QueryClient()
  const put = (parent: string, items: TreeTicket[]) =>
    client.setQueryData<TreePage>(queryKeys.tickets.tree('prj_1', { ...ROOT, parent }), {
      items,
      nextCursor: null,
    })
  put('root', [node('epic_a', { childCount: 2, openChildCount: 1 }), node('epic_b')])
  put('epic_a', [node('tkt_1', { parent: 'epic_a', status: 'todo' })])
  const countsOf = () =>
    client
      .getQueryData<TreePage>(queryKeys.tickets.tree('prj_1', ROOT))
      ?.items.map(({ id, childCount, openChildCount }) => `${id} ${openChildCount} of ${childCount}`)
  return { client, countsOf }
}

describe('the cached tickets of a project', () => {
  test('closing a ticket removes it from the open children of its parent, and reopening adds it again', () => {
    const { client, countsOf } = cacheWithTree()
    const open = testTicket('tkt_1', { parent: 'epic_a', status: 'todo' })
    client.setQueryData(ticketQuery('prj_1', 'tkt_1').queryKey, open)
    cacheTicket(client, 'prj_1', { ...open, status: 'done' })
    assert.deepEqual(countsOf(), ['epic_a 0 of 2', 'epic_b 0 of 0'])
    // The response arrives after the change on screen, and does not count the change twice.
    cacheTicket(client, 'prj_1', { ...open, status: 'done', updatedAt: '2999-01-01T00:00:00Z' })
    assert.deepEqual(countsOf(), ['epic_a 0 of 2', 'epic_b 0 of 0'])
    cacheTicket(client, 'prj_1', { ...open, updatedAt: '2999-01-02T00:00:00Z' })
    assert.deepEqual(countsOf(), ['epic_a 1 of 2', 'epic_b 0 of 0'])
  })

  test('a ticket that is moved and closed in one change is no longer an open child of the old parent', () => {
    const { client, countsOf } = cacheWithTree()
    const open = testTicket('tkt_1', { parent: 'epic_a', status: 'todo' })
    client.setQueryData(ticketQuery('prj_1', 'tkt_1').queryKey, open)
    cacheTicket(client, 'prj_1', { ...open, parent: 'epic_b', status: 'done' })
    assert.deepEqual(countsOf(), ['epic_a 0 of 1', 'epic_b 0 of 1'])
  })

  test('of several cached copies of a ticket, `cachedTicket` returns the copy with the last change', () => {
    const { client } = cacheWithTree()
    const newer = testTicket('tkt_1', { title: 'Newer', updatedAt: '2999-01-01T00:00:00Z' })
    client.setQueryData(ticketQuery('prj_1', 'tkt_1').queryKey, newer)
    assert.equal(cachedTicket(client, 'prj_1', 'tkt_1')?.title, 'Newer')
    client.setQueryData(ticketQuery('prj_1', 'tkt_1').queryKey, {
      ...newer,
      title: 'Older',
      updatedAt: '1999-01-01T00:00:00Z',
    })
    assert.notEqual(cachedTicket(client, 'prj_1', 'tkt_1')?.title, 'Older')
    assert.equal(cachedTicket(client, 'prj_1', 'tkt_none'), null)
  })
})

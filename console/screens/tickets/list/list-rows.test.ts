import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { listRows, type StatusGroup } from './list-rows.ts'

const statusGroup = (
  status: StatusGroup['status'],
  ids: string[],
  part: Partial<StatusGroup> = {},
): StatusGroup => ({
  status,
  tickets: ids.map((id) => ({ id, status }) as Ticket),
  total: ids.length,
  hasMore: false,
  isPending: false,
  error: null,
  isFolded: false,
  ...part,
})
const rowKeys = (groups: StatusGroup[], pending: string[] = []) =>
  listRows(groups, pending).map(({ key }) => key)

describe('the rows of the ticket list', () => {
  test('in the ticket list each status with tickets has a heading above them, and an empty status has none', () => {
    assert.deepEqual(
      rowKeys([
        statusGroup('in_progress', ['a']),
        statusGroup('in_review', []),
        statusGroup('todo', ['b', 'c']),
      ]),
      ['group-in_progress', 'a', 'group-todo', 'b', 'c'],
    )
  })

  test('a ticket that two requests return with different statuses has one row, under the newer status', () => {
    const moved = (status: StatusGroup['status'], updatedAt: string) =>
      statusGroup(status, [], { tickets: [{ id: 'a', status, updatedAt } as Ticket] })
    const [before, after] = ['2026-11-20T10:00:00.000Z', '2026-11-20T10:00:01.000Z'] as const
    const rowsOf = (groups: StatusGroup[]) =>
      listRows(groups, []).flatMap((row) => (row.kind === 'ticket' ? [row.ticket.status] : []))
    assert.deepEqual(rowsOf([moved('in_progress', after), moved('todo', before)]), ['in_progress'])
    assert.deepEqual(rowsOf([moved('in_progress', before), moved('in_review', after)]), ['in_review'])
  })

  test('a folded status of the ticket list shows only its heading, or nothing when it has no tickets', () => {
    const folded = { isFolded: true, isPending: true }
    assert.deepEqual(rowKeys([statusGroup('done', ['a'], folded), statusGroup('cancelled', [], folded)]), [
      'group-done',
    ])
  })

  test('captured sentences that have no ticket yet are listed above the “To do” tickets', () => {
    assert.deepEqual(rowKeys([statusGroup('todo', ['a'])], ['Make it blue']), [
      'group-todo',
      'pending-Make it blue',
      'a',
    ])
    assert.deepEqual(rowKeys([statusGroup('todo', [])], ['x']), ['group-todo', 'pending-x'])
    assert.deepEqual(rowKeys([statusGroup('todo', [])], ['x', 'y', 'x']), [
      'group-todo',
      'pending-x',
      'pending-y',
    ])
  })

  test('the last row of a status in the ticket list says that tickets are loading, that more exist, or that loading failed', () => {
    assert.deepEqual(rowKeys([statusGroup('todo', [], { isPending: true, total: null })]), [
      'group-todo',
      'loading-todo',
    ])
    assert.deepEqual(rowKeys([statusGroup('todo', ['a'], { hasMore: true })]), [
      'group-todo',
      'a',
      'more-todo',
    ])
    assert.deepEqual(rowKeys([statusGroup('todo', [], { error: new Error('no') })]), [
      'group-todo',
      'failed-todo',
    ])
    assert.deepEqual(rowKeys([statusGroup('todo', [], { isPending: true, total: 0 })]), [])
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ticket, TicketStats } from '@slipway/sdk/client/types.gen.ts'
import { isOverdue, recount } from './ticket-stats.ts'

const NOW = Date.parse('2026-06-01T12:00:00Z')
const overdueTicket = {
  status: 'todo',
  type: 'bug',
  priority: 'low',
  dueAt: '2026-06-01T11:00:00Z',
} as Ticket
const stats: TicketStats = {
  total: 3,
  open: 2,
  overdue: 1,
  byStatus: { backlog: 0, todo: 2, in_progress: 0, in_review: 0, done: 1, cancelled: 0 },
  byType: { epic: 0, feature: 0, task: 2, bug: 1, chore: 0 },
  byPriority: { none: 2, low: 1, medium: 0, high: 0, urgent: 0 },
}

test('a ticket that becomes done is counted as done and no longer as overdue', () => {
  const after = recount(stats, overdueTicket, { ...overdueTicket, status: 'done' }, NOW)
  assert.deepEqual(after, {
    ...stats,
    open: 1,
    overdue: 0,
    byStatus: { ...stats.byStatus, todo: 1, done: 2 },
  })
})

test('a new ticket is added to the total count, the count of open tickets and the count of its type', () => {
  const { total, open, byType } = recount(stats, null, { ...overdueTicket, dueAt: null }, NOW)
  assert.deepEqual([total, open, byType.bug], [4, 3, 2])
})

test('a ticket is overdue when it is open and its due date is in the past', () => {
  assert.equal(isOverdue(overdueTicket, NOW), true)
  assert.equal(isOverdue({ ...overdueTicket, status: 'cancelled' }, NOW), false)
  assert.equal(isOverdue({ ...overdueTicket, dueAt: null }, NOW), false)
  assert.equal(isOverdue({ ...overdueTicket, dueAt: '2026-06-02T00:00:00Z' }, NOW), false)
})

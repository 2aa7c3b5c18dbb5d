import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { Budget, type BudgetClaim } from './budget.ts'

const NOW = Date.parse('2026-11-20T10:30:00Z')
const MINUTE_MS = 60_000
const claimOf = (key: string, limit: number, amount = 1): BudgetClaim => ({
  key,
  window: 'hour',
  limit,
  amount,
})

test('an hourly budget of three rejects the fourth reservation with the time at which the next is possible', () => {
  const budget = new Budget(memoryStorage())
  const reserve = (atMs: number) => budget.reserve([claimOf('mail', 3)], atMs)
  assert.deepEqual(
    [1, 2, 3].map(() => reserve(NOW).ok),
    [true, true, true],
  )
  assert.deepEqual(reserve(NOW), { ok: false, key: 'mail', retryAtMs: Date.parse('2026-11-20T11:00:00Z') })
  assert.equal(reserve(NOW + 30 * MINUTE_MS).ok, true)
})

test('a reservation that was settled as spent does not expire before the end of its hour', () => {
  const budget = new Budget(memoryStorage())
  const first = budget.reserve([claimOf('mail', 1)], NOW)
  assert.ok(first.ok)
  budget.settle(first.id)
  budget.settle(first.id)
  assert.equal(budget.reserve([claimOf('mail', 1)], NOW + 29 * MINUTE_MS).ok, false)
  assert.equal(budget.reserve([claimOf('mail', 2)], NOW + 29 * MINUTE_MS).ok, true)
})

test('releasing a reservation frees its amount in the budget at once', () => {
  const budget = new Budget(memoryStorage())
  const first = budget.reserve([claimOf('mail', 5, 5)], NOW)
  assert.ok(first.ok)
  assert.equal(budget.reserve([claimOf('mail', 5)], NOW).ok, false)
  budget.release(first.id)
  assert.equal(budget.reserve([claimOf('mail', 5)], NOW).ok, true)
})

test('a budget reservation that is neither settled nor released expires after ten minutes', () => {
  const budget = new Budget(memoryStorage())
  const first = budget.reserve([claimOf('mail', 1)], NOW)
  assert.ok(first.ok)
  assert.equal(budget.holds(first.id, NOW + 9 * MINUTE_MS), true)
  assert.equal(budget.reserve([claimOf('mail', 1)], NOW + 9 * MINUTE_MS).ok, false)
  assert.equal(budget.holds(first.id, NOW + 10 * MINUTE_MS), false)
  assert.equal(budget.reserve([claimOf('mail', 1)], NOW + 10 * MINUTE_MS).ok, true)
})

test('when one of several budget claims is rejected, none of them is reserved', () => {
  const budget = new Budget(memoryStorage())
  const refused = budget.reserve([claimOf('all', 10), { ...claimOf('one', 0), window: 'day' }], NOW)
  assert.deepEqual(refused, { ok: false, key: 'one', retryAtMs: Date.parse('2026-11-21T00:00:00Z') })
  assert.equal(budget.reserve([claimOf('all', 10, 10)], NOW).ok, true)
})

test('a monthly budget resets when the UTC month ends, and an earlier reservation counts in the old month', () => {
  const budget = new Budget(memoryStorage())
  const run = { key: 'ai', window: 'month' as const, limit: 1, amount: 1 }
  const [late, next] = [Date.parse('2026-11-30T23:59:59.999Z'), Date.parse('2026-12-01T00:00:00Z')]
  const last = budget.reserve([run], late)
  assert.ok(last.ok)
  assert.deepEqual(budget.reserve([run], late), { ok: false, key: 'ai', retryAtMs: next })
  assert.equal(budget.reserve([run], next).ok, true)
  budget.settle(last.id)
  assert.equal(budget.used({ key: 'ai', window: 'month' }, next), 1)
})

test('a budget reserved before a crash still counts after the restart, and is free again when the reservation expires', () => {
  const storage = memoryStorage()
  const run = { key: 'ai', window: 'month' as const, limit: 1, amount: 1 }
  assert.ok(new Budget(storage).reserve([run], NOW).ok)
  const restarted = new Budget(storage)
  assert.equal(restarted.reserve([run], NOW + 9 * MINUTE_MS).ok, false)
  const used = (atMs: number) => restarted.used({ key: 'ai', window: 'month' }, atMs)
  assert.equal(used(NOW + 9 * MINUTE_MS), 1)
  assert.equal(used(NOW + 10 * MINUTE_MS), 0)
})

test('the amount spent from a budget may differ from the reserved one, and counts in the month of the reservation', () => {
  const budget = new Budget(memoryStorage())
  const month = (amount: number): BudgetClaim => ({ key: 'video', window: 'month', limit: 10, amount })
  const reserved = budget.reserve([month(8)], NOW, 24 * 60 * MINUTE_MS)
  assert.ok(reserved.ok)
  const used = (atMs: number) => budget.used({ key: 'video', window: 'month' }, atMs)
  assert.equal(used(NOW + 23 * 60 * MINUTE_MS), 8, 'kept for a day')
  budget.settle(reserved.id, 2)
  assert.equal(used(NOW), 2)
  assert.equal(budget.reserve([month(9)], NOW).ok, false)
  assert.equal(budget.reserve([month(8)], NOW).ok, true)
  const next = Date.parse('2026-12-01T00:00:00Z')
  assert.equal(budget.reserve([month(9)], next - 1).ok, false)
  assert.equal(used(next), 0)
  assert.equal(budget.reserve([month(9)], next).ok, true)
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { cleanFilter, matchesFilter, hasFilter } from './ticket-filter.ts'

const bug = { status: 'todo', type: 'bug', priority: 'high', labels: ['app'], title: 'Crash' } as Ticket

describe('the filter of tickets', () => {
  test('a ticket matches a filter only if it matches every part of the filter', () => {
    assert.equal(matchesFilter(bug, {}), true)
    assert.equal(matchesFilter(bug, { status: 'todo', type: 'bug', priority: 'high', label: 'app' }), true)
    for (const other of [
      { status: 'done' },
      { type: 'task' },
      { priority: 'low' },
      { label: 'App' },
      { status: 'done', q: 'crash' },
    ] as const)
      assert.equal(matchesFilter(bug, other), false, JSON.stringify(other))
  })

  test('whether a ticket matches a search text is unknown to the console, because only the service can search', () => {
    assert.equal(matchesFilter(bug, { q: 'crash', type: 'bug' }), null)
  })

  test('empty parts of a ticket filter match everything and are not sent', () => {
    assert.equal(hasFilter({ q: '', status: undefined } as never), false)
    assert.equal(hasFilter({ label: 'app' }), true)
    assert.deepEqual(cleanFilter({ q: '', label: 'app', type: undefined } as never), { label: 'app' })
  })
})

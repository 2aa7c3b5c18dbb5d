import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { chooseTicket } from './selection.ts'

const ticket = (id: string, part: Partial<Ticket> = {}) =>
  ({ id, status: 'todo', build: { state: 'idle', runId: null, outcome: null }, ...part }) as Ticket
const running = { state: 'running', runId: 'run_1', outcome: null } as const

test('the ticket in the address comes first, then the one being built, then the newest open one', () => {
  const tickets = [ticket('new', { status: 'done' }), ticket('open'), ticket('busy', { build: running })]
  assert.equal(chooseTicket(tickets, 'open')?.id, 'open')
  assert.equal(chooseTicket(tickets, 'gone')?.id, 'busy')
  assert.equal(chooseTicket(tickets.slice(0, 2), undefined)?.id, 'open')
  assert.equal(chooseTicket(tickets.slice(0, 1), undefined)?.id, 'new')
  assert.equal(chooseTicket([], undefined), null)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { chooseTicket } from './selection.ts'

const ticketWith = (id: string, part: Partial<Ticket> = {}) =>
  ({
    id,
    status: 'todo',
    build: { state: 'idle', runId: null, outcome: null, refused: null },
    ...part,
  }) as Ticket
const runningState = { state: 'running', runId: 'run_1', outcome: null, refused: null } as const

test('without a ticket in the URL the workspace shows the ticket being built, otherwise the newest open ticket', () => {
  const tickets = [
    ticketWith('new', { status: 'done' }),
    ticketWith('open'),
    ticketWith('busy', { build: runningState }),
  ]
  assert.equal(chooseTicket(tickets)?.id, 'busy')
  assert.equal(chooseTicket(tickets.slice(0, 2))?.id, 'open')
  assert.equal(chooseTicket(tickets.slice(0, 1))?.id, 'new')
  assert.equal(chooseTicket([]), null)
})

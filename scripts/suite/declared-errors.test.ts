import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unprovokedErrors } from './declared-errors.ts'

test('a declared error that no test provokes is reported', () => {
  assert.deepEqual(
    unprovokedErrors(
      ['createTicket: conflict', 'createTicket: payment_required'],
      new Set(['createTicket: conflict', 'listTickets: not_found']),
    ),
    ['no test provokes “createTicket: payment_required”, which the endpoint declares'],
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareErrors } from './declared-errors.ts'

test('a declared error that no test provokes is reported, and so is an entry of the list of allowed gaps that is not needed', () => {
  const declared = ['createTicket: conflict', 'createTicket: payment_required', 'buildTicket: model_error']
  const provoked = new Set(['createTicket: conflict', 'listTickets: not_found'])
  assert.deepEqual(compareErrors(declared, provoked, ['buildTicket: model_error']), {
    missing: ['no test provokes “createTicket: payment_required”, which the endpoint declares'],
    needless: [],
  })
  assert.deepEqual(
    compareErrors(['createTicket: conflict'], provoked, ['createTicket: conflict', 'gone: conflict']),
    {
      missing: [],
      needless: [
        'the exception “createTicket: conflict” is needed no more: remove it',
        'the exception “gone: conflict” is needed no more: remove it',
      ],
    },
  )
})

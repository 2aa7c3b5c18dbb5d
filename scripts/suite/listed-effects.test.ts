import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareEffects } from './listed-effects.ts'

test('the check of listed effects reports an endpoint whose effects no test lists, and an exception that is no longer needed', () => {
  const endpoints = [{ name: 'createTicket' }, { name: 'createKey' }, { name: 'buildTicket' }]
  assert.deepEqual(compareEffects(endpoints, new Set(['createTicket', 'getTicket']), ['buildTicket']), [
    'no test lists what “createKey” leaves behind: events, activity and jobs',
  ])
  const all = new Set(['createTicket', 'createKey', 'buildTicket'])
  assert.deepEqual(compareEffects(endpoints, all, ['buildTicket']), [
    'the exception “buildTicket” is needed no more: remove it',
  ])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { recordFailure, onFailedCall, recentFailures } from './failure-ring.ts'

const notFoundAt = (path: string, requestId: string) =>
  new SlipwayError('No such ticket: “my secret plan”.', {
    code: 'not_found',
    status: 404,
    method: 'GET',
    path,
    requestId,
  })

test('the last five failed API calls are stored, without record ids and without text that a person wrote', () => {
  const heard: string[] = []
  onFailedCall((call) => heard.push(call.code))
  for (const n of [1, 2, 3, 4, 5, 6])
    recordFailure(notFoundAt('/api/v1/projects/prj_01KX0000000000000000000000/tickets/stats', `req-${n}`))
  const kept = recentFailures()
  assert.deepEqual(
    kept.map(({ requestId }) => requestId),
    ['req-2', 'req-3', 'req-4', 'req-5', 'req-6'],
  )
  assert.equal(kept[0]?.route, '/api/v1/projects/:id/tickets/stats')
  assert.doesNotMatch(JSON.stringify(kept), /secret/)
  assert.equal(heard.length, 6)
})

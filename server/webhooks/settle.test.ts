import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryOutcome } from './settle.ts'

const NOW = new Date('2026-11-20T18:00:00.000Z')
const FAILED = {
  eventId: 'evt_1',
  endpointId: 'whk_1',
  orgId: 'org_1',
  type: 'project.created',
  body: '{}',
  url: 'https://hooks.test',
  secret: '',
  claimedBy: 1,
}

test('the retries of a webhook follow after 30 seconds, 1, 2, 4 and 8 minutes, each pause stretched at random to at most its double', (t) => {
  let random = 0
  t.mock.method(Math, 'random', () => random)
  const pausesAt = (next: number) => {
    random = next
    return [0, 1, 2, 3, 4, 5].map((attempt) => {
      const { nextAt } = deliveryOutcome({ ...FAILED, attempt }, false, { now: NOW, baseSeconds: 30 })
      return nextAt && (nextAt.getTime() - NOW.getTime()) / 1000
    })
  }
  assert.deepEqual(pausesAt(0), [30, 60, 120, 240, 480, null])
  assert.deepEqual(pausesAt(0.5), [45, 90, 180, 360, 720, null])
  const longest = pausesAt(1 - 2 ** -53).map((seconds) => seconds && Math.round(seconds))
  assert.deepEqual(longest, [60, 120, 240, 480, 960, null])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CAPABILITIES } from '@slipway/sdk/capabilities.gen.ts'
import { isShown, show } from '../../testing/console.tsx'
import { Cost } from './cost.tsx'

test('an available capability shows its prices, what the plan includes and the price beyond that', () => {
  for (const [key, { isBuilt, prices }] of Object.entries(CAPABILITIES))
    assert.equal(prices.length > 0, isBuilt, key)
  show(<Cost info={CAPABILITIES.queue} />)
  for (const words of [
    'Cost: Queues operations',
    'Rows written',
    '50 million',
    '$1.00 a million',
    '$0.40 a million',
  ])
    assert.ok(isShown(words), words)
})

test('a capability that is not available shows no prices', () => {
  show(<Cost info={CAPABILITIES.video} />)
  assert.ok(isShown(/Stream minutes/))
  assert.ok(!isShown('What that is in money'))
})

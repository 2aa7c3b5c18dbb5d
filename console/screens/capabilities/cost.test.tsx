import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CAPABILITIES } from '@slipway/sdk/capabilities.gen.ts'
import { isShown, show } from '../../testing/console.tsx'
import { Cost } from './cost.tsx'

test('a capability shows its prices, the amount that the plan includes and the price of further use', () => {
  for (const [key, { prices }] of Object.entries(CAPABILITIES)) assert.ok(prices.length > 0, key)
  show(<Cost metadata={CAPABILITIES.queue} />)
  for (const words of [
    'Cost: By use. Each job that is written, read or removed',
    'Rows written',
    '50 million',
    '$1.00 a million',
    '$0.40 a million',
  ])
    assert.ok(isShown(words), words)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costUsd } from './prices.ts'

const tokens = { input: 1_000_000, output: 100_000, cacheRead: 600_000, cacheWrite: 100_000 }

test("tokens cost the provider's list price, and a dated version of a model costs the same as the model", () => {
  const cost = 0.3 * 3 + 0.6 * 0.3 + 0.1 * 3.75 + 0.1 * 15
  for (const model of ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929', 'claude-sonnet-4'])
    assert.equal(costUsd({ provider: 'anthropic', model }, tokens), Number(cost.toFixed(6)), model)
  assert.equal(
    costUsd({ provider: 'openai', model: 'gpt-5-mini' }, { ...tokens, cacheRead: 0, cacheWrite: 0 }),
    0.45,
  )
})

test('the cost of an unknown model, or of a model served by another provider, is null', () => {
  for (const [provider, model] of [
    ['anthropic', 'claude-next'],
    ['openai', 'gpt-5-mini-turbo'],
    ['openai-compatible', 'claude-sonnet-4-5'],
    ['constructor', 'x'],
  ] as const)
    assert.equal(costUsd({ provider, model }, tokens), null, model)
})

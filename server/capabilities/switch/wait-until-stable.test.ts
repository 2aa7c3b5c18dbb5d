import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { waitUntilStable } from './wait-until-stable.ts'

const { signal } = new AbortController()

describe('gathering changes', () => {
  /** Returns a state and a clock. Each read of the state advances the clock by 10 ms. */
  const looking = (stateAt: (look: number) => string) => {
    let looks = 0
    return { look: () => Promise.resolve(stateAt(looks++)), now: () => looks * 10, count: () => looks }
  }

  test('waiting for further capability changes ends 40 ms after the last change', async () => {
    const { look, now, count } = looking((at) => String(Math.min(at, 5)))
    await waitUntilStable(look, { signal, now })
    assert.equal(count(), 1 + 5 + 4)
  })

  test('waiting for further capability changes ends after 40 ms when nothing changes', async () => {
    const { look, now, count } = looking(() => '1')
    await waitUntilStable(look, { signal, now })
    assert.equal(count(), 1 + 4)
  })

  test('waiting for further capability changes ends after a maximum time even if changes continue', async () => {
    const { look, now, count } = looking(String)
    await waitUntilStable(look, { signal, now })
    assert.equal(count(), 40)
  })

  test('waiting for further capability changes ends when the service stops', async () => {
    const stopping = AbortSignal.abort(new Error('stopping'))
    await assert.rejects(waitUntilStable(() => Promise.resolve('1'), { signal: stopping }))
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gatherChanges } from './gather.ts'

const { signal } = new AbortController()

describe('gathering changes', () => {
  test('what changes while it waits is waited for, and then it begins', async () => {
    const states = ['1', '2', '3', '3', '4']
    let reads = 0
    await gatherChanges(() => Promise.resolve(states[reads++] ?? ''), { signal })
    assert.equal(reads, 4)
  })

  test('changes without an end are not waited for for ever', async () => {
    let [reads, clock] = [0, 0]
    const state = () => Promise.resolve(String(reads++))
    await gatherChanges(state, { signal, now: () => (clock += 100) })
    assert.equal(reads, 5)
  })

  test('a service that stops ends the waiting', async () => {
    const stopping = AbortSignal.abort(new Error('stopping'))
    await assert.rejects(gatherChanges(() => Promise.resolve('1'), { signal: stopping }))
  })
})

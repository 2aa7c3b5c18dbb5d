import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DeltaWriter } from './deltas.ts'
import type { BuildFrame } from '../frames.ts'

/** Longer than the window in which deltas are collected. */
const WINDOW_MS = 120

describe('the streamed pieces (deltas) of a model call', () => {
  /** A store whose first write is pending until the test resolves it. */
  function slowStore() {
    const stored: BuildFrame[][] = []
    const first = Promise.withResolvers<void>()
    const append = async (frames: BuildFrame[]) => {
      if (stored.length === 0) await first.promise
      stored.push(frames)
    }
    const writer = new DeltaWriter(append, {
      announced: [{ type: 'step', n: 1, limit: 60 }],
      onFailure: (error) => assert.fail(String(error)),
    })
    return { writer, stored, release: first.resolve }
  }

  test('streamed text not yet stored when a model call ends is returned to the caller and not stored afterwards', async () => {
    const { writer, stored, release } = slowStore()
    writer.add({ text: 'Almost ' })
    const rest = writer.takeRest()
    await sleep(WINDOW_MS)
    release()
    assert.deepEqual(await rest, [{ type: 'delta', text: 'Almost ' }])
    await sleep(WINDOW_MS)
    assert.deepEqual(stored, [[{ type: 'step', n: 1, limit: 60 }]])
  })

  test('streamed model text that arrives during a database write is merged and stored in order', async () => {
    const { writer, stored, release } = slowStore()
    for (const text of ['one ', 'two ', 'three']) writer.add({ text })
    release()
    await writer.flush()
    assert.deepEqual(stored.slice(1).flat(), [{ type: 'delta', text: 'one two three' }])
  })
})

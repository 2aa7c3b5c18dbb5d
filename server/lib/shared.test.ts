import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoizePromise } from './shared.ts'

test('a lazily created shared value is created once for simultaneous calls, and again after a failure', async () => {
  let made = 0
  const read = memoizePromise(async () => {
    made++
    if (made === 1) throw new Error('not yet')
    return made
  })
  await Promise.all([assert.rejects(read(), /not yet/), assert.rejects(read(), /not yet/)])
  assert.deepEqual(await Promise.all([read(), read()]), [2, 2])
  assert.equal(await read(), 2)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OneAtATime } from './one-at-a-time.ts'

test('work with the same key runs one after the other, also after a failure, and work with another key does not wait', async () => {
  const queue = new OneAtATime()
  const call = Promise.withResolvers<void>()
  const runs: string[] = []
  const first = queue.run('a', async () => {
    await call.promise
    runs.push('first')
    throw new Error('first failed')
  })
  const second = queue.run('a', async () => runs.push('second'))
  await queue.run('b', async () => runs.push('other'))
  assert.deepEqual(runs, ['other'])
  call.resolve()
  await assert.rejects(first, /first failed/)
  await second
  assert.deepEqual(runs, ['other', 'first', 'second'])
})

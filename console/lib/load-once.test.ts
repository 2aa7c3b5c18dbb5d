import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadOnce } from './load-once.ts'

test('a function from `loadOnce` loads only once for concurrent and later calls', async () => {
  let loads = 0
  const load = loadOnce(async () => void loads++)
  await Promise.all([load(), load()])
  await load()
  assert.equal(loads, 1)
})

test('a function from `loadOnce` throws when its load fails, and loads again at the next call', async () => {
  let loads = 0
  const load = loadOnce(async () => {
    if (++loads === 1) throw new TypeError('Failed to fetch dynamically imported module')
  })
  await assert.rejects(load(), TypeError)
  await load()
  await load()
  assert.equal(loads, 2)
})

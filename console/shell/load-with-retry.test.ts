import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadWithRetry } from './load-with-retry.ts'

test('a failed module load is retried at growing intervals, even while the service reports that it is healthy', async () => {
  const waits: number[] = []
  let [asked, backs] = [0, 0]
  const part = await loadWithRetry(
    async () => {
      if (++asked <= 8) throw new TypeError('Failed to fetch dynamically imported module')
      return 'part'
    },
    { whenBack: async () => void backs++, wait: async (ms) => void waits.push(ms) },
  )
  assert.deepEqual([part, asked, backs], ['part', 9, 8])
  assert.deepEqual(waits, [500, 1000, 2000, 5000, 15_000, 60_000, 60_000, 60_000])
})

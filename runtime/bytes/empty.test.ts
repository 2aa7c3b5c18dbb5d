import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from './bucket.ts'
import { deleteFirstObjects } from './empty.ts'

test('emptying a bucket deletes a thousand keys per call, and makes no delete call for an empty bucket', async () => {
  const keys = new Set(Array.from({ length: 2001 }, (_, n) => `k${n}`))
  let calls = 0
  const bucket = {
    list: async ({ limit = 0 }) => {
      const objects = [...keys].slice(0, limit).map((key) => ({ key }) as StoredObject)
      return { objects, truncated: keys.size > limit }
    },
    delete: async (gone: string | string[]) => {
      calls += 1
      for (const key of gone) keys.delete(key)
    },
  }
  const rounds: [number, boolean][] = []
  for (let isEmpty = false; !isEmpty;) {
    const done = await deleteFirstObjects(bucket)
    rounds.push([done.removed, done.isEmpty])
    ;({ isEmpty } = done)
  }
  assert.deepEqual(rounds, [
    [1000, false],
    [1000, false],
    [1, true],
  ])
  assert.deepEqual([await deleteFirstObjects(bucket), calls], [{ removed: 0, isEmpty: true }, 3])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestSlots } from './request-slots.ts'
import { WaitRefusedError } from '../../workerd/groups.ts'

test('requests wait for a free slot in the order of their arrival', async () => {
  const places = new RequestSlots(1, { waiting: 2, waitMs: 10_000 })
  await places.take()
  const entered: string[] = []
  const first = places.take().then(() => entered.push('first'))
  const second = places.take().then(() => entered.push('second'))
  places.release()
  await first
  assert.deepEqual(entered, ['first'])
  places.release()
  await second
  places.release()
  await places.take()
})

test('a request is refused when no slot becomes free in time, and immediately when too many wait', async () => {
  const places = new RequestSlots(1, { waiting: 1, waitMs: 20 })
  await places.take()
  const first = places.take()
  await assert.rejects(places.take(), WaitRefusedError)
  await assert.rejects(first, WaitRefusedError)
  places.release()
  await places.take()
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestSlots } from './request-slots.ts'
import { WaitRefusedError } from '../../workerd/groups.ts'

test('requests to an app wait for a free slot in the order of their arrival', async () => {
  const slots = new RequestSlots(1, { waiting: 2, waitMs: 10_000 })
  await slots.take()
  const entered: string[] = []
  const first = slots.take().then(() => entered.push('first'))
  const second = slots.take().then(() => entered.push('second'))
  slots.release()
  await first
  assert.deepEqual(entered, ['first'])
  slots.release()
  await second
  slots.release()
  await slots.take()
})

test('a request to an app is refused when no slot becomes free in time, and immediately when too many wait', async () => {
  const slots = new RequestSlots(1, { waiting: 1, waitMs: 20 })
  await slots.take()
  const first = slots.take()
  await assert.rejects(slots.take(), WaitRefusedError)
  await assert.rejects(first, WaitRefusedError)
  slots.release()
  await slots.take()
})

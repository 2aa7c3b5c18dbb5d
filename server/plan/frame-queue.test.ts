import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FrameQueue } from './frame-queue.ts'
import type { PlanFrame } from './message.ts'

const never = new AbortController().signal
const textFrame = (value: string): PlanFrame => ({ type: 'delta', text: value })
const toolFrame = (name: string): PlanFrame => ({
  type: 'tool',
  id: name,
  name,
  args: {},
  ok: true,
  result: '',
  ms: 1,
})

describe('the queue of frames to a reader', () => {
  test('queued stream frames arrive in order, and adjacent deltas of the same tool and path are merged', async () => {
    const queue = new FrameQueue()
    queue.push(textFrame('a'))
    queue.push(textFrame('b'))
    queue.push({ type: 'delta', reasoning: 'hm', tool: 'x', toolChars: 1 })
    queue.push({ type: 'delta', tool: 'x', toolChars: 2 })
    queue.push(toolFrame('x'))
    queue.push(textFrame('c'))
    queue.end()
    assert.deepEqual(await Array.fromAsync(queue.read(never)), [
      textFrame('ab'),
      { type: 'delta', reasoning: 'hm', tool: 'x', toolChars: 3 },
      toolFrame('x'),
      textFrame('c'),
    ])
  })

  test('a waiting reader of stream frames gets the next frame, and a disconnect ends its read', async () => {
    const queue = new FrameQueue()
    const leaving = new AbortController()
    const reader = queue.read(leaving.signal)
    const first = reader.next()
    queue.push(textFrame('a'))
    assert.deepEqual((await first).value, textFrame('a'))
    const second = reader.next()
    leaving.abort()
    assert.equal((await second).done, true)
  })

  test('stream frames for a disconnected reader are dropped', async () => {
    const queue = new FrameQueue()
    const reader = queue.read(never)
    const first = reader.next()
    queue.push(textFrame('a'))
    await first
    await reader.return(undefined)
    queue.push(textFrame('b'))
    assert.deepEqual(await Array.fromAsync(queue.read(never)), [])
  })
})

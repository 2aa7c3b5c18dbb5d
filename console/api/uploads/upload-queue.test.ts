import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { UploadQueue } from './upload-queue.ts'

/** A queue whose uploads end when the test ends them. */
function setUp() {
  let done = 0
  const running = new Map<string, PromiseWithResolvers<void> & { signal: AbortSignal }>()
  const queue = new UploadQueue(() => done++)
  const job = (path: string) => ({
    path,
    size: 10,
    run: (signal: AbortSignal, onSent: (bytes: number) => void) => {
      const ends = { ...Promise.withResolvers<void>(), signal }
      running.set(path, ends)
      onSent(5)
      return ends.promise
    },
  })
  const states = () => queue.get().map(({ path, state }) => `${path} ${state}`)
  return { queue, job, running, states, done: () => done }
}

describe('the uploads', () => {
  test('three uploads run at a time, and the next one starts when one of them ends', async () => {
    const { queue, job, running, states, done } = setUp()
    queue.add(['a', 'b', 'c', 'd', 'e'].map(job))
    assert.deepEqual(states(), ['a sending', 'b sending', 'c sending', 'd waiting', 'e waiting'])
    assert.equal(queue.get()[0]?.sent, 5)
    running.get('b')?.resolve()
    await turn()
    assert.deepEqual(states(), ['a sending', 'c sending', 'd sending', 'e waiting'])
    assert.equal(done(), 1)
  })

  test('a failed upload stays in the list with its error until it is retried', async () => {
    const { queue, job, running, states, done } = setUp()
    queue.add([job('a')])
    running.get('a')?.reject(new Error('refused'))
    await turn()
    assert.deepEqual(states(), ['a failed'])
    assert.match(String(queue.get()[0]?.error), /refused/)
    queue.retry(queue.get()[0]?.id ?? 0)
    assert.deepEqual(states(), ['a sending'])
    running.get('a')?.resolve()
    await turn()
    assert.deepEqual([states(), done()], [[], 1])
  })

  test('removing an upload from the queue aborts it, and the next one starts', async () => {
    const { queue, job, running, states, done } = setUp()
    queue.add(['a', 'b', 'c', 'd'].map(job))
    queue.drop(queue.get()[0]?.id ?? 0)
    assert.equal(running.get('a')?.signal.aborted, true)
    assert.deepEqual(states(), ['b sending', 'c sending', 'd sending'])
    running.get('a')?.reject(new Error('aborted'))
    await turn()
    assert.deepEqual([states().length, done()], [3, 0])
    queue.stop()
    assert.deepEqual(states(), [])
    assert.equal(running.get('d')?.signal.aborted, true)
  })
})

import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { insertMessages } from './messages.ts'
import { pullMessages, settlePulled } from './pull.ts'
import type { Consumer } from './store.ts'
import { openQueues, storedTexts, textMessage } from './testing.ts'

const SETTINGS = {
  batch_size: 10,
  max_retries: 1,
  max_wait_time_ms: 0,
  max_concurrency: null,
  retry_delay: 5,
  visibility_timeout_ms: 30_000,
}

describe('messages that are pulled from a queue', () => {
  let world: ReturnType<typeof openQueues>
  let consumer: Consumer
  let now: number
  beforeEach(() => {
    now = 1_000_000
    world = openQueues(now)
    consumer = world.setConsumer('http_pull', SETTINGS)
  })
  afterEach(() => world.store.close())

  const source = () => ({ queue: world.queue, consumer })
  const send = (...texts: string[]) => {
    for (const text of texts) insertMessages(world.store, world.queue, [textMessage(text)], now++)
  }
  const pull = (limit = 10, visibilityMs = 1000) =>
    pullMessages(world.store, source(), { limit, visibilityMs, at: now }).map(({ message, leaseId }) => ({
      text: Buffer.from(message.body).toString(),
      failures: message.failures,
      leaseId,
    }))
  const textsOf = (pulled: ReturnType<typeof pull>) => pulled.map(({ text, failures }) => [text, failures])
  const settle = (id: string, isAcked: boolean, delaySeconds?: number) =>
    settlePulled(world.store, source(), [{ id, isAcked, delaySeconds }], now)

  test('a pulled queue message is hidden from other clients until its lease ends, and then counts as failed once', () => {
    send('a')
    assert.deepEqual(textsOf(pull()), [['a', 0]])
    now += 999
    assert.deepEqual(pull(), [])
    now += 1
    assert.deepEqual(textsOf(pull()), [['a', 1]])
  })

  test('each queue message whose lease ended counts as failed, even if the next pull does not return the message', () => {
    send('a', 'b', 'c')
    assert.deepEqual(textsOf(pull()), [
      ['a', 0],
      ['b', 0],
      ['c', 0],
    ])
    now += 2000
    const again = [...textsOf(pull(1)), ...textsOf(pull(1)), ...textsOf(pull(1))]
    assert.deepEqual(again.toSorted(), [
      ['a', 1],
      ['b', 1],
      ['c', 1],
    ])
  })

  test('a queue message whose lease ends at its last attempt moves to the dead letter queue as a new message', () => {
    send('a')
    pull()
    now += 1000
    assert.deepEqual(textsOf(pull()), [['a', 1]])
    now += 1000
    send('b')
    assert.deepEqual(textsOf(pull()), [['b', 0]])
    assert.deepEqual(storedTexts(world, world.queue), [['b', 0]])
    assert.deepEqual(storedTexts(world, world.dead), [['a', 0]])
  })

  test('an acknowledged queue message is deleted, and a retried one is delivered again after its delay', () => {
    send('a', 'b', 'c')
    const [a, b, c] = pull().map(({ leaseId }) => leaseId) as [string, string, string]
    assert.deepEqual(settle(a, true), { acked: 1, retried: 0, unknown: [] })
    assert.deepEqual(settle(b, false, 0), { acked: 0, retried: 1, unknown: [] })
    assert.deepEqual(settle(c, false), { acked: 0, retried: 1, unknown: [] })
    assert.deepEqual(textsOf(pull()), [['b', 1]])
    now += 5000
    assert.deepEqual(textsOf(pull()), [['c', 1]])
    assert.deepEqual(storedTexts(world, world.dead), [['b', 0]])
  })

  test('an expired, used or malformed queue lease id is reported as unknown and changes nothing', () => {
    send('a', 'b')
    const [a, b] = pull().map(({ leaseId }) => leaseId) as [string, string]
    settle(a, true)
    const [seq] = b.split('.')
    for (const id of [a, '', '.', seq ?? '', `${seq}.`, `${seq}.x`, `x.${b}`, `${'9'.repeat(400)}.x`])
      assert.deepEqual(settle(id, true), { acked: 0, retried: 0, unknown: [id] }, id)
    now += 1000
    assert.deepEqual(settle(b, true), { acked: 0, retried: 0, unknown: [b] }, 'it ended now')
    assert.deepEqual(storedTexts(world, world.queue), [['b', 0]])
  })

  test('a queue lease listed twice in one request is settled once, and the repeat is reported as unknown', () => {
    send('a')
    const [{ leaseId: id }] = pull() as [ReturnType<typeof pull>[number]]
    const lease = { id, isAcked: true, delaySeconds: undefined }
    assert.deepEqual(settlePulled(world.store, source(), [lease, { ...lease, isAcked: false }], now), {
      acked: 1,
      retried: 0,
      unknown: [id],
    })
  })
})

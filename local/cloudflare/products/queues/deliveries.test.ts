import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { silentLog } from '../../../world/log.ts'
import type { Store } from '../../../world/store.ts'
import { type Batch, QueueDeliveries, DeliveryInterruptedError } from './deliveries.ts'
import { insertMessages, readMetrics } from './messages.ts'
import { type ConsumerSettings, type Queue, readQueue } from './store.ts'
import { type BatchOutcome, failedRun } from './settle.ts'
import { openQueues, textMessage } from './testing.ts'

const successfulRun: BatchOutcome = { ...failedRun, outcome: 'ok' }
const USUAL: ConsumerSettings = {
  batch_size: 2,
  max_retries: 1,
  max_wait_time_ms: 1000,
  max_concurrency: 1,
  retry_delay: 5,
  visibility_timeout_ms: 30_000,
}

describe('delivery of queue messages', () => {
  let world: ReturnType<typeof openQueues>
  let store: Store
  let now: number
  let queue: Queue
  let dead: Queue
  let deliveries: QueueDeliveries
  let batches: Batch[]
  let answer: (batch: Batch) => Promise<BatchOutcome>

  const openDeliveries = () => {
    deliveries = new QueueDeliveries({
      store,
      now: () => now,
      log: silentLog,
      deliver: (batch) => {
        batches.push(batch)
        return answer(batch)
      },
    })
    deliveries.start()
  }

  beforeEach(() => {
    now = Date.now()
    batches = []
    answer = async () => successfulRun
    world = openQueues(now)
    ;({ store, queue, dead } = world)
    addConsumer(USUAL)
    openDeliveries()
  })
  afterEach(() => {
    deliveries.close()
    store.close()
  })

  const addConsumer = (settings: ConsumerSettings) => world.setConsumer('worker', settings)
  const sendTexts = (...texts: string[]) => {
    insertMessages(store, queue, texts.map(textMessage), now)
    deliveries.check(queue.id)
  }
  const advanceClock = (ms: number) => {
    now += ms
    deliveries.check(queue.id)
  }
  const deliveredTexts = () =>
    batches.map(({ messages }) => messages.map(({ body }) => Buffer.from(body).toString()))
  const countLeft = (of = queue) => readMetrics(store, of.id).count
  // Waits long enough for deliveries to resolve.
  const waitForDeliveries = () => sleep(1)

  test('a full queue batch is delivered immediately, and a partial batch after its wait time', async () => {
    sendTexts('a', 'b', 'c')
    await waitForDeliveries()
    assert.deepEqual(deliveredTexts(), [['a', 'b']])
    advanceClock(999)
    assert.equal(batches.length, 1)
    advanceClock(1)
    await waitForDeliveries()
    assert.deepEqual(deliveredTexts(), [['a', 'b'], ['c']])
    assert.equal(countLeft(), 0)
  })

  test('a delayed queue message is not delivered before its delay has passed', async () => {
    insertMessages(store, queue, [{ format: 'text', body: Buffer.from('x'), delaySeconds: 60 }], now)
    advanceClock(60_999)
    assert.equal(batches.length, 0)
    advanceClock(1)
    await waitForDeliveries()
    assert.equal(batches.length, 1)
  })

  test("no more queue batches run at once than the consumer's concurrency allows", async () => {
    const done: (() => void)[] = []
    answer = () => new Promise((resolve) => done.push(() => resolve(successfulRun)))
    sendTexts('a', 'b', 'c', 'd')
    assert.deepEqual(deliveredTexts(), [['a', 'b']])
    done[0]?.()
    await waitForDeliveries()
    assert.equal(batches.length, 2)
    done[1]?.()
    await waitForDeliveries()
  })

  test('a failed queue batch is retried after the delay, and moves to the dead letter queue after the last retry', async () => {
    answer = async () => failedRun
    sendTexts('a', 'b')
    await waitForDeliveries()
    advanceClock(4999)
    assert.equal(batches.length, 1)
    advanceClock(1)
    await waitForDeliveries()
    assert.deepEqual(
      batches.map(({ messages }) => messages.map(({ failures }) => failures)),
      [
        [0, 0],
        [1, 1],
      ],
    )
    assert.deepEqual([countLeft(), countLeft(dead)], [0, 2])
  })

  test('acknowledging or retrying a single queue message takes precedence over a failure of its whole batch', async () => {
    answer = async ({ messages }) => ({
      ...failedRun,
      explicitAcks: [messages[0]?.id ?? ''],
      retryMessages: [{ msgId: messages[1]?.id ?? '', delaySeconds: 60 }],
    })
    sendTexts('a', 'b')
    await waitForDeliveries()
    assert.equal(countLeft(), 1)
    advanceClock(59_000)
    assert.equal(batches.length, 1)
    advanceClock(2000)
    await waitForDeliveries()
    assert.deepEqual(deliveredTexts()[1], ['b'])
  })

  test('an interrupted queue delivery is repeated and does not count as an attempt', async () => {
    let interruptions = 0
    answer = async () => {
      interruptions++
      if (interruptions < 5) throw new DeliveryInterruptedError(1)
      return successfulRun
    }
    sendTexts('a', 'b')
    while (countLeft() > 0) await waitForDeliveries()
    assert.equal(batches.length, 5)
    assert.ok(batches.every(({ messages }) => messages.every(({ failures }) => failures === 0)))
    assert.equal(countLeft(dead), 0)
  })

  test('a queue message that was being delivered when the process died is delivered by the next process', async () => {
    answer = () => new Promise(() => {})
    sendTexts('a', 'b')
    deliveries.close()
    answer = async () => successfulRun
    openDeliveries()
    await waitForDeliveries()
    assert.deepEqual(deliveredTexts(), [
      ['a', 'b'],
      ['a', 'b'],
    ])
    assert.equal(countLeft(), 0)
  })

  test('a paused queue keeps its messages, and an expired message is deleted', async () => {
    store.run('UPDATE queues SET is_paused = 1 WHERE id = ?', queue.id)
    sendTexts('a', 'b')
    await waitForDeliveries()
    assert.deepEqual([batches.length, countLeft()], [0, 2])
    store.run('UPDATE queues SET is_paused = 0 WHERE id = ?', queue.id)
    now += 3_600_000
    deliveries.checkAll()
    await waitForDeliveries()
    assert.deepEqual([batches.length, countLeft()], [0, 0])
  })

  test("after one message is acknowledged and a second one retried, the queue's backlog is one message", async () => {
    answer = async ({ messages }) => ({ ...successfulRun, retryMessages: [{ msgId: messages[0]?.id ?? '' }] })
    sendTexts('aaa', 'bbb')
    await waitForDeliveries()
    const { backlogCount, backlogBytes } = readQueue(store, queue.id) as Queue
    assert.deepEqual([backlogCount, backlogBytes], [1, 3])
  })
})

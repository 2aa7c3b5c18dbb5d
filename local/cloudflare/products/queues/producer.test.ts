import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { handleProducer } from './producer.ts'
import { openQueues, storedTexts } from './testing.ts'

const NOW = 1_000_000

describe('messages that a worker sends to a queue', () => {
  let world: ReturnType<typeof openQueues>
  let checked: string[]
  beforeEach(() => {
    world = openQueues(NOW)
    checked = []
  })
  afterEach(() => world.store.close())

  const send = async (
    path: string,
    body: Uint8Array | object,
    { headers = {}, props = {} }: { headers?: Record<string, string>; props?: object } = {},
  ) => {
    const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body))
    const response = await handleProducer(
      { store: world.store, now: () => NOW, check: (queueId) => checked.push(queueId) },
      {
        props: { accountId: world.accountId, queue: 'jobs', ...props },
        method: 'POST',
        path,
        headers: new Headers(headers),
        bytes: async () => bytes,
      },
    )
    return [response.status, await response.text()]
  }
  const one = (size: number, headers: Record<string, string> = {}, props: object = {}) =>
    send('/message', Buffer.alloc(size, 'x'), { headers: { 'x-msg-fmt': 'text', ...headers }, props })
  const batchOf = (...sizes: number[]) =>
    send('/batch', {
      messages: sizes.map((size) => ({
        contentType: 'text',
        body: Buffer.alloc(size, 'x').toString('base64'),
      })),
    })
  const metrics = (backlogCount: number, backlogBytes: number, oldestMessageTimestamp = NOW) => ({
    backlogCount,
    backlogBytes,
    oldestMessageTimestamp,
  })
  const stored = (count: number, bytes: number) => [
    200,
    JSON.stringify({ metadata: { metrics: metrics(count, bytes) } }),
  ]
  const visibleAfter = () =>
    world.store
      .all<{ visible_at: number }>('SELECT visible_at FROM queue_messages ORDER BY seq')
      .map((row) => (row.visible_at - NOW) / 1000)

  test("a message sent to a queue is stored before the response with the backlog, and triggers the queue's delivery", async () => {
    assert.deepEqual(await send('/metrics', {}), [200, JSON.stringify(metrics(0, 0, 0))])
    assert.deepEqual(await one(3), stored(1, 3))
    assert.deepEqual(await one(0), stored(2, 3))
    assert.deepEqual(storedTexts(world, world.queue), [
      ['xxx', 0],
      ['', 0],
    ])
    assert.deepEqual(checked, [world.queue.id, world.queue.id])
  })

  test('a queue message of 128,000 bytes is accepted and a larger one refused, alone or in a batch', async () => {
    assert.deepEqual(await one(128_000), stored(1, 128_000))
    const refused = [413, 'message length of 128001 bytes exceeds limit of 128000']
    assert.deepEqual([await one(128_001), await batchOf(1, 128_001)], [refused, refused])
    assert.deepEqual(storedTexts(world, world.queue).length, 1)
  })

  test('a queue batch of a hundred messages or 256,000 bytes is accepted, and nothing of a larger batch is stored', async () => {
    assert.deepEqual(await batchOf(128_000, 128_000), stored(2, 256_000))
    assert.deepEqual(await batchOf(128_000, 128_000, 1), [
      413,
      'batch size of 256001 bytes exceeds limit of 256000',
    ])
    const hundred = Array.from({ length: 100 }, () => 1)
    assert.deepEqual(await batchOf(...hundred), stored(102, 256_100))
    assert.deepEqual(await batchOf(...hundred, 1), [413, 'batch message count of 101 exceeds limit of 100'])
    assert.deepEqual(checked.length, 2)
  })

  test("a queue message is delayed by its own delay, or else by the call's, the binding's or the queue's", async () => {
    world.store.run('UPDATE queues SET delivery_delay_s = 7')
    const messages = [{ contentType: 'text', body: '', delaySecs: 0 }, { body: '' }]
    const headers = { 'x-msg-delay-secs': '30' }
    await send('/batch', { messages }, { headers, props: { delaySeconds: 20 } })
    await send('/batch', { messages: [{ body: '' }] }, { props: { delaySeconds: 20 } })
    await one(1, {}, { delaySeconds: 0 })
    await one(1)
    assert.deepEqual(visibleAfter(), [0, 30, 20, 0, 7])
  })

  test('a queue message may be delayed by up to a day, and a longer, negative or malformed delay is refused', async () => {
    assert.equal((await one(1, { 'x-msg-delay-secs': '86400' }))[0], 200)
    for (const [text, shown] of [
      ['86401', '86401'],
      ['-1', '-1'],
      ['1.5', '1.5'],
      ['soon', 'NaN'],
    ] as const)
      assert.deepEqual(await one(1, { 'x-msg-delay-secs': text }), [400, `message delay ${shown} is invalid`])
    assert.deepEqual(visibleAfter(), [86_400])
  })

  test('a queue message without a content type is stored in the format v8, and an unknown content type is refused', async () => {
    await send('/message', Buffer.from('x'))
    await send('/batch', { messages: [{ body: 'eA==' }] })
    assert.deepEqual(
      world.store.all<{ format: string }>('SELECT format FROM queue_messages').map(({ format }) => format),
      ['v8', 'v8'],
    )
    const refused = [400, 'message content type xml is invalid']
    assert.deepEqual(await one(1, { 'x-msg-fmt': 'xml' }), refused)
    assert.deepEqual(await send('/batch', { messages: [{ contentType: 'xml', body: '' }] }), refused)
  })

  test("sending to a deleted queue or another account's queue returns an error with the headers that the runtime reads", async () => {
    const missing = [404, 'Queue jobs does not exist.']
    assert.deepEqual(await one(1, {}, { accountId: 'another' }), missing)
    const response = await handleProducer(
      { store: world.store, now: () => NOW, check: () => undefined },
      {
        props: { accountId: 'another', queue: 'jobs' },
        method: 'POST',
        path: '/message',
        headers: new Headers(),
        bytes: async () => new Uint8Array(),
      },
    )
    assert.deepEqual(
      ['cf-queues-error-code', 'cf-queues-error-cause'].map((name) => response.headers.get(name)),
      ['10023', 'Queue jobs does not exist.'],
    )
  })
})

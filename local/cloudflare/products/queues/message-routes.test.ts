import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud, uploadForm } from '../../../testing/cloud.ts'
import { createAccount } from '../../accounts/accounts.ts'
import { issueToken } from '../../accounts/tokens.ts'

interface Pulled {
  messages: { id: string; body: string; lease_id: string; attempts: number }[]
}

describe('messages and the consumer of a queue over REST', () => {
  let cloud: TestCloud
  let queue: string
  let dead: string
  beforeEach(async () => {
    cloud = testCloud()
    const create = async (name: string) =>
      ((await cloud.call('POST', '/A/queues', { queue_name: name })).result as { queue_id: string }).queue_id
    queue = await create('jobs')
    dead = await create('dead')
  })
  afterEach(() => cloud.close())

  const call = async (method: string, path: string, body?: object, token?: string) => {
    const answer = await cloud.call(method, `/A/queues/${queue}${path}`, body, token)
    return answer.success ? answer.result : [answer.status, answer.errors[0]?.code]
  }
  const push = (body: unknown, more: object = {}) =>
    call('POST', '/messages', { body, content_type: 'text', ...more })
  const pushBatch = (messages: object[], more: object = {}) =>
    call('POST', '/messages/batch', { messages, ...more })
  const text = (size: number) => ({ body: 'x'.repeat(size), content_type: 'text' })
  const addConsumer = (more: object = {}) => call('POST', '/consumers', { type: 'http_pull', ...more })
  const pull = async (body: object = {}) => ((await call('POST', '/messages/pull', body)) as Pulled).messages
  const pulledBodies = async () => (await pull({ batch_size: 100 })).map(({ body }) => body)
  const metrics = (backlog: number, bytes: number) => ({
    metadata: {
      metrics: {
        backlog_count: backlog,
        backlog_bytes: bytes,
        oldest_message_timestamp_ms: backlog === 0 ? 0 : cloud.now(),
      },
    },
  })

  test('a message sent to a queue by API is stored as JSON unless its content type is text, and triggers delivery', async () => {
    assert.deepEqual(await push('hi'), metrics(1, 2))
    assert.deepEqual(await call('POST', '/messages', { body: { a: 1 } }), metrics(2, 9))
    await call('POST', '/messages', { body: null })
    assert.deepEqual(await call('POST', '/messages', {}), [400, 10001])
    assert.deepEqual(cloud.checked, [queue, queue, queue])
    await addConsumer()
    assert.deepEqual(await pulledBodies(), ['hi', '{"a":1}', 'null'])
  })

  test('the queue API refuses a message over 128,000 bytes, and a batch over 256,000 bytes or a hundred messages', async () => {
    assert.deepEqual(await push('x'.repeat(128_000)), metrics(1, 128_000))
    assert.deepEqual(await pushBatch([text(128_000), text(128_000)]), metrics(3, 384_000))
    assert.deepEqual(await pushBatch(Array.from({ length: 100 }, () => text(1))), metrics(103, 384_100))
    const refused = [
      await push('x'.repeat(128_001)),
      await push('ä'.repeat(64_001)),
      await pushBatch([text(1), text(128_001)]),
      await pushBatch([text(128_000), text(128_000), text(1)]),
      await pushBatch(Array.from({ length: 101 }, () => text(1))),
      await pushBatch([]),
    ]
    assert.deepEqual(refused, [...Array.from({ length: 4 }, () => [413, 11011]), [400, 10001], [400, 10001]])
    assert.deepEqual(cloud.checked.length, 3)
  })

  test("a queue message is delayed by its own delay_seconds, or else by the batch's delay_seconds", async () => {
    const message = (body: string, delay?: number) => ({
      body,
      content_type: 'text',
      ...(delay !== undefined && { delay_seconds: delay }),
    })
    await pushBatch([message('now', 0), message('batch'), message('own', 60)], { delay_seconds: 10 })
    await addConsumer({ settings: { visibility_timeout_ms: 3_600_000 } })
    const seen = [await pulledBodies()]
    for (const seconds of [10, 50]) {
      cloud.clock.advance(seconds * 1000)
      seen.push(await pulledBodies())
    }
    assert.deepEqual(seen, [['now'], ['batch'], ['own']])
    for (const delay of [-1, 1.5, 86_401])
      assert.deepEqual(await push('x', { delay_seconds: delay }), [400, 10001])
  })

  test('previewing a queue returns at most a hundred messages and does not lease them', async () => {
    await pushBatch(Array.from({ length: 100 }, () => text(1)))
    await push('last')
    const preview = async (size?: number) => {
      const body = size === undefined ? {} : { batch_size: size }
      const shown = (await call('POST', '/messages/preview', body)) as Pulled & {
        message_backlog_count: number
      }
      return [shown.messages.length, shown.message_backlog_count]
    }
    assert.deepEqual(
      [await preview(), await preview(100), await preview()],
      [
        [5, 101],
        [100, 101],
        [5, 101],
      ],
    )
    assert.deepEqual(await call('POST', '/messages/preview', { batch_size: 101 }), [400, 10001])
  })

  test('a lease id acknowledges its queue message once, and an unknown or expired lease id causes only a warning', async () => {
    await addConsumer({ settings: { visibility_timeout_ms: 5000 } })
    for (const body of ['one', 'two']) await push(body)
    const [first, second] = await pull()
    const ack = (...leases: (string | undefined)[]) =>
      call('POST', '/messages/ack', { acks: leases.map((lease_id) => ({ lease_id })) })
    const result = (acked: number, ...unknown: (string | undefined)[]) => ({
      ackCount: acked,
      retryCount: 0,
      warnings: Object.fromEntries(unknown.map((lease) => [lease, 'unknown or expired lease'])),
    })
    assert.deepEqual(await ack(first?.lease_id, first?.lease_id), result(1, first?.lease_id))
    const odd = ['', 'x', `${second?.lease_id}x`, 'NaN.x']
    assert.deepEqual(await ack(...odd), result(0, ...odd))
    cloud.clock.advance(5000)
    assert.deepEqual(await ack(second?.lease_id), result(0, second?.lease_id))
    assert.deepEqual(
      (await pull()).map(({ body, attempts }) => [body, attempts]),
      [['two', 2]],
    )
  })

  test("a queue message without retries left moves to the dead letter queue and triggers that queue's delivery", async () => {
    await addConsumer({ settings: { max_retries: 0 }, dead_letter_queue: 'dead' })
    await push('bad')
    const [message] = await pull()
    cloud.checked.length = 0
    const settled = await call('POST', '/messages/ack', { retries: [{ lease_id: message?.lease_id }] })
    assert.deepEqual([settled, cloud.checked], [{ ackCount: 0, retryCount: 1, warnings: {} }, [dead]])
    const shown = await cloud.call('POST', `/A/queues/${dead}/messages/preview`, {})
    assert.deepEqual(
      (shown.result as Pulled).messages.map(({ body }) => body),
      ['bad'],
    )
  })

  test('only a queue with a pull consumer can be pulled from, and a worker consumer needs a queue handler', async () => {
    const refused = [405, 11010]
    assert.deepEqual(
      [await call('POST', '/messages/pull', {}), await call('POST', '/messages/ack', {})],
      [refused, refused],
    )
    const upload = (source: string) => cloud.call('PUT', '/A/workers/scripts/shop', uploadForm(source))
    const worker = { type: 'worker', script_name: 'shop' }
    assert.deepEqual(await addConsumer({ ...worker, script_name: 'none' }), [404, 10007])
    await upload('export default { fetch() {} }')
    assert.deepEqual(await addConsumer(worker), [400, 11001])
    await upload('export default { fetch() {}, queue() {} }')
    const made = (await addConsumer(worker)) as { consumer_id: string; script: string }
    assert.deepEqual([made.script, await call('POST', '/messages/pull', {})], ['shop', refused])
  })

  test('a queue has at most one consumer, which is read, replaced and deleted by its id', async () => {
    const made = (await addConsumer({ dead_letter_queue: 'dead' })) as {
      consumer_id: string
      settings: object
    }
    const defaults = { batch_size: 10, max_retries: 3, retry_delay: 0, visibility_timeout_ms: 30_000 }
    assert.deepEqual([made.settings, await addConsumer()], [defaults, [409, 11004]])
    const path = `/consumers/${made.consumer_id}`
    assert.deepEqual([await call('GET', path), await call('GET', '/consumers')], [made, [made]])
    const change = { type: 'http_pull', settings: { batch_size: 100, max_retries: 100, retry_delay: 86_400 } }
    const changed = await call('PUT', path, change)
    const settings = { ...change.settings, visibility_timeout_ms: 30_000 }
    assert.deepEqual(changed, { ...made, dead_letter_queue: '', settings })
    for (const settings of [
      { batch_size: 101 },
      { max_retries: 101 },
      { retry_delay: 86_401 },
      { visibility_timeout_ms: 43_200_001 },
    ])
      assert.deepEqual(await call('PUT', path, { type: 'http_pull', settings }), [400, 10001])
    assert.deepEqual([await call('GET', path), await call('DELETE', path)], [changed, null])
    for (const [method, body] of [['GET'], ['DELETE'], ['PUT', change]] as const)
      assert.deepEqual(await call(method, path, body), [404, 11003])
    assert.deepEqual(await call('GET', '/consumers'), [])
  })

  test('a queue of another account is not found', async () => {
    const { id } = createAccount(cloud.store, { name: 'Other', plan: 'paid', at: 1 })
    const { secret } = issueToken(cloud.store, { kind: 'api', accountId: id, scopes: [], at: 1 })
    for (const [method, path, body] of [
      ['POST', '/messages', { body: 'x' }],
      ['POST', '/messages/pull', {}],
      ['GET', '/consumers', undefined],
    ] as const) {
      const answer = await cloud.call(method, `/accounts/${id}/queues/${queue}${path}`, body, secret)
      assert.deepEqual([answer.status, answer.errors[0]?.code], [404, 11000])
    }
  })
})

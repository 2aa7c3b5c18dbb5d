import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testCloud, uploadForm } from '../../../testing/cloud.ts'

interface Queue {
  queue_id: string
  queue_name: string
  settings: { delivery_delay: number; delivery_paused: boolean; message_retention_period: number }
  consumers: Consumer[]
}
interface Consumer {
  consumer_id: string
  type: string
  settings: Record<string, number | null>
}
interface Pulled {
  messages: { id: string; body: string; lease_id: string; attempts: number }[]
}

describe('queues over REST', () => {
  const cloud = testCloud()
  after(() => cloud.close())
  let jobs: Queue

  const call = async <T>(method: string, path: string, body?: object) => {
    const { status, errors, result } = await cloud.call(method, `/A/queues${path}`, body)
    return { status, code: errors[0]?.code, result: result as T }
  }
  const create = (name: string) => call<Queue>('POST', '', { queue_name: name })
  const upload = (source: string) => cloud.call('PUT', '/A/workers/scripts/shop', uploadForm(source))
  const consumer = (body: object) => call<Consumer>('POST', `/${jobs.queue_id}/consumers`, body)
  const pull = async (body: object = {}) =>
    (await call<Pulled>('POST', `/${jobs.queue_id}/messages/pull`, body)).result.messages

  before(async () => {
    jobs = (await create('jobs')).result
  })

  test('a queue is created once, listed by name and page, changed and read', async () => {
    assert.deepEqual([(await create('jobs')).status, (await create('_no')).status], [409, 400])
    for (const name of ['a', 'b']) assert.equal((await create(name)).status, 200)
    const names = async (query: string) =>
      (await call<Queue[]>('GET', query)).result.map(({ queue_name: name }) => name)
    assert.deepEqual(await names('?name=jobs'), ['jobs'])
    assert.deepEqual(await names('?per_page=2&page=1'), ['a', 'b'])
    assert.deepEqual(await names('?per_page=2&page=3'), [])
    const settings = { delivery_delay: 5, delivery_paused: false, message_retention_period: 600 }
    assert.deepEqual(
      (await call<Queue>('PATCH', `/${jobs.queue_id}`, { settings })).result.settings,
      settings,
    )
    const put = await call<Queue>('PUT', `/${jobs.queue_id}`, { queue_name: 'jobs' })
    assert.deepEqual(put.result.settings, {
      delivery_delay: 0,
      delivery_paused: false,
      message_retention_period: 345_600,
    })
  })

  test('a queue name such as q-fail-500 makes calls for that queue fail, also a call by its id', async () => {
    assert.equal((await create('q-fail-500')).status, 500)
    assert.equal((await create('q-fail-500')).status, 200)
    const kept = await create('q-fail-delete')
    assert.equal((await call('DELETE', `/${kept.result.queue_id}`)).status, 500)
    const late = await create('q-late-3s')
    assert.equal(late.status, 200)
    for (const name of ['q-fail-500', 'q-late-3s', 'q-fail-delete'])
      cloud.store.run('DELETE FROM queues WHERE name = ?', name)
  })

  test('an unknown queue and invalid settings are refused', async () => {
    assert.deepEqual((await call('GET', '/nobody')).code, 11_000)
    const tooLong = { settings: { delivery_delay: 86_401 } }
    assert.equal((await call('PATCH', `/${jobs.queue_id}`, tooLong)).status, 400)
    assert.equal((await call('POST', `/${jobs.queue_id}/purge`, {})).status, 400)
  })

  test('a binding to a missing queue is refused', async () => {
    const bind = (queue: string) =>
      cloud.call(
        'PUT',
        '/A/workers/scripts/sender',
        uploadForm('export default { fetch() {} }', {
          bindings: [{ type: 'queue', name: 'Q', queue_name: queue }],
        }),
      )
    assert.deepEqual((await bind('nobody')).errors[0]?.code, 11_000)
    assert.equal((await bind('jobs')).status, 200)
    const { result } = await call<{ producers: object[] }>('GET', `/${jobs.queue_id}`)
    assert.deepEqual(result.producers, [{ type: 'worker', script: 'sender' }])
  })

  test('a queue consumer needs a worker with a queue handler, and that worker cannot be deleted', async () => {
    const input = { type: 'worker', script_name: 'shop', settings: { batch_size: 1, max_concurrency: null } }
    assert.equal((await consumer(input)).code, 10_007)
    await upload('export default { fetch() {} }')
    assert.equal((await consumer(input)).code, 11_001)
    await upload('export default { fetch() {}, queue() {} }')
    const made = await consumer(input)
    assert.deepEqual(made.result.settings, {
      batch_size: 1,
      max_retries: 3,
      retry_delay: 0,
      max_concurrency: null,
      max_wait_time_ms: 5000,
    })
    assert.equal((await consumer(input)).status, 409)
    assert.equal((await upload('export default { fetch() {} }')).errors[0]?.code, 11_001)
    assert.equal((await cloud.call('DELETE', '/A/workers/scripts/shop')).errors[0]?.code, 10_064)
    assert.equal((await cloud.call('DELETE', '/A/workers/scripts/shop?force=true')).status, 200)
    assert.deepEqual((await call<Queue>('GET', `/${jobs.queue_id}`)).result.consumers, [])
  })

  test('messages are pushed, previewed, pulled with a lease and acknowledged', async () => {
    const push = (body: object) => call('POST', `/${jobs.queue_id}/messages`, body)
    assert.equal((await push({ body: 5, content_type: 'text' })).status, 400)
    assert.equal((await push({ body: 'x'.repeat(130_000), content_type: 'text' })).status, 413)
    await push({ body: { n: 1 } })
    await call('POST', `/${jobs.queue_id}/messages/batch`, {
      messages: [
        { body: 'two', content_type: 'text' },
        { body: 'late', content_type: 'text', delay_seconds: 60 },
      ],
    })
    assert.equal((await call('POST', `/${jobs.queue_id}/messages/pull`, {})).status, 405)
    await consumer({ type: 'http_pull', settings: { max_retries: 1 }, dead_letter_queue: 'a' })
    const seen = await call<Pulled>('POST', `/${jobs.queue_id}/messages/preview`, {})
    assert.deepEqual(
      seen.result.messages.map(({ body }) => body),
      ['{"n":1}', 'two'],
    )
    const [first, second] = await pull({ visibility_timeout_ms: 10_000 })
    assert.deepEqual(await pull(), [])
    const ack = await call<{ ackCount: number; retryCount: number; warnings: object }>(
      'POST',
      `/${jobs.queue_id}/messages/ack`,
      {
        acks: [{ lease_id: first?.lease_id }, { lease_id: '1.wrong' }],
        retries: [{ lease_id: second?.lease_id, delay_seconds: 30 }],
      },
    )
    assert.deepEqual(ack.result, {
      ackCount: 1,
      retryCount: 1,
      warnings: { '1.wrong': 'unknown or expired lease' },
    })
    cloud.clock.advance(31_000)
    assert.deepEqual(
      (await pull({ visibility_timeout_ms: 1000 })).map(({ body, attempts }) => [body, attempts]),
      [['two', 2]],
    )
  })

  test('an expired lease is a failed attempt, and after the last one the message is in the dead letter queue', async () => {
    cloud.clock.advance(60_000)
    assert.deepEqual(
      (await pull()).map(({ body }) => body),
      ['late'],
    )
    const [dead] = (await call<Queue[]>('GET', '?name=a')).result
    const { result } = await call<Pulled>('POST', `/${dead?.queue_id}/messages/preview`, {})
    assert.deepEqual(
      result.messages.map(({ body }) => body),
      ['two'],
    )
  })

  test('a purge empties the queue, and deleting a queue deletes its consumer and messages', async () => {
    const { result } = await call<{ completed: string }>('POST', `/${jobs.queue_id}/purge`, {
      delete_messages_permanently: true,
    })
    assert.equal(result.completed, 'true')
    const metrics = await call('GET', `/${jobs.queue_id}/metrics`)
    assert.deepEqual(metrics.result, { backlog_count: 0, backlog_bytes: 0, oldest_message_timestamp_ms: 0 })
    assert.equal((await call('DELETE', `/${jobs.queue_id}`)).status, 200)
    assert.equal((await call('GET', `/${jobs.queue_id}`)).status, 404)
    assert.equal(cloud.store.get<{ n: number }>('SELECT count(*) AS n FROM queue_consumers')?.n, 0)
  })
})

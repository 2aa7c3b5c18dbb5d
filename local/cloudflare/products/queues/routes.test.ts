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

  const callQueues = async <T>(method: string, path: string, body?: object) => {
    const { status, errors, result } = await cloud.call(method, `/A/queues${path}`, body)
    return { status, code: errors[0]?.code, result: result as T }
  }
  const createQueue = (name: string) => callQueues<Queue>('POST', '', { queue_name: name })
  const uploadShop = (source: string) => cloud.call('PUT', '/A/workers/scripts/shop', uploadForm(source))
  const addConsumer = (body: object) => callQueues<Consumer>('POST', `/${jobs.queue_id}/consumers`, body)
  const pullMessages = async (body: object = {}) =>
    (await callQueues<Pulled>('POST', `/${jobs.queue_id}/messages/pull`, body)).result.messages

  before(async () => {
    jobs = (await createQueue('jobs')).result
  })

  test('a second queue of the same name is refused, and queues can be changed and listed by name or page', async () => {
    assert.deepEqual([(await createQueue('jobs')).status, (await createQueue('_no')).status], [409, 400])
    for (const name of ['a', 'b']) assert.equal((await createQueue(name)).status, 200)
    const listNames = async (query: string) =>
      (await callQueues<Queue[]>('GET', query)).result.map(({ queue_name: name }) => name)
    assert.deepEqual(await listNames('?name=jobs'), ['jobs'])
    assert.deepEqual(await listNames('?per_page=2&page=1'), ['a', 'b'])
    assert.deepEqual(await listNames('?per_page=2&page=3'), [])
    const settings = { delivery_delay: 5, delivery_paused: false, message_retention_period: 600 }
    assert.deepEqual(
      (await callQueues<Queue>('PATCH', `/${jobs.queue_id}`, { settings })).result.settings,
      settings,
    )
    // The name is optional in the provider's own client.
    for (const body of [{ queue_name: 'jobs' }, {}]) {
      const put = await callQueues<Queue>('PUT', `/${jobs.queue_id}`, body)
      assert.deepEqual(
        [put.result.queue_name, put.result.settings],
        ['jobs', { delivery_delay: 0, delivery_paused: false, message_retention_period: 345_600 }],
      )
    }
  })

  test("one response lists all queues of an account, because the provider's client requests only one page", async () => {
    const many = testCloud()
    for (let n = 10; n < 31; n++) await many.call('POST', '/A/queues', { queue_name: `q${n}` })
    const list = async (query: string) => (await many.call('GET', `/A/queues${query}`)).result as Queue[]
    assert.equal((await list('')).length, 21)
    assert.deepEqual(
      (await list('?page=2')).map(({ queue_name: name }) => name),
      ['q30'],
    )
    many.close()
  })

  test("fail-500 or fail-delete in a queue's name makes matching API calls fail, even calls with only the queue's id", async () => {
    assert.equal((await createQueue('q-fail-500')).status, 500)
    assert.equal((await createQueue('q-fail-500')).status, 200)
    const kept = await createQueue('q-fail-delete')
    assert.equal((await callQueues('DELETE', `/${kept.result.queue_id}`)).status, 500)
    const late = await createQueue('q-late-3s')
    assert.equal(late.status, 200)
    for (const name of ['q-fail-500', 'q-late-3s', 'q-fail-delete'])
      cloud.store.run('DELETE FROM queues WHERE name = ?', name)
  })

  test('a request for an unknown queue, or with invalid queue settings, is refused', async () => {
    assert.deepEqual((await callQueues('GET', '/nobody')).code, 11_000)
    const tooLong = { settings: { delivery_delay: 86_401 } }
    assert.equal((await callQueues('PATCH', `/${jobs.queue_id}`, tooLong)).status, 400)
    assert.equal((await callQueues('POST', `/${jobs.queue_id}/purge`, {})).status, 400)
  })

  test('uploading a worker with a binding to a missing queue is refused', async () => {
    const bindQueue = (queue: string) =>
      cloud.call(
        'PUT',
        '/A/workers/scripts/sender',
        uploadForm('export default { fetch() {} }', {
          bindings: [{ type: 'queue', name: 'Q', queue_name: queue }],
        }),
      )
    assert.deepEqual((await bindQueue('nobody')).errors[0]?.code, 11_000)
    assert.equal((await bindQueue('jobs')).status, 200)
    const { result } = await callQueues<{ producers: object[] }>('GET', `/${jobs.queue_id}`)
    assert.deepEqual(result.producers, [{ type: 'worker', script: 'sender' }])
  })

  test('a queue consumer needs a worker with a queue handler, and that worker is deleted only with force', async () => {
    const input = { type: 'worker', script_name: 'shop', settings: { batch_size: 1, max_concurrency: null } }
    assert.equal((await addConsumer(input)).code, 10_007)
    await uploadShop('export default { fetch() {} }')
    assert.equal((await addConsumer(input)).code, 11_001)
    await uploadShop('export default { fetch() {}, queue() {} }')
    const made = await addConsumer(input)
    assert.deepEqual(made.result.settings, {
      batch_size: 1,
      max_retries: 3,
      retry_delay: 0,
      max_concurrency: null,
      max_wait_time_ms: 5000,
    })
    assert.equal((await addConsumer(input)).status, 409)
    assert.equal((await uploadShop('export default { fetch() {} }')).errors[0]?.code, 11_001)
    assert.equal((await cloud.call('DELETE', '/A/workers/scripts/shop')).errors[0]?.code, 10_064)
    assert.equal((await cloud.call('DELETE', '/A/workers/scripts/shop?force=true')).status, 200)
    assert.deepEqual((await callQueues<Queue>('GET', `/${jobs.queue_id}`)).result.consumers, [])
  })

  test('queue messages can be sent, previewed, pulled with a lease and acknowledged over the API', async () => {
    const pushMessage = (body: object) => callQueues('POST', `/${jobs.queue_id}/messages`, body)
    assert.equal((await pushMessage({ body: 5, content_type: 'text' })).status, 400)
    assert.equal((await pushMessage({ body: 'x'.repeat(130_000), content_type: 'text' })).status, 413)
    await pushMessage({ body: { n: 1 } })
    await callQueues('POST', `/${jobs.queue_id}/messages/batch`, {
      messages: [
        { body: 'two', content_type: 'text' },
        { body: 'late', content_type: 'text', delay_seconds: 60 },
      ],
    })
    assert.equal((await callQueues('POST', `/${jobs.queue_id}/messages/pull`, {})).status, 405)
    await addConsumer({ type: 'http_pull', settings: { max_retries: 1 }, dead_letter_queue: 'a' })
    const seen = await callQueues<Pulled>('POST', `/${jobs.queue_id}/messages/preview`, {})
    assert.deepEqual(
      seen.result.messages.map(({ body }) => body),
      ['{"n":1}', 'two'],
    )
    const [first, second] = await pullMessages({ visibility_timeout_ms: 10_000 })
    assert.deepEqual(await pullMessages(), [])
    const ack = await callQueues<{ ackCount: number; retryCount: number; warnings: object }>(
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
      (await pullMessages({ visibility_timeout_ms: 1000 })).map(({ body, attempts }) => [body, attempts]),
      [['two', 2]],
    )
  })

  test('an expired queue lease is a failed attempt, and after the last one the message moves to the dead letter queue', async () => {
    cloud.clock.advance(60_000)
    assert.deepEqual(
      (await pullMessages()).map(({ body }) => body),
      ['late'],
    )
    const [dead] = (await callQueues<Queue[]>('GET', '?name=a')).result
    const { result } = await callQueues<Pulled>('POST', `/${dead?.queue_id}/messages/preview`, {})
    assert.deepEqual(
      result.messages.map(({ body }) => body),
      ['two'],
    )
  })

  test('purging a queue deletes its messages, and deleting a queue also deletes its consumer', async () => {
    const { result } = await callQueues<{ completed: string }>('POST', `/${jobs.queue_id}/purge`, {
      delete_messages_permanently: true,
    })
    assert.equal(result.completed, 'true')
    const metrics = await callQueues('GET', `/${jobs.queue_id}/metrics`)
    assert.deepEqual(metrics.result, { backlog_count: 0, backlog_bytes: 0, oldest_message_timestamp_ms: 0 })
    assert.equal((await callQueues('DELETE', `/${jobs.queue_id}`)).status, 200)
    assert.equal((await callQueues('GET', `/${jobs.queue_id}`)).status, 404)
    assert.equal(cloud.store.get<{ n: number }>('SELECT count(*) AS n FROM queue_consumers')?.n, 0)
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { api, askApp, control, deployWorker, startTestWorld, type TestWorld, workerUpload } from './world.ts'
import { waitUntil } from '../support/wait-until.ts'

const SOURCE = `
import { DurableObject } from 'cloudflare:workers'
export class Counter extends DurableObject {
  inMemory = 0
  async hit() {
    const stored = ((await this.ctx.storage.get('hits')) ?? 0) + 1
    await this.ctx.storage.put('hits', stored)
    return { stored, inMemory: ++this.inMemory }
  }
}
export default {
  fetch: async (request, env) => {
    if (request.url.endsWith('/spin')) for (;;);
    return Response.json(await env.COUNTER.getByName('one').hit())
  },
  queue: ({ messages }) => { if (messages[0].body === 'spin') for (;;); },
}`
const METADATA = {
  bindings: [{ type: 'durable_object_namespace', name: 'COUNTER', class_name: 'Counter' }],
  migrations: { new_tag: 'v1', new_sqlite_classes: ['Counter'] },
}

describe('faults of app processes', () => {
  let world: TestWorld
  before(async () => {
    world = await startTestWorld({ SLIPWAY_LOCAL_SPIN_SECONDS: '1' })
    await deployWorker(world, 'counter', workerUpload(SOURCE, METADATA))
  })
  after(() => world.remove())
  const postFault = (what: string) =>
    control(world, 'POST', `/apps/counter/${what}`, { account: world.account.id })
  const hitCounter = async () => JSON.parse((await askApp(world, 'counter', '/')).text) as object
  const makeQueue = async (name: string) => {
    const { result } = await api(world, 'POST', '/queues', { queue_name: name })
    return (result as { queue_id: string }).queue_id
  }
  const readBacklog = async (id: string) =>
    ((await api(world, 'GET', `/queues/${id}/metrics`)).result as { backlog_count: number }).backlog_count

  test('an evicted Durable Object loses its memory, but no stored data', async () => {
    await hitCounter()
    assert.deepEqual(await hitCounter(), { stored: 2, inMemory: 2 })
    assert.deepEqual(await postFault('evict'), { evicted: 1 })
    assert.deepEqual(await hitCounter(), { stored: 3, inMemory: 1 })
  })

  test('an app process in an endless loop is killed, and a new process serves the next request', async () => {
    assert.equal((await askApp(world, 'counter', '/spin')).status, 503)
    assert.partialDeepStrictEqual(await hitCounter(), { inMemory: 1 })
    assert.partialDeepStrictEqual(await hitCounter(), { inMemory: 2 })
  })

  test('a queue message on which the consumer loops endlessly goes to the dead letter queue and is not redelivered forever', async () => {
    const [jobs, dead] = [await makeQueue('jobs'), await makeQueue('dead')]
    await api(world, 'POST', `/queues/${jobs}/consumers`, {
      type: 'worker',
      script_name: 'counter',
      dead_letter_queue: 'dead',
      settings: { max_retries: 0, max_wait_time_ms: 0 },
    })
    await api(world, 'POST', `/queues/${jobs}/messages`, { body: 'spin', content_type: 'text' })
    await waitUntil(async () => (await readBacklog(dead)) > 0)
    assert.equal(await readBacklog(jobs), 0)
  })
})

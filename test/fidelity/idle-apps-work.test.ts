import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  api,
  askApp,
  control,
  deployWorker,
  countAppStarts,
  startTestWorld,
  type TestWorld,
  workerdOf,
  workerUpload,
} from './world.ts'
import { waitUntil } from '../support/wait-until.ts'

const SOURCE = `
import { DurableObject, WorkflowEntrypoint } from 'cloudflare:workers'
export class Log extends DurableObject {
  async add(text) { await this.ctx.storage.put('log', [...(await this.read()), text]) }
  async read() { return (await this.ctx.storage.get('log')) ?? [] }
}
export class Nap extends WorkflowEntrypoint {
  async run(event, step) {
    await step.sleep('nap', event.payload.ms)
    await step.do('wake', () => this.env.LOG.getByName('all').add('woke'))
  }
}
export default {
  async fetch(request, env) {
    const delaySeconds = Number(new URL(request.url).searchParams.get('delay') ?? '-1')
    if (delaySeconds >= 0) await env.JOBS.send('job', { delaySeconds })
    return Response.json(await env.LOG.getByName('all').read())
  },
  queue: ({ messages }, env) => env.LOG.getByName('all').add(messages[0].body),
  scheduled: ({ cron }, env) => env.LOG.getByName('all').add(cron),
}`
const METADATA = {
  bindings: [
    { type: 'durable_object_namespace', name: 'LOG', class_name: 'Log' },
    { type: 'queue', name: 'JOBS', queue_name: 'jobs' },
  ],
  migrations: { new_tag: 'v1', new_sqlite_classes: ['Log'] },
}

describe('an idle app with work due later', () => {
  let world: TestWorld
  before(async () => {
    world = await startTestWorld({ SLIPWAY_LOCAL_IDLE_MINUTES: '0.01' })
    const { result } = await api(world, 'POST', '/queues', { queue_name: 'jobs' })
    const answer = await deployWorker(world, 'worker', workerUpload(SOURCE, METADATA))
    assert.ok(answer.success, JSON.stringify(answer.errors))
    const consumer = { type: 'worker', script_name: 'worker', settings: { max_wait_time_ms: 0 } }
    await api(world, 'POST', `/queues/${(result as { queue_id: string }).queue_id}/consumers`, consumer)
    await api(world, 'PUT', '/workflows/naps', { script_name: 'worker', class_name: 'Nap' })
  })
  after(() => world.remove())

  const readLog = async (path = '/') => JSON.parse((await askApp(world, 'worker', path)).text) as string[]
  const isRunning = () => workerdOf(world).length > 0
  const untilStopped = () => waitUntil(() => !isRunning())
  /** Runs `deed`, which starts the app, and waits until the app is stopped again. */
  async function untilWoken(deed: () => Promise<unknown>): Promise<void> {
    const before = await countAppStarts(world)
    await deed()
    await waitUntil(async () => (await countAppStarts(world)) > before)
    await untilStopped()
  }

  test('an idle app keeps running for a queue message that is due soon, and is stopped after the message', async () => {
    await readLog('/?delay=2')
    await untilStopped()
    assert.deepEqual(await readLog(), ['job'], 'it was stopped before')
  })

  test('an idle app whose next queue message is due in an hour is stopped, and started when the message is due', async () => {
    await readLog('/?delay=3600')
    await untilStopped()
    await untilWoken(() => control(world, 'POST', '/clock', { advanceMs: 3_600_000 }))
    assert.deepEqual(await readLog(), ['job', 'job'])
  })

  test('an idle app is started for its scheduled run, and stopped when the next run is far away', async () => {
    // The run is due in ten minutes by the clock of the local cloud, which the previous test moved an hour ahead.
    const soon = new Date(Date.now() + 3_600_000 + 600_000)
    const cron = `${soon.getUTCMinutes()} ${soon.getUTCHours()} * * *`
    await untilStopped()
    const before = await countAppStarts(world)
    await api(world, 'PUT', '/workers/scripts/worker/schedules', [{ cron }])
    await untilWoken(() => control(world, 'POST', '/clock', { advanceMs: 600_000 }))
    assert.equal(await countAppStarts(world), before + 1)
    assert.deepEqual(await readLog(), ['job', 'job', cron])
  })

  test('an idle app keeps running while one of its workflows sleeps', async () => {
    await api(world, 'POST', '/workflows/naps/instances', { params: { ms: 2000 } })
    await untilStopped()
    assert.equal((await readLog()).at(-1), 'woke', 'it was stopped before')
  })
})

describe('an app that was stopped to make room for another', () => {
  let world: TestWorld
  before(async () => {
    world = await startTestWorld({ SLIPWAY_LOCAL_MAX_WARM: '1', SLIPWAY_LOCAL_TIME_SCALE: '0.002' })
    await api(world, 'POST', '/queues', { queue_name: 'jobs' })
    await deployWorker(world, 'worker', workerUpload(SOURCE, METADATA))
    await api(world, 'PUT', '/workflows/naps', { script_name: 'worker', class_name: 'Nap' })
    await deployWorker(world, 'other', workerUpload(`export default { fetch: () => new Response('other') }`))
  })
  after(() => world.remove())

  test('a workflow that sleeps while its app is stopped in favor of another app completes without a request to its app', async () => {
    await api(world, 'POST', '/workflows/naps/instances', { params: { ms: 5000 } })
    const before = workerdOf(world)
    assert.equal((await askApp(world, 'other', '/')).text, 'other')
    assert.ok(workerdOf(world).every((pid) => !before.includes(pid)))
    // Reads the number of instances per status from stored state, because a request would start the app.
    const countInstances = async () =>
      ((await api(world, 'GET', '/workflows/naps')).result as { instances: Record<string, number> }).instances
    assert.deepEqual(await countInstances(), { running: 1 })
    await waitUntil(async () => (await countInstances())['complete'] === 1)
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { api, askApp, control, startTestWorld, type TestWorld } from './world.ts'
import { projectWith, wrangler, writeFiles } from './wrangler.ts'
import { waitUntil } from '../support/wait-until.ts'

const configWith = (extra: object) =>
  JSON.stringify({ name: 'factory', main: 'index.js', compatibility_date: '2026-06-01', ...extra })

const CONFIG = {
  queues: {
    producers: [{ binding: 'PARTS', queue: 'parts' }],
    consumers: [
      { queue: 'parts', max_batch_size: 5, max_batch_timeout: 1, max_retries: 2, dead_letter_queue: 'scrap' },
    ],
  },
  triggers: { crons: ['*/5 * * * *'] },
  workflows: [{ name: 'assembly', binding: 'ASSEMBLY', class_name: 'Assembly' }],
}

const SOURCE = `
import { WorkflowEntrypoint } from 'cloudflare:workers'
export class Assembly extends WorkflowEntrypoint {
  async run(event, step) {
    const part = await step.do('take a part', async () => event.payload.part)
    await step.sleep('let it dry', '100 milliseconds')
    return 'a car with ' + part
  }
}
const seen = []
export default {
  async fetch(request, env) {
    if (request.method === 'GET' && new URL(request.url).pathname === '/send') await env.PARTS.send({ part: 'wheel' })
    return Response.json(seen)
  },
  async queue(batch) { for (const { body } of batch.messages) seen.push([batch.queue, body.part]) },
  scheduled({ cron, scheduledTime }) { seen.push([cron, scheduledTime % 300_000]) },
}`

describe('queues, cron triggers and workflows of the local cloud, used by the real wrangler', () => {
  let world: TestWorld
  let project: string
  before(async () => {
    world = await startTestWorld()
    project = projectWith(world, { 'wrangler.jsonc': configWith(CONFIG), 'index.js': SOURCE })
  })
  after(() => world.remove())

  async function runWrangler(...args: string[]): Promise<string> {
    const { code, output } = await wrangler(world, project, ...args)
    assert.equal(code, 0, output)
    return output
  }
  const readMessages = async (path = '/') => (await askApp(world, 'factory', path)).text
  async function untilSeen(part: string): Promise<void> {
    let all = ''
    await waitUntil(async () => (all = await readMessages()).includes(part), {
      details: () => `${part} is not in ${all}`,
    })
  }

  test('wrangler creates queues, and deploys a worker with a producer, a consumer, a schedule and a workflow', async () => {
    await runWrangler(
      'queues',
      'create',
      'parts',
      '--delivery-delay-secs',
      '0',
      '--message-retention-period-secs',
      '600',
    )
    await api(world, 'POST', '/queues', { queue_name: 'scrap' })
    const output = await runWrangler('deploy')
    for (const part of [/Producer for parts/, /Consumer for parts/, /schedule: \*\/5/, /workflow: assembly/])
      assert.match(output, part)
    await readMessages('/send')
    await untilSeen('["parts","wheel"]')
    await control(world, 'POST', '/clock', { advanceMs: 300_000 })
    await untilSeen('["*/5 * * * *",0]')
  })

  test('wrangler deploys a queue worker again with other settings, and lists the consumer with these', async () => {
    const other = structuredClone(CONFIG)
    Object.assign(other.queues.consumers[0] ?? {}, { max_batch_size: 7 })
    writeFiles(project, { 'wrangler.jsonc': configWith(other) })
    await runWrangler('deploy')
    const consumers = JSON.parse(await runWrangler('queues', 'consumer', 'list', 'parts', '--json')) as {
      script: string
      dead_letter_queue: string
      settings: { batch_size: number; max_wait_time_ms: number; max_retries: number }
    }[]
    const [consumer, another] = consumers
    assert.equal(another, undefined)
    assert.deepEqual([consumer?.script, consumer?.dead_letter_queue], ['factory', 'scrap'])
    const { batch_size: size, max_wait_time_ms: wait, max_retries: retries } = consumer?.settings ?? {}
    assert.deepEqual([size, wait, retries], [7, 1000, 2])
  })

  test('wrangler triggers a workflow, lists its instances and describes an instance', async () => {
    await runWrangler('workflows', 'trigger', 'assembly', '{"part":"door"}', '--id', 'first')
    assert.match(await runWrangler('workflows', 'describe', 'assembly'), /Assembly/)
    await waitUntil(async () => {
      const { result } = await api(world, 'GET', '/workflows/assembly/instances/first')
      return (result as { status: string }).status === 'complete'
    })
    assert.match(await runWrangler('workflows', 'instances', 'list', 'assembly'), /first/)
    const described = await runWrangler('workflows', 'instances', 'describe', 'assembly', 'latest')
    for (const part of [/Completed/, /take a part/, /let it dry/, /door/]) assert.match(described, part)
  })

  test('wrangler deletes a worker, its queues and its workflow', async () => {
    await runWrangler('queues', 'consumer', 'remove', 'parts', 'factory')
    await runWrangler('workflows', 'delete', 'assembly')
    await runWrangler('delete', '--force')
    await runWrangler('queues', 'delete', 'parts')
    assert.deepEqual((await api(world, 'GET', '/workflows')).result, [])
    const left = (await api(world, 'GET', '/queues')).result as { queue_name: string }[]
    assert.deepEqual(
      left.map(({ queue_name: name }) => name),
      ['scrap'],
    )
  })

  test('the local Cloudflare emulator implements every queue route that wrangler called in these tests', async () => {
    const { entries } = (await control(world, 'GET', '/journal')) as {
      entries: { unimplemented: boolean; method: string; path: string }[]
    }
    assert.deepEqual(
      entries.filter((entry) => entry.unimplemented).map((entry) => `${entry.method} ${entry.path}`),
      [],
    )
  })
})

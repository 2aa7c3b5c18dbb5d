import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as z from 'zod'
import { starterTree } from '../../agent/source/tree.ts'
import type { Cloud } from '../../cloudflare/client.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { countMessages, deleteQueue, findQueue } from '../../cloudflare/products/queues.ts'
import { type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import type { Client } from '../../testing/app.ts'
import { leaves } from '../../testing/effects.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Letters',
  uses: ['data', 'queue'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    notes: { partition: 'app', read: 'public', write: 'nobody', fields: { text: { type: 'text' } } },
  },
  queues: [
    { name: 'note', handler: 'note' },
    { name: 'never', handler: 'never', retries: 0 },
    { name: 'tough', handler: 'note', retries: 7 },
  ],
}
const ROUTES = `import { queue } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/many', async (c) => c.json(await queue.sendMany(await c.req.json())))
`
const NOTE = `import { data } from '@slipway/app/server'

export default async (text: string) => {
  await data.system.create('notes', { text })
}
`
/** Returns the files of an app that shows `word`. Another word makes another release. */
const letters = (word: string) =>
  new Map([
    ...starterTree('Letters'),
    ['app.json', JSON.stringify(MANIFEST)],
    [
      'web/pages/Home.tsx',
      `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">${word}</Page>\n`,
    ],
    ['server/routes.ts', `${ROUTES}routes.get('/word', (c) => c.text('${word}'))\n`],
    ['server/jobs/note.ts', NOTE],
    ['server/jobs/never.ts', `export default () => {\n  throw new Error('never')\n}\n`],
  ])

const Consumers = z.array(
  z.looseObject({ script_name: z.string(), dead_letter_queue: z.string(), settings: z.looseObject({}) }),
)

/** The tests share one shipped app and depend on their order. */
describe('the queue of a live app', () => {
  let cloud: CloudApp
  let person: Client
  let project: { id: string; slug: string }
  let account: Cloud
  let at: string
  let appUrl: string

  const put = (body: object) => person.call(`PUT ${at}/capabilities/queue`, body)
  async function ship(word: string) {
    await cloud.build(project.id, letters(word))
    const shipped = await person.call<{ url: string }>(`POST ${at}/deploy`)
    assert.equal(shipped.error, undefined, JSON.stringify(shipped.error))
    return shipped.data.url
  }
  async function send(name: string, texts: string[], delaySeconds = 0) {
    const body = JSON.stringify(texts.map((data) => ({ name, data, delaySeconds })))
    const answer = await cloudFetch(`${appUrl}/api/many`, { method: 'POST', body })
    assert.equal(answer.status, 200, await answer.clone().text())
  }
  async function done(word: string): Promise<string[]> {
    const answer = await cloudFetch(`${appUrl}/_app/data/notes?limit=200&sort=-createdAt`)
    const { data } = (await answer.json()) as { data: { items: { text: string }[] } }
    return data.items
      .map(({ text }) => text)
      .filter((text) => text.startsWith(word))
      .toSorted()
  }
  const numbered = (word: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${word} ${String(n).padStart(3, '0')}`)
  async function isDone(texts: string[]) {
    const word = texts[0]?.split(' ')[0] ?? ''
    await until(async () => (await done(word)).length >= texts.length)
    assert.deepEqual(await done(word), texts, 'each once')
  }
  async function consumersOf(name: string) {
    const queue = await findQueue(account, name)
    assert.ok(queue, name)
    return await account.call({
      method: 'GET',
      path: `/accounts/:account/queues/${queue.queue_id}/consumers`,
      doing: 'read the consumers',
      result: Consumers,
    })
  }
  const waiting = async (name: string) => {
    const queue = await findQueue(account, name)
    return queue === null ? null : countMessages(account, queue)
  }

  before(async () => {
    cloud = await openCloudApp()
    const made = await cloud.personWithProject('Letters')
    ;({ person, project, path: at } = made)
    account = await cloud.accountOf(person.organizationId)
    await person.call(`PUT ${at}/capabilities/data`, { enabled: true })
    await put({ enabled: true, settings: { maxWaitSeconds: 0, retryDelaySeconds: 0, maxRetries: 5 } })
    appUrl = await ship('one')
    assert.equal((await person.call(`POST ${at}/preview`, {})).status, 200)
  })
  after(() => cloud.close())

  test('production and preview each have a job queue that only their app worker consumes, and a dead letter queue', async () => {
    const { slug } = project
    for (const [app, dead] of [
      [slug, `${slug}-jobs-dlq`],
      [`${slug}-preview`, `${slug}-jobs-pv-dlq`],
    ] as const) {
      const [consumer, ...more] = await consumersOf(`${app}-jobs`)
      assert.deepEqual(more, [])
      assert.deepEqual([consumer?.script_name, consumer?.dead_letter_queue], [app, dead])
      assert.deepEqual(consumer?.settings, {
        batch_size: 10,
        max_retries: 7,
        max_wait_time_ms: 0,
        retry_delay: 0,
        max_concurrency: null,
      })
      assert.deepEqual(await consumersOf(dead), [])
    }
    const { data } = await person.call<{ resource: object }>(`GET ${at}/capabilities/queue`)
    assert.deepEqual({ ...data.resource, id: '' }, { id: '', kind: 'queue', name: `${slug}-jobs` })
  })

  test('every job runs once across deployments, rollbacks and a temporarily disabled queue capability', async () => {
    leaves({
      events: { 'project.deployed': 2, 'project.rolled_back': 1 },
      activity: {
        'assets.upload': 2,
        'project.deployed': 2,
        'project.rolled_back': 1,
        'queue.consume': 'some',
        'queue.rest': 'some',
        'worker.address': 'some',
        'worker.deploy': 'some',
        'worker.rebind': 'any',
        'worker.version': 'some',
      },
      jobs: { deploy: 'some', provision: 'any' },
    })
    const { slug } = project
    const first = numbered('first', 100)
    await send('note', first)
    await isDone(first)

    // The first release sends the messages, which become due only after the second release is live.
    const second = numbered('second', 60)
    await send('note', second, 2)
    await ship('two')
    await isDone(second)

    const third = numbered('third', 60)
    await send('tough', third, 2)
    const { data } = await person.call<{ managed: { id: string; name: string; kind: string }[] }>(
      `GET ${at}/deployments`,
    )
    const worker = data.managed.find((one) => one.kind === 'worker' && one.name === slug)
    const back = await person.call(`POST ${at}/resources/${worker?.id}/rollback`, {})
    assert.equal(back.status, 200, JSON.stringify(back.error))
    assert.equal(await (await cloudFetch(`${appUrl}/api/word`)).text(), 'one')
    await isDone(third)

    const fourth = numbered('fourth', 60)
    await send('note', fourth, 1)
    await put({ enabled: false })
    await until(async () => (await consumersOf(`${slug}-jobs`)).length === 0)
    await until(async () => !(await (await cloudFetch(`${appUrl}/_app/config`)).text()).includes('"queue"'))
    const refused = await cloudFetch(`${appUrl}/api/many`, { method: 'POST', body: '[{"name":"note"}]' })
    assert.equal(refused.status, 404, 'not_enabled')
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    assert.deepEqual(await done('fourth'), [], 'nothing is done while it is off')
    assert.equal(await waiting(`${slug}-jobs`), 60)
    await put({ enabled: true })
    await ship('three')
    await isDone(fourth)
    assert.deepEqual([await waiting(`${slug}-jobs`), await waiting(`${slug}-jobs-dlq`)], [0, 0])
  })

  test('a job that always fails ends in the dead letter queue without stopping other jobs', async () => {
    const { slug } = project
    await send('never', ['poison'])
    const fifth = numbered('fifth', 10)
    await send('note', fifth)
    await isDone(fifth)
    await until(async () => (await waiting(`${slug}-jobs-dlq`)) === 1)
    assert.equal(await waiting(`${slug}-jobs`), 0)
  })

  test('reconciling a project restores a queue that a person removed, and the queue accepts jobs', async () => {
    leaves({
      activity: {
        'project.reconciled': 1,
        'queue.consume': 1,
        'queue.create': 1,
        'queue.delete': 1,
        'queue.rest': 1,
        'resource.recreated': 1,
      },
      jobs: { deploy: 'some' },
    })
    const { slug } = project
    await deleteQueue(account, `${slug}-jobs`)
    const done = await person.call<{ repaired: { kind: string; name: string; action: string }[] }>(
      `POST ${at}/reconcile`,
    )
    assert.deepEqual(
      done.data.repaired.map(({ kind, name, action }) => [kind, name, action]),
      [['queue', `${slug}-jobs`, 'made empty']],
    )
    const sixth = numbered('sixth', 5)
    await send('note', sixth)
    await isDone(sixth)
  })

  test('jobs of an archived app wait, and run after it is unarchived and deployed again', async () => {
    leaves({
      events: { 'project.archived': 1, 'project.deployed': 1 },
      activity: {
        'project.archived': 1,
        'project.deployed': 1,
        'project.unarchived': 1,
        'queue.consume': 1,
        'queue.rest': 1,
        'worker.address': 'some',
        'worker.deploy': 'some',
        'worker.offline': 2,
        'worker.version': 'some',
      },
      jobs: { deploy: 'some' },
    })
    const { slug } = project
    const seventh = numbered('seventh', 5)
    await send('note', seventh, 2)
    const archived = await person.call(`POST ${at}/archive`, {})
    assert.equal(archived.status, 200, JSON.stringify(archived.error))
    await until(async () => (await consumersOf(`${slug}-jobs`)).length === 0)
    assert.equal(await waiting(`${slug}-jobs`), 5)
    assert.equal((await person.call(`POST ${at}/unarchive`, {})).status, 200)
    const shipped = await person.call(`POST ${at}/deploy`)
    assert.equal(shipped.status, 200, JSON.stringify(shipped.error))
    await isDone(seventh)
  })

  test('deleting a project deletes its queues', async () => {
    leaves({
      events: { 'project.deleted': 1 },
      activity: { 'project.deleted': 1, 'queue.delete': 4, 'worker.delete': 4 },
    })
    const { data } = await person.call<{ teardown: { remaining: number; failed: object[] } }>(`DELETE ${at}`)
    assert.deepEqual([data.teardown.remaining, data.teardown.failed], [0, []])
    for (const ending of ['-jobs', '-preview-jobs', '-jobs-dlq', '-jobs-pv-dlq'])
      assert.equal(await findQueue(account, `${project.slug}${ending}`), null)
  })
})

describe('making the queues of a project', () => {
  let cloud: CloudApp
  before(async () => {
    cloud = await openCloudApp()
  })
  after(() => cloud.close())

  for (const fault of ['fail-429', 'fail-500', 'fail-drop'])
    test(`each queue is created once even if the first request to create it fails with ${fault}`, async () => {
      leaves({
        activity: { 'queue.create': 'any', 'queue.create failed': 'any', 'worker.upload': 'some' },
        jobs: { provision: 'any' },
      })
      const { person, project, path } = await cloud.personWithProject(`app ${fault}`)
      await person.call(`PUT ${path}/capabilities/queue`, { enabled: true })
      const read = async () =>
        (
          await person.call<{ provision: { state: string; error: object | null } }>(
            `GET ${path}/capabilities/queue`,
          )
        ).data.provision
      await until(async () => (await read()).state !== 'creating')
      assert.deepEqual(await read(), { state: 'idle', error: null })
      const account = await cloud.accountOf(person.organizationId)
      const queues = await account.call({
        method: 'GET',
        path: '/accounts/:account/queues',
        doing: 'list the queues',
        result: z.array(z.looseObject({ queue_name: z.string() })),
      })
      assert.deepEqual(
        queues.map((queue) => queue.queue_name).toSorted(),
        ['-jobs', '-jobs-dlq', '-jobs-pv-dlq', '-preview-jobs'].map((ending) => `${project.slug}${ending}`),
      )
    })
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type RunningApp, startApp } from '../../testing/bundle.ts'
import { starterTree } from '../../source/tree.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Letters',
  uses: ['data', 'queue'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    notes: {
      partition: 'app',
      read: 'public',
      write: 'nobody',
      fields: { text: { type: 'text' }, job: { type: 'text' }, attempt: { type: 'integer' } },
    },
  },
  queues: [
    { name: 'note', handler: 'note' },
    { name: 'twice', handler: 'twice', retries: 1 },
    { name: 'never', handler: 'never', retries: 2 },
    { name: 'often', handler: 'never' },
  ],
}
const TEST = `import { app, expect, test } from '@slipway/app/testing'

test("running the queue in an app's test runs all queued jobs, including delayed jobs and jobs enqueued by other jobs", async () => {
  await app.post('/api/send', ['note', { text: 'hello', more: 2 }, { delaySeconds: 60 }])
  expect((await app.data.list('notes')).items).toEqual([])
  expect(await app.runJobs()).toEqual({ done: 3, dead: 0 })
  const texts = (await app.data.list('notes')).items.map((note) => note.text)
  expect(texts.sort()).toEqual(['hello', 'hello', 'hello'])
})

test('a failed job of an app is retried as often as the manifest declares', async () => {
  await app.post('/api/send', ['twice', 'at last'])
  await app.post('/api/send', ['never', 'nothing'])
  expect(await app.runJobs()).toEqual({ done: 1, dead: 1 })
  const tries = (await app.data.list('notes')).items.filter((note) => note.text === 'nothing')
  expect(tries.map((note) => note.attempt).sort()).toEqual([1, 2, 3])
})

test('a job of an app is enqueued once per idempotency key', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () =>
    app.post('/api/send', ['note', { text: 'once' }, { key: 'invoice 7' }])))
  expect(new Set(all.map((one) => one.body.id)).size).toBe(1)
  expect(await app.runJobs()).toEqual({ done: 1, dead: 0 })
  await app.post('/api/send', ['note', { text: 'once' }, { key: 'invoice 7' }])
  expect(await app.runJobs()).toEqual({ done: 0, dead: 0 })
})

test('a batch with more than a hundred jobs or an invalid job is refused as a whole', async () => {
  const jobs = Array.from({ length: 100 }, (_, n) => ({ name: 'note', data: { text: 'many ' + n, filling: 'x'.repeat(9000) } }))
  const sent = await app.post('/api/many', jobs)
  expect(new Set(sent.body.map((one) => one.id)).size).toBe(100)
  expect(await app.runJobs()).toEqual({ done: 100, dead: 0 })
  expect((await app.post('/api/many', [...jobs, jobs[0]])).status).toBe(400)
  expect((await app.post('/api/many', [jobs[0], { name: 'unknown' }])).status).toBe(400)
  expect(await app.runJobs()).toEqual({ done: 0, dead: 0 })
})

test('enqueuing a job with an invalid name, payload, delay or key is refused with the name of the field', async () => {
  const refused = async (...args) => (await app.post('/api/send', args)).body.error.field
  expect(await refused('unknown')).toBe('name')
  expect(await refused('note', 'x'.repeat(120_001))).toBe('data')
  for (const delaySeconds of [-1, 0.5, 86_401, 'soon']) expect(await refused('note', 1, { delaySeconds })).toBe('delaySeconds')
  for (const key of ['', 'x'.repeat(201), 7]) expect(await refused('note', 1, { key })).toBe('key')
  expect(await app.runJobs()).toEqual({ done: 0, dead: 0 })
})
`
const FILES = {
  'server/routes.ts': `import { queue } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/send', async (c) => {
  const [name, data, options] = await c.req.json()
  return c.json(await queue.send(name, data, options))
})
routes.post('/many', async (c) => c.json(await queue.sendMany(await c.req.json())))
`,
  'server/jobs/note.ts': `import { data, queue } from '@slipway/app/server'

export default async (note: { text: string; more?: number }, { id, attempt }: { id: string; attempt: number }) => {
  await data.system.create('notes', { text: note.text, job: id, attempt })
  if (note.more) await queue.send('note', { text: note.text, more: note.more - 1 })
}
`,
  'server/jobs/twice.ts': `export default (data: unknown, { attempt }: { attempt: number }) => {
  if (attempt < 2) throw new Error('not yet')
}
`,
  'server/jobs/never.ts': `import { data } from '@slipway/app/server'

export default async (text: string, { id, attempt }: { id: string; attempt: number }) => {
  await data.system.create('notes', { text, job: id, attempt })
  throw new Error('never')
}
`,
}

interface Outcome {
  explicitAcks: string[]
  retryMessages: { msgId: string }[]
}

describe('the jobs of a running app', () => {
  let app: RunningApp
  const tree = new Map([
    ...starterTree('Letters'),
    ['app.json', JSON.stringify(MANIFEST)],
    [
      'web/pages/Home.tsx',
      `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
    ],
    ...Object.entries(FILES),
    ['tests/jobs.test.ts', TEST],
  ])
  before(async () => {
    app = await startApp(tree, { enabled: ['data', 'queue'] })
  })
  after(() => app.stop())

  /** Delivers messages as the provider does. Returns the acknowledged messages and the messages to retry. */
  async function deliver(...bodies: unknown[]) {
    const messages = bodies.map((body, n) => ({ id: `m${n}`, timestamp: new Date(), attempts: 1, body }))
    const { explicitAcks, retryMessages } = (await app.deliver(messages)) as Outcome
    return { acked: explicitAcks.toSorted(), repeated: retryMessages.map(({ msgId }) => msgId).toSorted() }
  }
  const job = (name: string, data: unknown, id = crypto.randomUUID()) => ({ v: 1, name, id, data })
  const notes = async (text: string) => {
    const answer = await app.fetch('/_app/data/notes?limit=200')
    const { data } = (await answer.json()) as { data: { items: { text: string; job: string }[] } }
    return data.items.filter((one) => one.text === text)
  }

  test('the tests inside a generated app can run its queued jobs, with retries, idempotency keys, batches and invalid input', async () => {
    const results = (await (await app.ask('tests', '/run')).json()) as { ok: boolean; error: string | null }[]
    assert.deepEqual(
      results.map(({ ok, error }) => [ok, error]),
      results.map(() => [true, null]),
    )
    assert.equal(results.length, 5)
  })

  test('when one job of a queue batch fails, only that job is retried', async () => {
    const { acked, repeated } = await deliver(
      job('note', { text: 'good 1' }),
      job('often', 'bad'),
      job('note', { text: 'good 2' }),
    )
    assert.deepEqual([acked, repeated], [['m0', 'm2'], ['m1']])
    assert.deepEqual([(await notes('good 1')).length, (await notes('good 2')).length], [1, 1])
  })

  test('a queue message that is not a job of the deployed release goes to the dead letter queue without a retry', async () => {
    const strangers = [job('gone', 1), job('toString', 1), { v: 2 }, null, 'text', { v: 1, name: 7, id: 'x' }]
    const { acked, repeated } = await deliver(...strangers)
    assert.deepEqual([acked.length, repeated], [strangers.length, []])
    const dead = await app.taken('dead')
    assert.deepEqual(
      dead.map((text) => JSON.parse(text)),
      strangers,
    )
  })

  test('a job that the queue delivers twice has the same id both times', async () => {
    const twice = job('note', { text: 'doubled' })
    await deliver(twice)
    await deliver(twice)
    assert.deepEqual(
      (await notes('doubled')).map((one) => one.job),
      [twice.id, twice.id],
    )
  })

  test('a job whose handler was removed by a later release goes unchanged to the dead letter queue', async () => {
    const without = new Map([...tree].filter(([path]) => path !== 'server/jobs/note.ts'))
    await app.ship(without)
    const lost = job('note', { text: 'kept' })
    assert.deepEqual((await deliver(lost)).acked, ['m0'])
    assert.deepEqual(
      (await app.taken('dead')).map((text) => JSON.parse(text)),
      [lost],
    )
    await app.ship(tree)
    await deliver(lost)
    assert.equal((await notes('kept')).length, 1, 'and the release before does them again')
  })
})

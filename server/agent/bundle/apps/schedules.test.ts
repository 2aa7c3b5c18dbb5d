import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readManifest } from '../../source/manifest.ts'
import { starterTree } from '../../source/tree.ts'
import { compileApp } from '../../source/typegen.ts'
import { type RunningApp, startApp } from '../../testing/bundle.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Reminders',
  uses: ['auth', 'data', 'schedule'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    runs: {
      partition: 'app',
      read: 'public',
      write: 'nobody',
      fields: { text: { type: 'text', required: true } },
    },
  },
  schedules: [
    { name: 'tick', every: 'minute', handler: 'tick' },
    { name: 'broken', every: 'minute', handler: 'broken', retries: 0 },
    { name: 'monday', every: 'monday at 09:00', timezone: 'Europe/Berlin', handler: 'tick' },
  ],
}
const TICK = `import { data, type JobHandler } from '@slipway/app/server'

const tick: JobHandler = async (_, { attempt, scheduledAt }) => {
  await data.system.create('runs', { text: 'tick ' + attempt + ' ' + scheduledAt.slice(16) })
}
export default tick
`
const BROKEN = `export default () => {
  throw new Error('it rained')
}
`
const REMIND = `import { data, type JobInfo } from '@slipway/app/server'

export default async (reminder: { text: string; fails?: number }, { attempt, userId }: JobInfo) => {
  if (attempt <= (reminder.fails ?? 0)) throw new Error('not yet')
  await data.system.create('runs', { text: reminder.text + ' for ' + userId })
}
`
const ROUTES = `import { auth, timers } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/remind', async (c) => {
  const { id: userId } = await auth.require(c.req.raw)
  return c.json(await timers.set(new Date(), 'remind', { text: 'by the server' }, { userId }))
})
routes.post('/remind/:user', async (c) =>
  c.json(await timers.set(new Date(), 'remind', {}, { userId: c.req.param('user') })),
)
`

const TREE = new Map([
  ...starterTree('Reminders'),
  ['app.json', JSON.stringify(MANIFEST)],
  [
    'web/pages/Home.tsx',
    `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
  ],
  ['server/routes.ts', ROUTES],
  ['server/jobs/tick.ts', TICK],
  ['server/jobs/broken.ts', BROKEN],
  ['server/jobs/remind.ts', REMIND],
])
const ENABLED = ['auth', 'data', 'schedule']

test('an app deployed without the service registers its scheduled jobs at the first request', async () => {
  const app = await startApp(TREE, { enabled: ENABLED, isStandalone: true })
  try {
    assert.deepEqual(await app.operate('scheduledJobs', 'production'), [])
    assert.equal((await app.fetch('/')).status, 200)
    const jobs = await app.operate<{ name: string }[]>('scheduledJobs', 'production')
    assert.deepEqual(jobs.map(({ name }) => name).sort(), ['broken', 'monday', 'tick'])
  } finally {
    await app.stop()
  }
})

describe('the schedules and timers of a running app', () => {
  let app: RunningApp
  const cookies: Record<string, string> = {}
  const people: Record<string, string> = {}
  before(async () => {
    app = await startApp(TREE, { enabled: ENABLED })
    const read = readManifest(JSON.stringify(MANIFEST))
    assert.ok(read.ok)
    const { hash, manifest } = compileApp(read.manifest)
    await app.operate('activate', 'production', hash, manifest)
    for (const name of ['ada', 'bob']) {
      const account = { email: `${name}@example.test`, password: `${name} likes apples`, name }
      const body = JSON.stringify(account)
      const answer = await app.fetch('/_app/auth/sign-up', { method: 'POST', body })
      cookies[name] = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
      people[name] = ((await answer.json()) as { data: { user: { id: string } } }).data.user.id
    }
  })
  after(() => app.stop())

  async function call(who: string, method: string, path: string, body?: unknown) {
    const headers = { cookie: cookies[who] ?? '' }
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const answer = await app.fetch(path, init)
    return (await answer.json()) as { data: never; error?: { code: string; message: string } }
  }
  const setTimer = (who: string, timer: object) => call(who, 'POST', '/_app/schedule/timers', timer)
  const timersOf = async (who: string) =>
    (await call(who, 'GET', '/_app/schedule/timers')).data as { id: string; name: string; at: string }[]
  async function texts(): Promise<string[]> {
    const answer = await app.fetch('/_app/data/runs')
    return ((await answer.json()) as { data: { items: { text: string }[] } }).data.items.map(
      ({ text }) => text,
    )
  }
  async function until(isThere: () => Promise<boolean>, withinMs: number): Promise<void> {
    for (const end = performance.now() + withinMs; !(await isThere()); await sleep(50))
      assert.ok(performance.now() < end, 'did not happen in time')
  }

  test('a timer set by a person or by server code runs once with its data and is then removed', async () => {
    await setTimer('ada', { at: new Date().toISOString(), name: 'remind', data: { text: 'by the page' } })
    await call('ada', 'POST', '/api/remind')
    const expected = ['by the page', 'by the server'].map((text) => `${text} for ${people['ada']}`)
    await until(async () => (await texts()).filter((text) => expected.includes(text)).length === 2, 10_000)
    await until(async () => (await timersOf('ada')).length === 0, 10_000)
  })

  test('a timer can be listed and cancelled only by the person who set it, and an invalid timer is refused', async () => {
    const at = '2027-01-01T00:00:00.000Z'
    const { data } = await setTimer('ada', { at, name: 'remind', data: null })
    const { id } = data as { id: string }
    assert.deepEqual(await timersOf('ada'), [{ id, name: 'remind', at }])
    assert.deepEqual(await timersOf('bob'), [])
    assert.equal((await call('bob', 'DELETE', `/_app/schedule/timers/${id}`)).error?.code, 'not_found')
    assert.equal((await call('', 'GET', '/_app/schedule/timers')).error?.code, 'unauthorized')
    assert.equal((await call('ada', 'DELETE', `/_app/schedule/timers/${id}`)).error, undefined)
    for (const [timer, field] of [
      [{ at: 'soon', name: 'remind' }, 'at'],
      [{ at: '3027-01-01T00:00:00Z', name: 'remind' }, 'at'],
      [{ at, name: '../secrets' }, 'name'],
      [{ at, name: 'remind', data: 'x'.repeat(9000) }, 'data'],
    ] as const)
      assert.match((await setTimer('ada', timer)).error?.message ?? '', new RegExp(`^${field}: `))
    const made = await app.fetch(`/api/remind/u_${'9'.repeat(26)}`, { method: 'POST' })
    assert.equal(made.status, 404)
  })

  test('a person has at most a hundred timers', async () => {
    const at = '2027-01-01T00:00:00.000Z'
    const answers = await Promise.all(
      Array.from({ length: 110 }, () => setTimer('bob', { at, name: 'remind', data: null })),
    )
    const refused = answers.filter(({ error }) => error !== undefined)
    assert.deepEqual([(await timersOf('bob')).length, refused.length], [100, 10])
    assert.ok(refused.every(({ error }) => error?.code === 'conflict'))
  })

  test('a scheduled job runs in its scheduled minute, and the operator sees the last result with any error message', async () => {
    interface Job {
      name: string
      repeat: string
      lastStatus: string | null
      lastError: string | null
      nextRunAt: string
    }
    const jobs = () => app.operate<Job[]>('scheduledJobs', 'production')
    const statusOf = async (wanted: string) => (await jobs()).find(({ name }) => name === wanted)?.lastStatus
    await until(
      async () => (await statusOf('tick')) === 'ok' && (await statusOf('broken')) === 'failed',
      90_000,
    )
    const all = await jobs()
    assert.equal(all.find(({ name }) => name === 'broken')?.lastError, 'it rained')
    assert.deepEqual(
      [all.at(-1)?.name, all.at(-1)?.repeat, all.at(-1)?.lastStatus],
      ['monday', 'monday at 09:00', null],
    )
    assert.ok(
      (await texts()).some((text) => /^tick 1 :00\.000Z$/.test(text)),
      (await texts()).join(),
    )
  })

  test("an app's schedules can be paused, and its next release resumes them", async () => {
    await app.operate('restSchedules', 'production')
    const paused = async () =>
      (await app.operate<{ paused: boolean }[]>('scheduledJobs', 'production')).map((job) => job.paused)
    assert.deepEqual(await paused(), [true, true, true])
    const read = readManifest(JSON.stringify({ ...MANIFEST, schedules: MANIFEST.schedules.slice(2) }))
    assert.ok(read.ok)
    const { hash, manifest } = compileApp(read.manifest)
    await app.operate('activate', 'production', hash, manifest)
    assert.deepEqual(await paused(), [false])
  })
})

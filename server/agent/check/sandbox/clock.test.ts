import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { bundleApp } from '../../bundle/bundle.ts'
import { completeTree, starterTree } from '../../source/tree.ts'
import { openSandbox } from './sandbox.ts'
import { workersOf } from './workers.ts'

const text = { type: 'text', required: true }
const MANIFEST = {
  slipway: 1,
  name: 'Reminders',
  uses: ['auth', 'data', 'meter', 'schedule'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: { runs: { partition: 'app', read: 'public', write: 'nobody', fields: { title: text } } },
  meters: [{ key: 'exports', per: 'user', window: 'day', limit: 1 }],
  schedules: [{ name: 'nightly', every: 'day at 03:00', handler: 'nightly' }],
}
const ROUTES = `import { auth, meter, timers } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/time', (c) => c.json({ now: Date.now(), made: new Date().getTime() }))
routes.post('/export', async (c) => {
  const { id } = await auth.require(c.req.raw)
  await meter.require('exports', id)
  return c.json({})
})
routes.post('/later', async (c) => {
  const { id: userId } = await auth.require(c.req.raw)
  return c.json(await timers.set(new Date(Date.now() + 3_600_000), 'nudge', {}, { userId }))
})
`
const jobOf = (title: string) => `import { data } from '@slipway/app/server'

export default async () => {
  await data.system.create('runs', { title: '${title}' })
}
`
const TESTS = `import { app, expect, test } from '@slipway/app/testing'

const titles = async () => (await app.data.list('runs')).items.map(({ title }) => title)

test('server code, stored records and Date use the time to which a test has advanced the clock', async () => {
  const before = app.clock.now().getTime()
  await app.clock.advance({ days: 1, hours: 2, minutes: 3, seconds: 4 })
  const { now, made } = (await app.get('/api/time')).body
  for (const time of [now, made, Date.now(), new Date().getTime(), app.clock.now().getTime()]) {
    expect(time - before).toBeGreaterThan(93_783_999)
    expect(time - before).toBeLessThan(93_793_999)
  }
  expect(new Date(0).getTime()).toBe(0)
  expect(new Date() instanceof Date).toBe(true)
})

test("an app's session expires when the simulated clock passes its end", async () => {
  const ada = await app.signUp('Ada')
  expect((await ada.get('/_app/auth/me')).body.data.name).toBe('Ada')
  await app.clock.advance({ days: 31 })
  expect((await ada.get('/_app/auth/me')).body.data).toBeNull()
})

test("in an app's tests a usage limit is reset at the end of its time window", async () => {
  const ben = await app.signUp('Ben')
  expect((await ben.post('/api/export')).status).toBe(200)
  expect((await ben.post('/api/export')).status).toBe(429)
  await app.clock.advance({ days: 1 })
  expect((await ben.post('/api/export')).status).toBe(200)
})

test("in an app's tests a timer runs once, when the simulated clock reaches the timer's time", async () => {
  const cleo = await app.signUp('Cleo')
  await cleo.post('/api/later')
  const count = async () => (await titles()).filter((title) => title === 'nudged').length
  await app.clock.advance({ minutes: 59 })
  expect(await count()).toBe(0)
  await app.clock.advance({ minutes: 2 })
  expect(await count()).toBe(1)
  await app.clock.advance({ days: 1 })
  expect(await count()).toBe(1)
})

test("in an app's tests a schedule runs when the simulated clock reaches its time", async () => {
  const count = async () => (await titles()).filter((title) => title === 'tidied').length
  await app.clock.set(new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000 + 2 * 3_600_000))
  const before = await count()
  await app.clock.advance({ hours: 2 })
  expect(await count()).toBe(before + 1)
})

test('the simulated clock of a test cannot be moved back', async () => {
  await expect(app.clock.set('2001-01-01')).toReject()
  await expect(app.clock.advance({ seconds: -1 })).toReject()
  await expect(app.clock.set('no time')).toReject()
})
`

interface Result {
  name: string
  ok: boolean
  error: string | null
  ms: number
}

describe('the clock of an app’s tests', () => {
  test("the tests inside a generated app can advance the app's clock", async () => {
    const enabled = ['auth', 'data', 'meter', 'schedule']
    const files = new Map([
      ...starterTree('Reminders'),
      ['app.json', JSON.stringify(MANIFEST)],
      ['web/pages/Home.tsx', 'export default () => <p>Hello</p>\n'],
      ['server/routes.ts', ROUTES],
      ['server/jobs/nightly.ts', jobOf('tidied')],
      ['server/jobs/nudge.ts', jobOf('nudged')],
      ['tests/clock.test.ts', TESTS],
    ])
    const tree = completeTree(files, new Set(enabled))
    const built = await bundleApp(tree, { parts: ['server', 'web', 'tests'], minify: false })
    assert.ok(built.ok, JSON.stringify(built))
    const folder = mkdtempSync(join(tmpdir(), 'slipway-clock-'))
    const sandbox = await openSandbox(await workersOf(built.bundle, enabled), { folder, timeoutMs: 60_000 })
    try {
      const results = JSON.parse((await sandbox.get('tests', '/run', 60_000)).body) as Result[]
      assert.equal(results.length, 6)
      for (const { name, error } of results) assert.equal(error, null, name)
      // Durations are measured with the real clock, not with the simulated clock.
      for (const { ms } of results) assert.ok(ms < 60_000)
    } finally {
      await sandbox.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

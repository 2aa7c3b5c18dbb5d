import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { bundleApp } from '../../bundle/bundle.ts'
import { completeTree, starterTree } from '../../source/tree.ts'
import { openSandbox } from './sandbox.ts'
import { workersOf } from './workers.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Orders',
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
}
const ROUTES = `import { auth, push } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/orders', async (c) => {
  const { id: userId } = await auth.require(c.req.raw)
  return c.json(await push.send({ userId }, { title: 'New order', body: 'Cake', url: '/orders/1', tag: 'order' }))
})
routes.get('/elsewhere', async (c) => c.text(await (await fetch('https://push.slipway.test/')).text()))
`
const TESTS = `import { app, expect, test } from '@slipway/app/testing'

test('a push notification is shown on every device of its recipient and on no device of another person', async () => {
  const [ada, bob] = [await app.signUp('Ada'), await app.signUp('Bob')]
  for (const person of [ada, ada, bob]) await person.addDevice()
  expect((await ada.post('/api/orders')).body).toEqual({ sent: 2, gone: 0, failed: 0 })
  const shown = await app.pushes()
  expect(shown).toHaveLength(2)
  for (const one of shown)
    expect(one).toEqual({ userId: ada.user.id, title: 'New order', body: 'Cake', url: '/orders/1', tag: 'order' })
})

test("in an app's tests a network request of server code to the push service fails", async () => {
  expect((await app.get('/api/elsewhere')).status).toBe(500)
})
`

/** Runs the app's own tests as a check does. Returns the error of each test, or null for a passed test. */
async function resultsOf(uses: string[], routes: string, tests: string) {
  const files = new Map([
    ...starterTree('Orders'),
    ['app.json', JSON.stringify({ ...MANIFEST, uses })],
    ['web/pages/Home.tsx', 'export default () => <p>Hello</p>\n'],
    ['server/routes.ts', routes],
    ['tests/app.test.ts', tests],
  ])
  const tree = completeTree(files, new Set(uses))
  const built = await bundleApp(tree, { parts: ['server', 'web', 'tests'], minify: false })
  assert.ok(built.ok, JSON.stringify(built))
  const folder = mkdtempSync(join(tmpdir(), 'slipway-providers-'))
  const sandbox = await openSandbox(await workersOf(built.bundle, uses), { folder, timeoutMs: 60_000 })
  try {
    const answer = await sandbox.get('tests', '/run', 60_000)
    return JSON.parse(answer.body) as { name: string; error: string | null }[]
  } finally {
    await sandbox.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

test("the tests inside a generated app can read the push notifications on people's devices", async () => {
  const results = await resultsOf(['auth', 'push'], ROUTES, TESTS)
  assert.equal(results.length, 2)
  for (const { name, error } of results) assert.equal(error, null, name)
})

const CONTACT = `import { guard } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/contact', async (c) => {
  await guard.verify(c.req.raw, 'contact')
  return c.json({ sent: true, free: await guard.limit('contact', c.req.raw) })
})
`
const CONTACT_TESTS = `import { app, expect, test } from '@slipway/app/testing'

test("in an app's tests, app.post sends a bot-protection token and is accepted, and a request without a token is refused", async () => {
  expect((await app.post('/api/contact', {})).body).toEqual({ sent: true, free: true })
  expect((await app.post('/api/contact', {})).status).toBe(200)
  expect((await app.fetch('/api/contact', { method: 'POST' })).status).toBe(403)
  const headers = { 'x-guard-token': 'XXXX.DUMMY.TOKEN.XXXX' }
  expect((await app.fetch('/api/contact', { method: 'POST', headers })).status).toBe(503)
})
`

test('the tests inside a generated app can send bot-protected forms as its pages do', async () => {
  const results = await resultsOf(['guard'], CONTACT, CONTACT_TESTS)
  assert.equal(results.length, 1)
  for (const { name, error } of results) assert.equal(error, null, name)
})

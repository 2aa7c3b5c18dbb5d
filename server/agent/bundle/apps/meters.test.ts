import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type RunningApp, startApp } from '../../testing/bundle.ts'
import { starterTree } from '../../source/tree.ts'

interface Allowance {
  ok: boolean
  remaining: number
  resetsAt: string | null
}

const MANIFEST = {
  slipway: 1,
  name: 'Exports',
  uses: ['auth', 'meter'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  meters: [
    { key: 'exports', per: 'user', window: 'day', limit: 10 },
    { key: 'rare', per: 'user', window: 'lifetime', limit: 1 },
    { key: 'mails', per: 'app', window: 'month', limit: 100 },
  ],
}
const TEST = `import { app, expect, test } from '@slipway/app/testing'

test("a person's used-up export limit does not affect another person's limit", async () => {
  const [ada, bob] = [await app.signUp('Ada'), await app.signUp('Bob')]
  expect((await ada.post('/api/export', { n: 10 })).status).toBe(200)
  expect((await ada.post('/api/export', { n: 1 })).status).toBe(429)
  expect((await bob.get('/_app/meter/exports')).body.data.remaining).toBe(10)
})
`
const ROUTES = `import { auth, meter } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/export', async (c) => {
  const { id } = await auth.require(c.req.raw)
  const { n } = await c.req.json()
  return c.json(await meter.require('exports', id, n))
})
// Exposes every function of the meter to the test, which a real app would not do.
routes.post('/do/:call', async (c) => {
  const args = await c.req.json()
  return c.json(await meter[c.req.param('call')](...args))
})
`

describe('usage meters of a running app', () => {
  let app: RunningApp
  const tree = new Map([
    ...starterTree('Exports'),
    ['app.json', JSON.stringify(MANIFEST)],
    [
      'web/pages/Home.tsx',
      `import { meter, Page } from '@slipway/app/react'
export default () => <Page title="Home">{String(meter.remaining !== undefined)}</Page>
`,
    ],
    ['server/routes.ts', ROUTES],
    ['tests/meters.test.ts', TEST],
  ])
  before(async () => {
    app = await startApp(tree, { enabled: ['auth', 'meter'] })
  })
  after(() => app.stop())

  async function call(method: string, path: string, body?: unknown, cookie = '') {
    const answer = await app.fetch(path, {
      method,
      headers: { cookie },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const json = (await answer.json()) as { data?: never; error?: { code: string; field?: string } }
    return { status: answer.status, json, set: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
  }
  async function person(name: string) {
    const account = { email: `${name}@example.test`, password: `${name} likes apples`, name }
    const { json, set } = await call('POST', '/_app/auth/sign-up', account)
    return { id: (json.data as unknown as { user: { id: string } }).user.id, cookie: set }
  }
  async function server(name: string, ...args: unknown[]) {
    const { status, json } = await call('POST', `/api/do/${name}`, args)
    return status === 200
      ? { ...(json as unknown as Allowance), error: undefined }
      : { ok: null, remaining: null, resetsAt: null, error: json.error }
  }

  test('of fifty concurrent requests for the last unit of a usage limit exactly one succeeds', async () => {
    const { id } = await person('ada')
    assert.equal((await server('consume', 'exports', id, 9)).remaining, 1)
    const all = await Promise.all(Array.from({ length: 50 }, () => server('consume', 'exports', id)))
    assert.deepEqual(
      all.filter(({ ok }) => ok).map(({ remaining }) => remaining),
      [0],
    )
    assert.ok(all.every(({ error }) => error === undefined))
    assert.equal((await server('peek', 'exports', id)).remaining, 0)
  })

  test("fifty requests with one idempotency key use a limit's units once, and fifty refunds with the key return them once", async () => {
    const { id } = await person('bea')
    const repeated = await Promise.all(
      Array.from({ length: 50 }, () => server('consume', 'exports', id, 4, { id: 'order 1' })),
    )
    assert.ok(repeated.every(({ ok, remaining }) => ok && remaining === 6))
    assert.equal((await server('peek', 'exports', id)).remaining, 6)
    const back = await Promise.all(Array.from({ length: 50 }, () => server('refund', 'order 1')))
    assert.ok(back.every(({ remaining }) => remaining === 10))
    assert.equal((await server('peek', 'exports', id)).remaining, 10)
  })

  test('an idempotency key that was used for another amount, person or usage limit is refused as a conflict', async () => {
    const [cat, dan] = [await person('cat'), await person('dan')]
    await server('consume', 'exports', cat.id, 1, { id: 'order 2' })
    for (const args of [
      ['exports', cat.id, 2],
      ['exports', dan.id, 1],
      ['mails', 'app', 1],
    ])
      assert.equal((await server('consume', ...args, { id: 'order 2' })).error?.code, 'conflict')
    assert.equal((await server('peek', 'exports', dan.id)).remaining, 10)
    assert.equal((await server('refund', 'never spent')).error?.code, 'not_found')
  })

  test('using an invalid number of units of a usage limit is refused with the name of the field and uses none', async () => {
    const { id } = await person('eve')
    for (const n of [0, -1, 1.5, 1e12, null, '3', [1]]) {
      assert.equal((await server('consume', 'exports', id, n)).error?.field, 'n', String(n))
      assert.equal((await server('peek', 'exports', id, n)).error?.field, 'n', String(n))
    }
    assert.equal((await server('consume', 'exports', id, 1e9)).ok, false)
    assert.equal((await server('consume', 'exports', id, 1, { id: '' })).error?.field, 'id')
    assert.equal((await server('consume', 'exports', id, 1, { id: 'x'.repeat(201) })).error?.field, 'id')
    assert.equal((await server('peek', 'exports', id)).remaining, 10)
  })

  test('using units is refused for an undeclared usage limit, and for a subject that is unknown or of the wrong kind', async () => {
    const madeUp = `u_${'9'.repeat(26)}`
    const { id } = await person('fay')
    for (const key of ['prints', 'toString', '__proto__', null])
      assert.equal((await server('consume', key, id)).error?.field, 'key', String(key))
    for (const subject of ['app', `t_${'9'.repeat(26)}`, '', null, 'dir'])
      assert.equal((await server('consume', 'exports', subject)).error?.field, 'subject', String(subject))
    for (const more of [{}, { id: 'order 3' }])
      assert.equal((await server('consume', 'exports', madeUp, 1, more)).error?.code, 'not_found')
    assert.equal((await server('refund', 'order 3')).error?.code, 'not_found')
    assert.equal((await server('consume', 'rare', id)).resetsAt, null)
    assert.equal((await server('consume', 'rare', id)).ok, false)
  })

  test('a page can read the units that the signed-in person has left of a usage limit, and cannot use units', async () => {
    const { id, cookie } = await person('gus')
    await server('consume', 'exports', id, 3)
    const read = async (key: string, who: string) => await call('GET', `/_app/meter/${key}`, undefined, who)
    assert.equal((await read('exports', cookie)).json.data!['remaining'], 7)
    await server('consume', 'mails', 'app', 40)
    assert.equal((await read('mails', cookie)).json.data!['remaining'], 60)
    assert.equal((await read('exports', '')).json.error?.code, 'unauthorized')
    assert.equal((await read('prints', cookie)).status, 400)
    assert.equal((await call('POST', '/_app/meter/exports', {}, cookie)).status, 404)
    const spent = await call('POST', '/api/export', { n: 8 }, cookie)
    assert.deepEqual([spent.status, spent.json.error?.code], [429, 'rate_limited'])
    assert.equal((await read('exports', cookie)).json.data!['remaining'], 7)
  })

  test("the tests inside a generated app can use up people's usage limits", async () => {
    const results = (await (await app.ask('tests', '/run')).json()) as { ok: boolean; error: string | null }[]
    assert.deepEqual(
      results.map(({ ok, error }) => [ok, error]),
      [[true, null]],
    )
  })

  test('after a release changes a usage limit, units used before still count', async () => {
    const { id } = await person('hal')
    await server('consume', 'exports', id, 8)
    const meters = MANIFEST.meters.map((one) => (one.key === 'exports' ? { ...one, limit: 5 } : one))
    await app.ship(new Map([...tree, ['app.json', JSON.stringify({ ...MANIFEST, meters })]]))
    assert.deepEqual((await server('peek', 'exports', id)).remaining, 0)
    await app.ship(tree)
    assert.deepEqual((await server('peek', 'exports', id)).remaining, 2)
  })
})

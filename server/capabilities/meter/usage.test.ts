import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { starterTree } from '../../agent/source/tree.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import type { Client } from '../../testing/app.ts'
import { leaves } from '../../testing/effects.ts'

interface Usage {
  limits: { key: string; limit: number; windowStart: string | null; spent: number; people: number }[]
}

const MANIFEST = {
  slipway: 1,
  name: 'Exports',
  uses: ['auth', 'meter'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  meters: [
    { key: 'exports', per: 'user', window: 'month', limit: 10 },
    { key: 'mails', per: 'app', window: 'lifetime', limit: 100 },
  ],
}
const ROUTES = `import { auth, meter } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/export', async (c) => {
  const { id } = await auth.require(c.req.raw)
  return c.json(await meter.require('exports', id, (await c.req.json()).n))
})
`

/** The tests share one shipped app with two people and depend on their order. */
describe('the operator and the meters of a live app', () => {
  let cloud: CloudApp
  let operator: Client
  let at: string
  let appUrl: string
  const cookies: Record<string, string> = {}
  const people: Record<string, string> = {}

  async function call(who: string, method: string, path: string, body?: unknown) {
    const answer = await cloudFetch(`${appUrl}${path}`, {
      method,
      headers: cookies[who] === undefined ? {} : { cookie: cookies[who] },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const set = answer.headers.get('set-cookie')
    if (set !== null) cookies[who] = set.split(';')[0] ?? ''
    return { status: answer.status, json: (await answer.json()) as { data: never } }
  }
  const spend = async (who: string, n: number) => (await call(who, 'POST', '/api/export', { n })).status
  const left = async (who: string) =>
    ((await call(who, 'GET', '/_app/meter/exports')).json.data as { remaining: number }).remaining
  const usage = () => operator.call<Usage>(`GET ${at}/capabilities/meter/usage`)
  const exportsOf = async () => (await usage()).data.limits[0]

  before(async () => {
    cloud = await openCloudApp()
    const made = await cloud.personWithProject('Exports')
    operator = made.person
    at = made.path
    await operator.call(`PUT ${at}/capabilities/meter`, { enabled: true })
    assert.equal((await usage()).error?.code, 'not_enabled')
    const tree = new Map([
      ...starterTree('Exports'),
      ['app.json', JSON.stringify(MANIFEST)],
      [
        'web/pages/Home.tsx',
        `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
      ],
      ['server/routes.ts', ROUTES],
    ])
    await cloud.build(made.project.id, tree)
    const shipped = await operator.call<{ url: string }>(`POST ${at}/deploy`)
    assert.equal(shipped.error, undefined)
    appUrl = shipped.data.url
    for (const name of ['ada', 'bob']) {
      const account = { email: `${name}@example.test`, password: `${name} likes apples`, name }
      const { json } = await call(name, 'POST', '/_app/auth/sign-up', account)
      people[name] = (json.data as { user: { id: string } }).user.id
    }
  })
  after(() => cloud.close())

  test('the reported usage of a meter is the sum over all people, with the time window and the number of people', async () => {
    assert.deepEqual([await spend('ada', 7), await spend('bob', 2), await spend('ada', 4)], [200, 200, 429])
    await until(async () => (await exportsOf())?.spent === 9)
    const now = new Date()
    const month = (more: number) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + more)).toISOString()
    assert.deepEqual((await usage()).data.limits, [
      {
        ...MANIFEST.meters[0],
        windowStart: month(0),
        windowEnd: month(1),
        spent: 9,
        people: 2,
      },
      { ...MANIFEST.meters[1], windowStart: null, windowEnd: null, spent: 0, people: 0 },
    ])
  })

  test("the operator's limit for a meter applies without a new build, even if more is already used", async () => {
    leaves({ activity: { 'worker.upload': 'some' }, jobs: { provision: 'any' } })
    const setLimit = (limits: object) =>
      operator.call(`PUT ${at}/capabilities/meter`, { enabled: true, settings: { limits } })
    await setLimit({ exports: 5 })
    await until(async () => (await left('ada')) === 0)
    assert.equal(await spend('ada', 1), 429)
    assert.equal(await left('bob'), 3)
    assert.equal((await exportsOf())?.limit, 5)
    await setLimit({ exports: 1000 })
    await until(async () => (await left('ada')) === 993)
    assert.equal(await spend('ada', 100), 200)
    for (const limits of [{ exports: -1 }, { 'no key': 1 }, { exports: 'many' }])
      assert.equal((await setLimit(limits)).error?.code, 'invalid_request', JSON.stringify(limits))
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`m${n}`, 1]))
    assert.equal((await setLimit(many)).error?.code, 'invalid_request')
  })

  test("erasing a person removes their counters from a meter's usage and reports the number of counters", async () => {
    leaves({ activity: { 'app_user.erase': 1 } })
    await until(async () => (await exportsOf())?.spent === 109)
    const { data: report } = await operator.call<{ removed: { meterCounts: number } }>(
      `DELETE ${at}/capabilities/auth/users/${people['ada']}`,
    )
    assert.equal(report.removed.meterCounts, 1)
    assert.deepEqual([(await exportsOf())?.spent, (await exportsOf())?.people], [2, 1])
  })

  test('requests of the app and of the operator for meters are refused while the meter capability is off', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'project.deployed': 1,
        'worker.deploy': 'some',
        'worker.rebind': 'any',
        'worker.version': 'some',
      },
      jobs: { deploy: 'some', provision: 'any' },
    })
    await operator.call(`PUT ${at}/capabilities/meter`, { enabled: false })
    await until(async () => (await call('bob', 'GET', '/_app/meter/exports')).status === 404)
    assert.equal(await spend('bob', 1), 404)
    assert.equal((await usage()).error?.code, 'not_enabled')
    await operator.call(`PUT ${at}/capabilities/meter`, { enabled: true })
    assert.equal((await operator.call(`POST ${at}/deploy`)).error, undefined)
    assert.equal(await left('bob'), 998, 'what was spent is still known')
  })
})

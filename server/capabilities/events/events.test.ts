import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { starterTree } from '../../agent/source/tree.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import { leaves } from '../../testing/effects.ts'
import type { Client } from '../../testing/app.ts'
import { datasetName } from './declaration.ts'

interface Item {
  name: string
  group: string | null
  count: number
  value: number
  visitors: number
  lastAt: string
}
interface Day {
  day: string
  views: number
  events: number
}
type Summary = { state: 'ok'; windowDays: number; items: Item[]; days: Day[] } | { state: 'unavailable' }

const MANIFEST = {
  slipway: 1,
  name: 'Shop',
  uses: ['events'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  events: [{ name: 'sold' }],
}
const ROUTES = `import { events } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/night', (c) => {
  events.track('sold', { value: 5 })
  return c.json({ ok: true })
})
`
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

test("the names of the event datasets of production and preview are valid SQL names made from the project's slug", () => {
  assert.equal(datasetName({ slug: 'my-shop' }, 'production'), 'my_shop_events')
  assert.equal(datasetName({ slug: 'my-shop' }, 'preview'), 'my_shop_events_preview')
  assert.equal(datasetName({ slug: '3-bears' }, 'production'), '_3_bears_events')
})

/** The tests share one shipped app and depend on their order. */
describe('the operator and the events of a live app', () => {
  let cloud: CloudApp
  let operator: Client
  let at: string
  let projectId: string
  let appUrl: string
  let previewUrl: string

  const send = (url: string, events: object[], headers: Record<string, string> = {}) =>
    cloudFetch(`${url}/_app/events`, {
      method: 'POST',
      headers: { origin: url, 'user-agent': BROWSER, ...headers },
      body: JSON.stringify({ events }),
    })
  const summary = () => operator.call<Summary>(`GET ${at}/capabilities/events/summary`)
  const items = async () => {
    const { data, error } = await summary()
    assert.equal(data?.state, 'ok', String(error?.message))
    return data.state === 'ok' ? data.items : []
  }
  /** Returns the days with events among the thirty days that end today. */
  const days = async () => {
    const { data } = await summary()
    const all = data.state === 'ok' ? data.days : []
    assert.equal(all.length, 30)
    assert.equal(all.at(-1)?.day, new Date().toISOString().slice(0, 10))
    return all.filter(({ views, events }) => views + events > 0)
  }
  const control = async (path: string, body: object) => {
    const answer = await fetch(`${cloud.world.restUrl}/_control${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${cloud.world.controlToken}` },
      body: JSON.stringify(body),
    })
    assert.ok(answer.ok, await answer.text())
  }
  const accountId = async () => (await cloud.accountOf(operator.organizationId)).accountId

  before(async () => {
    cloud = await openCloudApp()
    const made = await cloud.personWithProject('Shop')
    operator = made.person
    at = made.path
    projectId = made.project.id
    assert.equal((await summary()).error?.code, 'not_enabled')
    await operator.call(`PUT ${at}/capabilities/events`, { enabled: true })
    assert.equal((await summary()).error?.code, 'not_enabled', 'not deployed yet')
    const tree = new Map([
      ...starterTree('Shop'),
      ['app.json', JSON.stringify(MANIFEST)],
      [
        'web/pages/Home.tsx',
        `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
      ],
      ['server/routes.ts', ROUTES],
    ])
    await cloud.build(projectId, tree)
    const shipped = await operator.call<{ url: string }>(`POST ${at}/deploy`)
    assert.equal(shipped.error, undefined)
    appUrl = shipped.data.url
    const preview = await operator.call<{ previewUrl: string }>(`POST ${at}/preview`, {})
    assert.equal(preview.error, undefined)
    previewUrl = preview.data.previewUrl
  })
  after(() => cloud.close())

  test("the operator's summary of events is empty before the first event", async () => {
    assert.deepEqual([await items(), await days()], [[], []])
  })

  test('events of the live app, and their visitors, are counted by name and group, without those of the preview', async () => {
    await send(previewUrl, [{ name: 'sold', group: 'preview' }])
    await send(appUrl, [
      { name: 'pageview', path: '/' },
      { name: 'pageview', path: '/' },
      { name: 'sold', group: 'gift', value: 2 },
    ])
    await send(appUrl, [{ name: 'sold', group: 'gift', value: 0.5 }], { 'user-agent': `${BROWSER} 2` })
    await cloudFetch(`${appUrl}/api/night`, { method: 'POST' })
    await send(appUrl, [{ name: 'sold', group: "'; DROP TABLE" }])
    await until(async () => (await items()).reduce((sum, { count }) => sum + count, 0) === 6)
    const shown = await items()
    assert.deepEqual(
      shown
        .map(({ lastAt: _lastAt, ...item }) => item)
        .toSorted((a, b) => (a.group ?? '').localeCompare(b.group ?? '')),
      [
        { name: 'sold', group: null, count: 1, value: 5, visitors: 0 },
        { name: 'sold', group: "'; DROP TABLE", count: 1, value: 0, visitors: 1 },
        { name: 'pageview', group: '/', count: 2, value: 0, visitors: 1 },
        { name: 'sold', group: 'gift', count: 2, value: 2.5, visitors: 2 },
      ].toSorted((a, b) => (a.group ?? '').localeCompare(b.group ?? '')),
    )
    const total = { views: 0, events: 0 }
    for (const { views, events } of await days()) {
      total.views += views
      total.events += events
    }
    assert.deepEqual(total, { views: 2, events: 4 })
    for (const { lastAt } of shown) assert.ok(Math.abs(Date.parse(lastAt) - Date.now()) < 120_000, lastAt)
  })

  test('sampled counts of events and visitors are scaled up to estimates for all visitors', async () => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: { 'project.deployed': 2, 'worker.upload': 'some' },
      jobs: { deploy: 'some', provision: 'some' },
    })
    const sampled = async (sampleRate: number) => {
      await operator.call(`PUT ${at}/capabilities/events`, { enabled: true, settings: { sampleRate } })
      assert.equal((await operator.call(`POST ${at}/deploy`)).error, undefined)
    }
    await sampled(0.5)
    const found = async () => (await items()).find(({ group }) => group === 'sampled')
    for (let i = 0; i < 40; i++)
      await send(appUrl, [{ name: 'sold', group: 'sampled', value: 3 }], { 'user-agent': `${BROWSER} ${i}` })
    await until(async () => ((await found())?.count ?? 0) > 10)
    const { count = 0, value, visitors } = (await found()) ?? {}
    assert.ok(count % 2 === 0 && count < 70, String(count))
    assert.deepEqual([value, visitors], [count * 3, count])
    await sampled(1)
  })

  test("the operator's summary of events leaves out events of an earlier project with the same slug", async () => {
    const { db } = cloud.app.platform
    const before = await items()
    assert.ok(before.length > 0)
    const { created_at: made } = await db
      .selectFrom('projects')
      .select('created_at')
      .where('id', '=', projectId)
      .executeTakeFirstOrThrow()
    const setMade = (time: Date) =>
      db.updateTable('projects').set({ created_at: time }).where('id', '=', projectId).execute()
    await setMade(new Date(Date.now() + 60_000))
    assert.deepEqual(await items(), [])
    await setMade(made)
    assert.deepEqual(await items(), before)
  })

  test('the summary of events is unavailable while Cloudflare fails or a permission is missing', async () => {
    leaves({ activity: { 'connection.expired failed': 1 } })
    const account = await accountId()
    const path = '/analytics_engine/sql'
    await control('/faults', {
      match: { provider: 'cloudflare', path, account, times: 1 },
      do: { status: 400 },
    })
    assert.deepEqual((await summary()).data, { state: 'unavailable' })
    assert.ok((await items()).length > 0)
    await control('/tokens/narrow', { account, scopes: ['account-settings.read', 'workers-scripts.write'] })
    assert.deepEqual((await summary()).data, { state: 'unavailable' })
    await control('/tokens/revoke', { account })
    assert.deepEqual((await summary()).data, { state: 'unavailable' })
  })

  test('reading the summary of events is a 409 conflict while the project moves to another Cloudflare account', async () => {
    const { db, clock } = cloud.app.platform
    const time = clock.now()
    const move = { project_id: projectId, org_id: operator.organizationId, from_account: 'another' }
    const state = { live_data: 'copy' as const, state: 'moving' as const, updated_at: time, created_at: time }
    await db
      .insertInto('moves')
      .values({ ...move, ...state })
      .execute()
    const { status, error } = await summary()
    assert.deepEqual([status, error?.code], [409, 'conflict'])
  })

  test('the summary of events is a 404 for another organization', async () => {
    const stranger = await cloud.app.signUp()
    const { status, error } = await stranger.call(`GET ${at}/capabilities/events/summary`)
    assert.deepEqual([status, error?.code], [404, 'not_found'])
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AppOptions, type RunningApp, startApp } from '../../testing/bundle.ts'
import { starterTree } from '../../source/tree.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Shop',
  uses: ['events'],
  pages: [
    { path: '/', file: 'Home.tsx', title: 'Home' },
    { path: '/plants/:id', file: 'Home.tsx', title: 'Plant' },
  ],
  events: [{ name: 'sold' }, { name: 'joined', groups: ['free', 'pro'] }],
}
const ROUTES = `import { events } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/sell', (c) => {
  events.track('sold', { group: 'gift', value: 12, req: c.req.raw })
  return c.json({ ok: true })
})
routes.post('/night', (c) => {
  events.track('sold', { group: 'ada@example.com' })
  // Code may still count an event that a later version of app.json lacks.
  events.track('gone' as never)
  return c.json({ ok: true })
})
`
const TEST = `import { app, expect, test } from '@slipway/app/testing'

test('a sale is counted', async () => {
  await app.post('/api/night')
  expect(await app.events()).toEqual([{ name: 'sold', group: null, value: 0, path: null }])
})
`
const TREE = new Map([
  ...starterTree('Shop'),
  ['app.json', JSON.stringify(MANIFEST)],
  [
    'web/pages/Home.tsx',
    `import { events, Page } from '@slipway/app/react'
export default () => <Page title="Home"><button onClick={() => events.track('joined', { group: 'pro' })}>Join</button></Page>
`,
  ],
  ['server/routes.ts', ROUTES],
  ['tests/sales.test.ts', TEST],
])

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function startShop(options: AppOptions = {}): Promise<Shop> {
  return new Shop(await startApp(TREE, { enabled: ['events'], ...options }))
}

class Shop {
  readonly app: RunningApp
  constructor(app: RunningApp) {
    this.app = app
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}) {
    return this.app.fetch(path, {
      method: 'POST',
      headers: {
        'user-agent': BROWSER,
        'cf-connecting-ip': '203.0.113.9',
        origin: this.app.url.origin,
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  }

  send(events: object[], headers?: Record<string, string>) {
    return this.post('/_app/events', { events }, headers)
  }

  /** Data points are written after the response, so poll for them. */
  async counted(atLeast: number) {
    const points: Awaited<ReturnType<RunningApp['counted']>> = []
    for (let i = 0; i < 200 && points.length < atLeast; i++) {
      points.push(...(await this.app.counted()))
      await sleep(20)
    }
    return points
  }

  /**
   * Sends a last event, waits for its data point and returns the points before it. By then, the points of all earlier
   * events have arrived.
   */
  async countedBefore(last: object) {
    await this.send([last], { 'cf-connecting-ip': '198.51.100.1' })
    const points = await this.counted(1)
    await sleep(200)
    return [...points, ...(await this.app.counted())].slice(0, -1)
  }
}
const SOLD = { name: 'sold', path: '/' }

describe('analytics events of a running app', () => {
  let shop: Shop
  before(async () => {
    shop = await startShop()
  })
  after(() => shop.app.stop())

  test('each event of a batch that a page sends is stored as an analytics data point without personal data', async () => {
    const answer = await shop.send([
      { name: 'pageview', path: '/plants/f4fae1a2' },
      { name: 'joined', group: 'pro', path: '/' },
      { name: 'sold', value: 7, path: '/nowhere' },
    ])
    assert.equal(answer.status, 200)
    assert.deepEqual(((await answer.json()) as { data: object }).data, { received: 3 })
    assert.equal(answer.headers.get('set-cookie'), null)
    const points = await shop.counted(3)
    const visitor = points[0]?.blobs[2] ?? ''
    assert.match(visitor, /^[0-9a-f]{20}$/)
    assert.deepEqual(points, [
      { indexes: ['pageview'], blobs: ['pageview', '/plants/:id', visitor, '/plants/:id'], doubles: [0, 1] },
      { indexes: ['joined'], blobs: ['joined', 'pro', visitor, '/'], doubles: [0, 1] },
      { indexes: ['sold'], blobs: ['sold', '', visitor, ''], doubles: [7, 1] },
    ])
    assert.doesNotMatch(JSON.stringify(points), /203\.0\.113|Firefox|f4fae1a2/)
  })

  test('server code can count an event for the visitor who made the request, or without a visitor', async () => {
    await shop.post('/api/sell', {})
    await shop.send([{ name: 'joined', path: '/' }])
    const [sold, joined] = await shop.counted(2)
    assert.deepEqual(sold?.blobs.toSpliced(2, 1), ['sold', 'gift', ''])
    assert.equal(sold?.blobs[2], joined?.blobs[2], 'one visitor')
    await shop.post('/api/night', {})
    const alone = await shop.counted(1)
    assert.deepEqual(alone[0]?.blobs, ['sold', '', '', ''])
  })

  test('analytics events of robots and of people who opted out are not counted, nor are undeclared or invalid events', async () => {
    await shop.send([
      { name: 'bought' },
      { name: 'pageview', path: '/admin' },
      { name: 'sold', value: 'many' },
    ])
    await shop.send([SOLD], { 'sec-gpc': '1' })
    await shop.post('/api/sell', {}, { 'sec-gpc': '1' })
    await shop.send([SOLD], { 'user-agent': 'Googlebot/2.1' })
    await shop.send([SOLD], { 'user-agent': '' })
    assert.deepEqual(await shop.countedBefore(SOLD), [])
  })

  test('analytics event requests are refused when malformed, from another site or without an Origin header', async () => {
    const codeOf = async (answer: Response) => {
      const { error } = (await answer.json()) as { error: { code: string; field?: string } }
      return [answer.status, error.code]
    }
    assert.deepEqual(await codeOf(await shop.send([SOLD], { origin: 'https://evil.test' })), [
      403,
      'forbidden',
    ])
    const bare = await shop.app.fetch('/_app/events', { method: 'POST', body: '{"events":[]}' })
    assert.deepEqual(await codeOf(bare), [403, 'forbidden'])
    const wrong = [
      { events: Array.from({ length: 21 }, () => SOLD) },
      { events: 'all' },
      { events: [null] },
      {},
      'no json',
      { events: ['x'.repeat(20_000)] },
    ]
    for (const body of wrong)
      assert.deepEqual(await codeOf(await shop.post('/_app/events', body)), [400, 'invalid_request'])
    assert.equal((await shop.app.fetch('/_app/events')).status, 404)
    assert.deepEqual(await shop.countedBefore(SOLD), [])
  })

  test('a network address gets 429 after sixty event requests, and events from other addresses are still counted', async () => {
    const flood = { 'cf-connecting-ip': '192.0.2.77' }
    const statuses: number[] = []
    for (let i = 0; i < 70; i++) statuses.push((await shop.send([], flood)).status)
    assert.deepEqual(
      [statuses.filter((one) => one === 200).length, statuses.filter((one) => one === 429).length],
      [60, 10],
    )
    assert.equal((await shop.send([SOLD])).status, 200)
    assert.equal((await shop.counted(1)).length, 1)
  })

  test("the app's own tests can read the events that were counted", async () => {
    const results = (await (await shop.app.ask('tests', '/run')).json()) as { ok: boolean; error: string }[]
    assert.deepEqual(
      results.map(({ ok, error }) => [ok, error]),
      [[true, null]],
    )
  })
})

describe('the settings of analytics events', () => {
  test('at a sample rate of 0.5 some events are counted with weight 2, and disabled page views are not counted', async () => {
    const variables = { EVENTS_SAMPLE_RATE: '0.5', EVENTS_PAGE_VIEWS: 'off' }
    const shop = await startShop({ variables })
    try {
      for (let i = 0; i < 40; i++)
        await shop.send([SOLD, { name: 'pageview', path: '/' }], { 'cf-connecting-ip': `203.0.113.${i}` })
      const points = await shop.counted(1)
      await sleep(300)
      points.push(...(await shop.app.counted()))
      assert.ok(points.length > 5 && points.length < 35, String(points.length))
      for (const { blobs, doubles } of points) assert.deepEqual([blobs[0], doubles], ['sold', [0, 2]])
    } finally {
      await shop.app.stop()
    }
  })

  test('while the events capability is off, event requests from pages are refused and event calls in server code throw', async () => {
    const shop = await startShop({ enabled: ['data'] })
    try {
      assert.equal((await shop.send([SOLD])).status, 404)
      const answer = await shop.post('/api/sell', {})
      assert.equal(((await answer.json()) as { error: { code: string } }).error.code, 'not_enabled')
      assert.deepEqual(await shop.counted(0), [])
    } finally {
      await shop.app.stop()
    }
  })
})

import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createPushReceiver, type PushReceiver } from '@slipway/runtime/push/receiver.ts'
import { starterTree } from '../../source/tree.ts'
import { Browser } from '../../testing/browser.ts'
import { type RunningApp, startApp } from '../../testing/bundle.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Shop',
  uses: ['auth', 'team', 'push'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
}
const ROUTES = `import { push, team } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/send', async (c) => {
  const { to, ...message } = await c.req.json()
  return c.json(await push.send(to, { title: 'New order', body: 'Two cakes', url: '/orders/1', ...message }))
})
routes.post('/teams', async (c) => c.json(await team.as(c.req.raw).create({ name: 'Red' })))
`
const TREE = new Map([
  ...starterTree('Shop'),
  ['app.json', JSON.stringify(MANIFEST)],
  ['server/routes.ts', ROUTES],
  [
    'web/pages/Home.tsx',
    `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
  ],
])
const VAPID_PRIVATE_KEY = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  .privateKey.export({ type: 'pkcs8', format: 'der' })
  .toString('base64url')

interface Report {
  sent: number
  gone: number
  failed: number
}
interface Sent {
  url: string
  headers: Headers
  bytes: Uint8Array
}

let endpoints = 0

describe('notifications of a running app', () => {
  let app: RunningApp
  const sent: Sent[] = []
  const logs: string[] = []
  let statusOf: (url: string) => number = () => 201

  const start = (options: Parameters<typeof startApp>[1] = {}) =>
    startApp(TREE, {
      enabled: ['auth', 'data', 'push', 'team'],
      variables: { VAPID_PRIVATE_KEY, PUSH_ICON: '/icon.png', PUSH_SUBJECT: '' },
      onLog: (line) => logs.push(line),
      outbound: (request) => {
        sent.push(request)
        return Promise.resolve(new Response('', { status: statusOf(request.url) }))
      },
      ...options,
    })

  before(async () => {
    app = await start()
  })
  after(() => app.stop())

  async function person(name: string, at = app) {
    const browser = new Browser(at)
    const { id } = await browser.signUp(`${name}${++endpoints}`)
    return { browser, id }
  }
  const newDevice = () => createPushReceiver(`https://push.example.com/send/${++endpoints}`)
  const addTo = (browser: Browser, { subscription }: PushReceiver) =>
    browser.call('POST', '/_app/push/devices', subscription)
  async function send(to: object, message: object = {}, at = app) {
    sent.length = 0
    const answer = await at.fetch('/api/send', { method: 'POST', body: JSON.stringify({ to, ...message }) })
    const body = (await answer.json()) as Report & { error?: { code: string; field?: string } }
    return { status: answer.status, ...body }
  }
  const reportOf = async (to: object) => {
    const { sent: count, gone, failed } = await send(to)
    return [count, gone, failed]
  }

  test("a push notification is sent encrypted to each device of a person, with the app's icon and a VAPID token for the push service", async () => {
    const { browser, id } = await person('ada')
    const devices = [await newDevice(), await newDevice()]
    for (const device of devices) {
      const { status, data } = await addTo(browser, device)
      assert.equal(status, 200)
      assert.match((data as { id: string }).id, /^[a-f0-9]{64}$/)
    }
    assert.deepEqual(await send({ userId: id }, { tag: 'order-1', ttlSeconds: 60, urgency: 'high' }), {
      status: 200,
      sent: 2,
      gone: 0,
      failed: 0,
    })
    assert.equal(sent.length, 2)
    for (const { subscription, decrypt } of devices) {
      const one = sent.find(({ url }) => url === subscription.endpoint)
      assert.ok(one)
      assert.deepEqual(JSON.parse(await decrypt(one.bytes)), {
        title: 'New order',
        body: 'Two cakes',
        url: '/orders/1',
        tag: 'order-1',
        icon: '/icon.png',
      })
      assert.ok(!Buffer.from(one.bytes).includes('cakes'))
      const { key } = (await browser.call('GET', '/_app/push/key')).data as { key: string }
      const [, token = '', named] =
        /^vapid t=(\S+), k=(\S+)$/.exec(one.headers.get('authorization') ?? '') ?? []
      assert.equal(named, key)
      const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object
      assert.deepEqual(
        { ...claims, exp: 0 },
        { aud: 'https://push.example.com', sub: `https://${app.url.host}`, exp: 0 },
      )
    }
  })

  test('a page can ask whether its device is registered for push notifications of the signed-in person', async () => {
    const [ada, bob] = [await person('ada'), await person('bob')]
    const device = await newDevice()
    const { id } = (await addTo(ada.browser, device)).data as { id: string }
    const isOn = async ({ browser }: { browser: Browser }) =>
      ((await browser.call('GET', `/_app/push/key?device=${id}`)).data as { isOn: boolean }).isOn
    assert.deepEqual([await isOn(ada), await isOn(bob)], [true, false])
    assert.equal((await bob.browser.call('DELETE', '/_app/push/devices', { id })).status, 200)
    assert.equal(await isOn(ada), true)
    assert.equal((await ada.browser.call('DELETE', '/_app/push/devices', { id })).status, 200)
    assert.deepEqual([await isOn(ada), await reportOf({ userId: ada.id })], [false, [0, 0, 0]])
    const odd = await ada.browser.call('DELETE', '/_app/push/devices', { id: 'x' })
    assert.deepEqual([odd.status, odd.error?.field], [400, 'id'])
  })

  test("when a second person registers a browser's push subscription, the browser gets notifications for the second person only", async () => {
    const [ada, bob] = [await person('ada'), await person('bob')]
    const device = await newDevice()
    await addTo(ada.browser, device)
    await addTo(bob.browser, device)
    assert.deepEqual(await reportOf({ userId: ada.id }), [0, 0, 0])
    assert.deepEqual(await reportOf({ userId: bob.id }), [1, 0, 0])
    await Promise.all([addTo(ada.browser, device), addTo(bob.browser, device), addTo(ada.browser, device)])
    const both = [await reportOf({ userId: ada.id }), await reportOf({ userId: bob.id })]
    assert.equal(both.filter(([count]) => count === 1).length, 1, JSON.stringify(both))
  })

  test('a push notification to several people or to a team reaches each person once', async () => {
    const [ada, bob, eve] = [await person('ada'), await person('bob'), await person('eve')]
    for (const { browser } of [ada, bob, eve]) await addTo(browser, await newDevice())
    const unknown = `u_${'1'.repeat(26)}`
    assert.deepEqual(await reportOf({ userIds: [ada.id, bob.id, ada.id, unknown] }), [2, 0, 0])
    const { id: team } = (await ada.browser.call('POST', '/api/teams')) as unknown as { id: string }
    assert.deepEqual(await reportOf({ teamId: team }), [1, 0, 0])
    assert.deepEqual(await reportOf({ teamId: `t_${'1'.repeat(26)}` }), [0, 0, 0])
    assert.deepEqual(await reportOf({ userIds: [] }), [0, 0, 0])
  })

  test('a device whose push subscription no longer exists is removed, and a device whose push service is down is kept', async () => {
    const { browser, id } = await person('ada')
    const [gone, busy] = [await newDevice(), await newDevice()]
    for (const device of [gone, busy]) await addTo(browser, device)
    statusOf = (url) => (url === gone.subscription.endpoint ? 410 : 503)
    assert.deepEqual(await reportOf({ userId: id }), [0, 1, 1])
    statusOf = () => 201
    assert.deepEqual(await reportOf({ userId: id }), [1, 0, 0])
  })

  test('an invalid push notification is refused with the name of the field', async () => {
    const { id } = await person('ada')
    const refused: [string, object, object][] = [
      ['to', {}, {}],
      ['to', { userId: 'ada' }, {}],
      ['to', { userIds: [id, 'ada'] }, {}],
      ['to', { userIds: Array.from({ length: 101 }, () => id) }, {}],
      ['to', { teamId: id }, {}],
      ['title', { userId: id }, { title: '' }],
      ['url', { userId: id }, { url: 'https://example.com/' }],
      ['body', { userId: id }, { body: 'x'.repeat(3000) }],
      ['ttlSeconds', { userId: id }, { ttlSeconds: -1 }],
      ['urgency', { userId: id }, { urgency: 'now' }],
    ]
    for (const [field, to, message] of refused) {
      const answer = await send(to, message)
      assert.deepEqual([answer.status, answer.error?.field], [400, field], JSON.stringify([to, message]))
    }
    assert.equal(sent.length, 0)
  })

  test('a push subscription is accepted only from a signed-in person, for a public https address', async () => {
    const { browser } = await person('ada')
    const device = await newDevice()
    for (const [method, path] of [
      ['GET', '/_app/push/key'],
      ['POST', '/_app/push/devices'],
      ['DELETE', '/_app/push/devices'],
    ] as const) {
      const body = method === 'GET' ? undefined : device.subscription
      assert.equal((await new Browser(app).call(method, path, body)).status, 401, path)
    }
    for (const endpoint of ['https://127.0.0.1/x', 'https://localhost/x', 'http://push.example.com/'])
      assert.equal(
        (await browser.call('POST', '/_app/push/devices', { ...device.subscription, endpoint })).status,
        400,
      )
  })

  test('the service worker for push notifications is JavaScript with `Cache-Control: no-cache`', async () => {
    const answer = await app.fetch('/_app/push/sw.js')
    assert.match(answer.headers.get('content-type') ?? '', /^text\/javascript/)
    assert.equal(answer.headers.get('cache-control'), 'no-cache')
    assert.match(await answer.text(), /showNotification/)
  })

  test('the push subscription address of a device is not logged', () => {
    assert.ok(
      logs.every((line) => !line.includes('/send/')),
      logs.join('\n'),
    )
  })

  test("erasing a person removes the person's push subscriptions and reports their number", async () => {
    const { browser, id } = await person('ada')
    const device = await newDevice()
    await addTo(browser, device)
    const { removed } = await app.operate<{ removed: Record<string, number> }>(
      'erase',
      'production',
      id,
      null,
    )
    assert.equal(removed['pushDevices'], 1)
    assert.deepEqual(await reportOf({ userId: id }), [0, 0, 0])
    assert.equal((await addTo(browser, device)).status, 401)
    const { browser: next, id: nextId } = await person('bob')
    assert.equal((await addTo(next, device)).status, 200)
    assert.deepEqual(await reportOf({ userId: nextId }), [1, 0, 0])
  })

  test("devices stay registered for a person's push notifications when the project moves to another Cloudflare account", async () => {
    const { browser, id } = await person('ada')
    const device = await newDevice()
    await addTo(browser, device)
    const { release, partitions } = await app.operate<{
      release: object | null
      partitions: { name: string; head: object }[]
    }>('contents', 'production')
    const there = await start()
    try {
      for (const { name, head } of partitions)
        await there.operate('takeHead', 'production', name, head, release)
      assert.equal((await send({ userId: id }, {}, there)).sent, 1)
      assert.equal(sent[0]?.url, device.subscription.endpoint)
      const { browser: next, id: nextId } = await person('bob', there)
      await addTo(next, device)
      assert.equal((await send({ userId: id }, {}, there)).sent, 0)
      assert.equal((await send({ userId: nextId }, {}, there)).sent, 1)
    } finally {
      await there.stop()
    }
  })

  test('without a VAPID key sending a push notification and registering a device return not_enabled', async () => {
    const keyless = await start({ variables: {} })
    try {
      const { browser, id } = await person('ada', keyless)
      assert.equal((await addTo(browser, await newDevice())).error?.code, 'not_enabled')
      assert.equal((await send({ userId: id }, {}, keyless)).error?.code, 'not_enabled')
    } finally {
      await keyless.stop()
    }
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { wholeBrowserPath } from '../../../server/testing/chromium.ts'
import type { Page } from 'playwright-core'
import { href } from '../../../console/routes.ts'
import { finish, type ScriptedStep, write } from '../../support/scripted-model.ts'
import { assertSoundApp, press, signUpInApp } from './visitors.ts'
import { assertBecomes, assertSoundSizes, DESK, PHONE, type WatchedPage } from '../browser.ts'
import { shipScriptedApp } from '../scripted-project.ts'
import { type BrowserWorld, openBrowserWorld } from '../world.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Cake shop',
  uses: ['auth', 'push'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Orders', access: 'members' }],
}
const HOME = `import { useEffect, useState } from 'react'
import { api, Button, Page, push } from '@slipway/app/react'

export default () => {
  const [state, setState] = useState<string>('')
  const show = async () => setState(await push.state())
  useEffect(() => void show(), [])
  return (
    <Page title="Orders">
      <p>Notifications are {state}</p>
      <Button onClick={() => void push.subscribe().finally(show)}>Notify me</Button>
      <Button onClick={() => void push.unsubscribe().finally(show)}>Stop</Button>
      <Button onClick={() => void api.post('/api/orders')}>Order a cake</Button>
    </Page>
  )
}
`
const ROUTES = `import { auth, push } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/orders', async (c) => {
  const { id: userId } = await auth.require(c.req.raw)
  return c.json(await push.send({ userId }, { title: 'Your order', body: 'The cake is in the oven', url: '/' }))
})
`
const TEST = `import { app, expect, test } from '@slipway/app/testing'

test('a person who placed an order gets a push notification when the order is ready', async () => {
  const ada = await app.signUp('Ada')
  await ada.addDevice()
  expect((await ada.post('/api/orders')).body.sent).toBe(1)
  expect((await app.pushes())[0]?.title).toBe('Your order')
})
`
const STEPS: ScriptedStep[] = [
  {
    toolCalls: [
      { name: 'enable_capability', args: { key: 'push' } },
      write('app.json', JSON.stringify(MANIFEST)),
      write('web/pages/Home.tsx', HOME),
      write('server/routes.ts', ROUTES),
      write('tests/orders.test.ts', TEST),
    ],
  },
  { toolCalls: [finish('People are told about their orders.')], repeat: true },
]

/**
 * Chromium would subscribe at its vendor's push service, which tests must not call. Instead, the stand-in creates the subscriptions, and
 * its messages are passed to the page's service worker.
 */
const STAND_IN = `{
  let subscription = null
  const key = (options) => options.applicationServerKey
  PushManager.prototype.subscribe = async (options) => {
    const json = await makeSubscription(key(options))
    subscription = { endpoint: json.endpoint, toJSON: () => json, unsubscribe: async () => ((subscription = null), true) }
    return subscription
  }
  PushManager.prototype.getSubscription = async () => subscription
}`

const READ_NOTIFICATIONS = `navigator.serviceWorker.getRegistration('/_app/push/')
  .then((registration) => registration?.getNotifications() ?? [])
  .then((all) => all.map(({ title, body }) => ({ title, body })))`

describe('notifications of an app, in the browser', () => {
  let world: BrowserWorld
  let visitor: WatchedPage
  let page: Page
  let projectId: string
  let address: string
  let service: string

  before(async () => {
    world = await openBrowserWorld({ page: { viewport: DESK }, browserPath: wholeBrowserPath() })
    service = `http://127.0.0.1:${world.service.env['SLIPWAY_LOCAL_PORT']}/push`
    ;({ projectId, address } = await shipScriptedApp(world, {
      name: 'Cake shop',
      title: 'Tell people about orders',
      steps: STEPS,
    }))
    visitor = await world.open('nobody', { viewport: PHONE })
    page = visitor.page
    await visitor.context.grantPermissions(['notifications'], { origin: new URL(address).origin })
    await page.exposeFunction('makeSubscription', async (senderKey: string) => {
      const body = JSON.stringify({ senderKey })
      return (await fetch(`${service}/subscriptions`, { method: 'POST', body })).json()
    })
    await page.addInitScript(STAND_IN)
  })
  after(() => world?.close())

  const listDelivered = async () =>
    (
      (await (await fetch(`${service}/messages`)).json()) as {
        messages: { content: string; subject: string }[]
      }
    ).messages
  const shownNotifications = () => page.evaluate<{ title: string; body: string }[]>(READ_NOTIFICATIONS)

  test("a person turns on an app's notifications with a click, and gets one about their order", async () => {
    await page.goto(address)
    await signUpInApp(page, 'Ann')
    await page.getByText('Notifications are off').waitFor()
    await press(page, 'Notify me')
    await page.getByText('Notifications are on').waitFor()
    await assertSoundApp(page, 'app-push')
    await press(page, 'Order a cake')
    await assertBecomes(async () => (await listDelivered()).length, 1)
    const [message] = await listDelivered()
    assert.equal(message?.subject, `https://${new URL(address).host}`)
    const { title, body } = JSON.parse(message.content) as { title: string; body: string }
    assert.deepEqual([title, body], ['Your order', 'The cake is in the oven'])
  })

  test("the service worker of an app's page shows a push notification", async () => {
    const cdp = await visitor.context.newCDPSession(page)
    const registrations: { registrationId: string; scopeURL: string }[] = []
    cdp.on('ServiceWorker.workerRegistrationUpdated', (event) => registrations.push(...event.registrations))
    await cdp.send('ServiceWorker.enable')
    await assertBecomes(async () => registrations.length > 0, true)
    const { origin } = new URL(address)
    const found = registrations.find(({ scopeURL }) => scopeURL === `${origin}/_app/push/`)
    assert.ok(found, JSON.stringify(registrations))
    const data = (await listDelivered())[0]?.content ?? ''
    await cdp.send('ServiceWorker.deliverPushMessage', {
      origin,
      registrationId: found.registrationId,
      data,
    })
    await assertBecomes(async () => (await shownNotifications()).length, 1)
    assert.deepEqual(await shownNotifications(), [{ title: 'Your order', body: 'The cake is in the oven' }])
  })

  test("a person who turns off an app's notifications gets no further ones", async () => {
    await press(page, 'Stop')
    await page.getByText('Notifications are off').waitFor()
    // Start waiting before the click, because the response may arrive before `press` returns.
    const ordered = page.waitForResponse(/\/api\/orders$/)
    await press(page, 'Order a cake')
    await ordered
    assert.equal((await listDelivered()).length, 1)
    visitor.assertQuiet()
  })

  test('the console has a setting for the contact address that is sent to push services', async () => {
    const desk = world.page
    await desk.goto(world.url + href.capability(projectId, 'push'))
    await desk.getByLabel('Contact').waitFor()
    await assertSoundSizes(desk, 'push')
    world.assertQuiet()
  })
})

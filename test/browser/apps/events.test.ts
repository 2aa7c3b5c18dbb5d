import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../../console/routes.ts'
import { finish, type ScriptedStep, write } from '../../support/scripted-model.ts'
import { assertSoundSizes, DESK } from '../browser.ts'
import { shipScriptedApp } from '../scripted-project.ts'
import { type BrowserWorld, openBrowserWorld } from '../world.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Cake shop',
  uses: ['events'],
  pages: [
    { path: '/', file: 'Home.tsx', title: 'Cakes' },
    { path: '/cakes/:name', file: 'Cake.tsx', title: 'Cake' },
  ],
  events: [{ name: 'tasted', groups: ['chocolate', 'lemon'] }, { name: 'ordered' }],
}
const HOME = `import { LinkButton, Page } from '@slipway/app/react'

export default () => (
  <Page title="Cakes">
    <LinkButton to="/cakes/lemon-of-ada">Lemon</LinkButton>
  </Page>
)
`
const CAKE = `import { api, Button, events, Page } from '@slipway/app/react'

export default () => (
  <Page title="Lemon cake">
    <Button onClick={() => events.track('tasted', { group: 'lemon' })}>Taste</Button>
    <Button onClick={() => void api.post('/api/orders')}>Order</Button>
  </Page>
)
`
const ROUTES = `import { events } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/orders', (c) => {
  events.track('ordered', { value: 24.5, req: c.req.raw })
  return c.json({ ok: true })
})
`
const TEST = `import { app, expect, test } from '@slipway/app/testing'

test('an order is recorded as an analytics event with its price as value', async () => {
  await app.fetch('/api/orders', { method: 'POST', headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux)' } })
  expect(await app.events()).toEqual([{ name: 'ordered', group: null, value: 24.5, path: null }])
})
`
const STEPS: ScriptedStep[] = [
  {
    toolCalls: [
      { name: 'enable_capability', args: { key: 'events' } },
      write('app.json', JSON.stringify(MANIFEST)),
      write('web/pages/Home.tsx', HOME),
      write('web/pages/Cake.tsx', CAKE),
      write('server/routes.ts', ROUTES),
      write('tests/orders.test.ts', TEST),
    ],
  },
  { toolCalls: [finish('Tastes and orders are counted.')], repeat: true },
]
/** Reads the rows of the table of event counts, without the last column, which is a time. */
const ROWS = `[...document.querySelectorAll('table[aria-label] tbody tr')].map((row) =>
  [...row.children].slice(0, -1).map((cell) => cell.textContent))`
// The user agent of a real browser. Visits with the user agent of an automated browser are not counted.
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

describe('the events of an app, in the browser', () => {
  let world: BrowserWorld
  let page: Page
  let projectId: string
  let address: string

  before(async () => {
    world = await openBrowserWorld({ page: { viewport: DESK } })
    page = world.page
    ;({ projectId, address } = await shipScriptedApp(world, {
      name: 'Cake shop',
      title: 'Count tastes and orders',
      steps: STEPS,
    }))
  })
  after(() => world?.close())

  const openFigures = () => page.goto(world.url + href.capability(projectId, 'events', { tab: 'live' }))

  const sentBy = (app: Page) => app.waitForRequest((request) => request.url().endsWith('/_app/events'))

  /**
   * Dispatches `pagehide`, on which the page sends its remaining events. A real navigation would send them
   * with the user agent of the automated browser.
   */
  async function leavePage(app: Page): Promise<void> {
    const sent = sentBy(app)
    await app.evaluate("dispatchEvent(new PageTransitionEvent('pagehide')) && undefined")
    await sent
  }

  /** Reloads the page of event counts until it has these rows, because events are counted after the response. */
  async function assertFigures(wanted: string[][]): Promise<void> {
    let shown: string[][] = []
    for (let i = 0; i < 40; i++) {
      await openFigures()
      await page.getByRole('heading', { name: /^(Page views|Nothing was counted yet)$/ }).waitFor()
      shown = await page.evaluate<string[][]>(ROWS)
      if (JSON.stringify(shown) === JSON.stringify(wanted)) return
    }
    assert.deepEqual(shown, wanted)
  }

  test("before an app's first visit, the console explains how visits and events are counted", async () => {
    await openFigures()
    await page.getByText('Nothing was counted yet').waitFor()
    await assertSoundSizes(page, 'events-none')
  })

  test('page views, page events and server events of an app appear in the console without any cookie', async () => {
    const { page: app, context } = await world.open('nobody', { userAgent })
    const views = sentBy(app)
    await app.goto(address)
    await app.getByRole('link', { name: 'Lemon' }).click()
    await views
    await app.getByRole('button', { name: 'Order' }).click()
    await app.getByRole('button', { name: 'Taste' }).click()
    await leavePage(app)
    assert.deepEqual(await context.cookies(), [])
    await assertFigures([
      ['/', '1', '1'],
      ['/cakes/:name', '1', '1'],
      ['ordered', '1', '1', '24.5'],
      ['tasted · lemon', '1', '1', '0'],
    ])
    await assertSoundSizes(page, 'events')
    world.assertQuiet()
  })

  test('a visit to an app with Global Privacy Control is not counted', async () => {
    const { page: app } = await world.open('nobody', {
      userAgent,
      extraHTTPHeaders: { 'sec-gpc': '1' },
    })
    await app.goto(address)
    await app.getByRole('link', { name: 'Lemon' }).click()
    await app.getByRole('button', { name: 'Order' }).click()
    await leavePage(app)
    const { page: other } = await world.open('nobody', { userAgent: `${userAgent} Other/1` })
    await other.goto(address)
    await other.getByRole('link', { name: 'Lemon' }).waitFor()
    await leavePage(other)
    await assertFigures([
      ['/', '2', '2'],
      ['/cakes/:name', '1', '1'],
      ['ordered', '1', '1', '24.5'],
      ['tasted · lemon', '1', '1', '0'],
    ])
  })
})

import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { queryClient } from '../../api/request/query-client.ts'
import { isThere, press, Refusal, serve, showAt, untilSent } from '../../testing/console.tsx'
import { Bars } from './bars.tsx'
import { connection } from './browser-connection.ts'

const MODELS = 'GET /connections/models'
const RUNNING_SCRIPT = '/_console/assets/index-old.js'
const pageOf = (script: string) =>
  new Response(`<script type="module" crossorigin src="${script}"></script>`, {
    headers: { 'content-type': 'text/html' },
  })

/** What the fake service and the browser report. A test changes `world` to simulate a connection change. */
interface World {
  models: unknown
  isHealthy: boolean
  isOnline: boolean
  script: string
}
let world: World

/** Shows the bars at `address`, in a console with the entry script `RUNNING_SCRIPT`. */
async function openBars(part: Partial<World> = {}, address = '/projects') {
  Object.assign(world, part)
  const api = serve({ [MODELS]: () => world.models })
  const fromApi = globalThis.fetch
  const asked: string[] = []
  globalThis.fetch = async (input, init) => {
    const path = new URL(input instanceof Request ? input.url : String(input), location.href).pathname
    if (path !== '/health' && path !== '/') return fromApi(input, init)
    asked.push(path)
    if (path === '/') return pageOf(world.script)
    return new Response('', { status: world.isHealthy ? 200 : 503 })
  }
  // A failed request in another test file may have set the connection state to lost.
  if (connection.get() !== 'online') await check()
  await showAt('/app/$', Bars, address)
  await waitFor(() => assert.equal(api[MODELS]?.length, 1))
  await untilSent()
  return { versionChecks: () => asked.filter((path) => path === '/').length }
}
const bar = () => screen.getByRole('status').textContent
const check = () => act(() => connection.check())

describe('the bar above the page', () => {
  beforeEach(() => {
    world = { models: [{ id: 'mdl_1' }], isHealthy: true, isOnline: true, script: RUNNING_SCRIPT }
    mock.getter(navigator, 'onLine', () => world.isOnline)
    const script = document.createElement('script')
    script.type = 'module'
    script.setAttribute('src', RUNNING_SCRIPT)
    const { querySelector } = document
    mock.method(document, 'querySelector', (selector: string) =>
      selector.startsWith('script') ? script : querySelector.call(document, selector),
    )
  })
  afterEach(async () => {
    Object.assign(world, { isHealthy: true, isOnline: true })
    await check()
    mock.restoreAll()
  })

  test('while the service is healthy and a model is connected, the console shows no status bar', async () => {
    await openBars()
    assert.equal(bar(), '')
  })

  test('without a model the status bar says so and links to the model settings, but is hidden on that page', async () => {
    await openBars({ models: [] })
    await screen.findByText(/No model is connected/)
    assert.equal(
      screen.getByRole('link', { name: 'Connect a model' }).getAttribute('href'),
      '/settings/models',
    )
    cleanup()
    queryClient.clear()
    await openBars({ models: [] }, '/settings/models')
    assert.equal(bar(), '')
  })

  test('when the models cannot be read, the status bar does not say that no model is connected', async () => {
    await openBars({ models: new Refusal(403, 'forbidden', 'You may not.') })
    assert.equal(bar(), '')
  })

  test('the status bar says that the browser is offline until the service responds, and then shows its earlier message', async () => {
    await openBars({ models: [] })
    await screen.findByText(/No model is connected/)
    world.isOnline = false
    await check()
    assert.match(bar() ?? '', /^You are offline/)
    assert.ok(!isThere('link'))
    world.isOnline = true
    await check()
    assert.match(bar() ?? '', /^No model is connected/)
  })

  test('the status bar says that the service does not respond, and disappears when it responds again', async (t) => {
    await openBars()
    t.mock.timers.enable({ apis: ['setTimeout'] })
    world.isHealthy = false
    const checked = connection.check()
    await untilSent()
    assert.match(bar() ?? '', /^The service does not respond/)
    world.isHealthy = true
    t.mock.timers.tick(500)
    await act(() => checked)
    assert.equal(bar(), '')
  })

  test('after a lost connection, a new version of the console is offered, and a button loads that version', async () => {
    const reload = mock.method(location, 'reload', () => {})
    const { versionChecks } = await openBars({ script: '/_console/assets/index-new.js' })
    assert.equal(versionChecks(), 0)
    world.isOnline = false
    await check()
    world.isOnline = true
    await check()
    await screen.findByText(/A new version of this console is ready/)
    press('Reload')
    assert.equal(reload.mock.callCount(), 1)
  })

  test('when a part of the console cannot be loaded, the console checks for a new version', async () => {
    await openBars({ script: '/_console/assets/index-new.js' })
    act(() => void dispatchEvent(new Event('vite:preloadError')))
    assert.ok(await screen.findByText(/A new version of this console is ready/))
  })

  test('a browser tab that becomes visible checks for a new version of the console at most every five minutes', async () => {
    let now = Date.now()
    mock.method(Date, 'now', () => now)
    const { versionChecks } = await openBars()
    const becomeVisible = async () => {
      fireEvent(document, new Event('visibilitychange'))
      await untilSent()
      return versionChecks()
    }
    now += 299_000
    assert.equal(await becomeVisible(), 0)
    now += 2000
    assert.equal(await becomeVisible(), 1)
    assert.equal(await becomeVisible(), 1, 'not again at once')
    assert.equal(bar(), '', 'the version is the same')
  })

  test('a new version of the console is also offered on the model settings page while no model is connected', async () => {
    await openBars({ models: [], script: '/_console/assets/index-new.js' }, '/settings/models')
    act(() => void dispatchEvent(new Event('vite:preloadError')))
    assert.ok(await screen.findByText(/A new version of this console is ready/))
  })
})

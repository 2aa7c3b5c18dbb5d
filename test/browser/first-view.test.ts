import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { holdRequests } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

const REQUESTS_MAX = 20
/** Chunks that are loaded after every first view. */
const LATER = /\/(deferred-parts|deferred-shell|switcher|account-menu)-[\w-]+\.js$/

describe('the first view of the projects', () => {
  let world: BrowserWorld
  before(async () => {
    world = await openBrowserWorld({ page: { viewport: { width: 1280, height: 844 } } })
  })
  after(() => world?.close())

  test('the first load of the console for an organization without projects makes at most 20 requests and has no layout shift', async () => {
    const { page, context, assertQuiet } = await world.enter('Grace Hopper')
    assertFew(await firstRequests(page, 'No projects yet'))
    assert.equal(await page.evaluate<number>('window.movedAfter'), 0)
    assertQuiet()
    await context.close()
  })

  test('the first load of the console for an organization with projects makes at most 20 requests and has no layout shift', async () => {
    for (const name of ['Harbour log', 'Tide tables', 'Lighthouse'])
      await world.person.call('POST /projects', { name })
    const { page, context, assertQuiet } = await world.open('Ada')
    assertFew(await firstRequests(page, 'Tide tables'))
    assert.equal(await page.evaluate<number>('window.movedAfter'), 0)
    assertQuiet()
    await context.close()
  })

  /** Opens the page and waits until everything is loaded. Returns the requests that were sent before the text appeared. */
  async function firstRequests(page: Page, words: string): Promise<string[]> {
    const requests: Request[] = []
    page.on('request', (request) => requests.push(request))
    await page.addInitScript({ content: watchFor(words) })
    await page.goto(world.url + href.projects())
    await page.waitForResponse('**/api/v1/attention')
    // The command palette is the last part that is prefetched.
    await page.waitForResponse(/\/palette-[\w-]+\.js$/)
    const shownAt = await page.evaluate<number>('window.shownAt')
    assert.ok(shownAt > 0, 'the words are on the page')
    // The start time of a request is known only after its response.
    await Promise.all(requests.map((request) => request.response()))
    const first = requests.filter((request) => request.timing().startTime <= shownAt)
    assert.ok(first.length < requests.length, 'the palette came later')
    return first.map((request) => new URL(request.url()).pathname)
  }

  test('keyboard shortcuts and menus work while the code that is loaded after the first screen is still loading', async () => {
    const { page, context, assertQuiet } = await world.open('Ada')
    const letIn = await holdRequests(page, LATER)
    await page.goto(world.url + href.projects())
    await page.getByRole('button', { name: /Ada Lovelace/ }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search and do anything' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /Ada Lovelace/ }).click()
    letIn()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    assertQuiet()
    await context.close()
  })
})

function assertFew(requests: string[]): void {
  assert.ok(requests.length <= REQUESTS_MAX, `${requests.length} requests:\n${requests.join('\n')}`)
}

/** Records in the page when the text appears (epoch milliseconds), and later layout shifts. */
const watchFor = (words: string) => `
  window.movedAfter = 0
  new MutationObserver((_, observer) => {
    if (!document.querySelector('main')?.innerText.includes(${JSON.stringify(words)})) return
    observer.disconnect()
    window.shownAt = performance.timeOrigin + performance.now()
    const shownAt = performance.now()
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.startTime > shownAt) window.movedAfter += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  }).observe(document, { childList: true, subtree: true, characterData: true })
`

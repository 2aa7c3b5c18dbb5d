import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { assertBecomes, assertSoundThemes, holdRequests, type WatchedPage } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

describe('the layout around every page', () => {
  let world: BrowserWorld
  before(async () => {
    world = await openBrowserWorld({ page: { viewport: { width: 1280, height: 844 } } })
    // A project without a build is enough for these tests.
    await world.person.call('POST /projects', { name: 'Harbour log' })
  })
  after(() => world?.close())

  async function openShell(path = href.projects()): Promise<WatchedPage> {
    const watched = await world.open('Ada')
    await watched.page.goto(world.url + path)
    // The part of the console that loads after the first view binds the shortcuts and shows the search button, so wait for the button.
    await searchButton(watched.page).waitFor()
    return watched
  }

  const searchButton = (page: Page) => page.getByRole('button', { name: /^Search/ })
  const findPalette = (page: Page) => page.getByRole('combobox', { name: 'Search and do anything' })
  const isFocused = (page: Page, selector: string) => page.locator(`${selector}:focus`).waitFor()

  test('the command palette finds a project by a part of its name, opens the project, and lists it first the next time', async () => {
    const { page, context, assertQuiet } = await openShell()
    await page.keyboard.press('Control+k')
    await findPalette(page).fill('harb')
    await page.getByRole('option', { name: 'Harbour log', selected: true }).waitFor()
    await assertSoundThemes(page, 'palette', 1280)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/projects\/prj_/)
    await isFocused(page, 'h1')
    await page.keyboard.type('ga')
    await page.waitForURL(/\/activity/)
    // Wait for the heading of the next page: the previous page, which also has a focused heading, is shown until then.
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor()
    await isFocused(page, 'h1')
    await searchButton(page).click()
    assert.match(await page.getByRole('option').first().innerText(), /Harbour log/)
    await page.keyboard.press('Escape')
    await findPalette(page).waitFor({ state: 'detached' })
    assertQuiet()
    await context.close()
  })

  test('a link pressed in a workspace before its tickets have loaded opens the requested page', async () => {
    const { page, context, assertQuiet } = await world.open('Ada')
    const { id } = await world.person.call<{ id: string }>('POST /projects', { name: 'Lighthouse' })
    await world.person.call(`POST /projects/${id}/tickets`, { title: 'Light the lamp' })
    const showTickets = await holdRequests(page, /\/tickets\?limit=/)
    const showActivity = await holdRequests(page, /\/activity-[\w-]+\.js$/)
    await page.goto(world.url + href.project(id))
    await searchButton(page).waitFor()
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.waitForURL(/\/activity$/)
    showTickets()
    // The workspace stays on screen until the next page is loaded, so its tickets load meanwhile.
    await page.getByRole('heading', { level: 2, name: 'Light the lamp' }).waitFor()
    showActivity()
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor()
    assertQuiet()
    await context.close()
  })

  test('a user who leaves the page while a project is created stays on the next page, and the project is listed', async () => {
    const { page, context, assertQuiet } = await openShell()
    const letGo = await holdRequests(page, '**/tickets/capture')
    await page.getByLabel('Describe what you want to build').fill('Keep the tide tables of our harbour')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor()
    const begun = page.waitForResponse(/\/build\/stream$/)
    letGo()
    await begun
    // Going back leads to the list, so the current page is in the history only once.
    await page.goBack()
    await page.getByRole('link', { name: /tide/i }).first().waitFor()
    assert.equal(new URL(page.url()).pathname, href.projects())
    assertQuiet()
    await context.close()
  })

  test('the page of a missing project requests the project only once', async () => {
    const { page, context } = await world.open('Ada')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(world.url + href.project('prj_unknown'))
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
    await searchButton(page).waitFor()
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
    // The page handles events in order: when the palette responds, it has handled `visibilitychange`.
    await page.keyboard.press('Control+k')
    await findPalette(page).fill('harb')
    await page.getByRole('option', { name: 'Harbour log' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
    assert.equal(asked.filter((path) => path === '/api/v1/projects/prj_unknown').length, 1)
    await context.close()
  })

  test('the command palette changes the theme and opens the form for a new project', async () => {
    const { page, context, assertQuiet } = await openShell(href.activity())
    await page.keyboard.press('Control+k')
    await findPalette(page).fill('dark')
    await page.keyboard.press('Enter')
    await page.locator('html[data-mode=dark]').waitFor()
    await page.keyboard.press('Control+k')
    await findPalette(page).fill('new project')
    await page.keyboard.press('Enter')
    await isFocused(page, 'textarea')
    assertQuiet()
    await context.close()
  })

  test('single-character shortcuts can be switched off in the list of shortcuts, and stay off after a reload', async () => {
    const { page, context, assertQuiet } = await openShell()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await assertSoundThemes(page, 'shortcuts', 1280)
    await page.getByRole('checkbox').uncheck()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.reload()
    await searchButton(page).waitFor()
    await page.keyboard.type('ga')
    // A shortcut with Control still works. It is pressed after the single keys, which must not work.
    await page.keyboard.press('Control+k')
    await findPalette(page).waitFor()
    assert.match(page.url(), /\/projects$/)
    assertQuiet()
    await context.close()
  })

  test('a letter typed into a field triggers no shortcut', async () => {
    const { page, context } = await openShell()
    await page.getByRole('searchbox').waitFor()
    await page.keyboard.press('/')
    await isFocused(page, 'input[type=search]')
    await page.keyboard.type('g a?[')
    await page.getByRole('heading', { name: /g a\?\[/ }).waitFor()
    assert.match(page.url(), /\/projects/)
    await context.close()
  })

  test('during a navigation in the console the previous page stays mounted until the next page is loaded', async () => {
    const { page, context, assertQuiet } = await openShell()
    const link = page.getByRole('main').getByRole('link', { name: /Harbour log/ })
    // Mark elements with an attribute, which an element loses when it is remounted.
    for (const part of ['main', 'aside', 'main h1'])
      await page.locator(part).evaluate((element) => element.setAttribute('data-same', 'yes'))
    const showWorkspace = await holdRequests(page, /\/workspace-[\w-]+\.js$/)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const workspace = page.waitForRequest(/\/workspace-[\w-]+\.js$/)
    await link.click()
    await workspace
    await page.getByRole('progressbar', { name: 'Loading' }).waitFor()
    await page.locator('main h1[data-same=yes]').waitFor()
    showWorkspace()
    await page.getByRole('heading', { level: 1, name: 'Harbour log' }).waitFor()
    await page.getByRole('progressbar').waitFor({ state: 'detached' })
    await page.locator('main[data-same=yes]').waitFor()
    await page.locator('aside[data-same=yes]').waitFor()
    assert.ok(!asked.includes('/api/v1/projects'), 'the page that is left has no need to read again')
    assertQuiet()
    await context.close()
  })

  test("on a phone the console's navigation menu closes as soon as a link is pressed", async () => {
    const { page, context, assertQuiet } = await world.open('Ada', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    const showActivity = await holdRequests(page, /\/activity-[\w-]+\.js$/)
    await page.goto(world.url + href.projects())
    await page.getByRole('button', { name: 'Open navigation' }).click()
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.getByRole('progressbar', { name: 'Loading' }).waitFor()
    await page.getByRole('button', { name: 'Open navigation', expanded: false }).waitFor()
    showActivity()
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor()
    assertQuiet()
    await context.close()
  })

  test('a navigation menu that was collapsed by a narrow window is open again once the window is wide', async () => {
    const { page, context, assertQuiet } = await openShell()
    await page.getByRole('button', { name: 'Collapse the navigation', exact: true }).waitFor()
    await page.setViewportSize({ width: 700, height: 844 })
    await page.getByRole('button', { name: 'Open navigation' }).waitFor()
    await page.setViewportSize({ width: 1280, height: 844 })
    await page.getByRole('button', { name: 'Collapse the navigation', exact: true }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Collapse the navigation', exact: true }).waitFor()
    assertQuiet()
    await context.close()
  })

  test('the folded navigation menu shows the name of a link on hover and on focus', async () => {
    const { page, context, assertQuiet } = await openShell()
    await page
      .getByRole('main')
      .getByRole('link', { name: /Harbour log/ })
      .click()
    await page.locator('aside[data-state=collapsed]').waitFor()
    const places = page.getByRole('navigation', { name: 'Main' })
    const tip = page.locator('[role=tooltip]')
    await places.getByRole('link', { name: 'Activity' }).hover()
    await tip.getByText('Activity', { exact: true }).waitFor()
    await assertSoundThemes(page, 'navigation tip', 1280)
    // The pointer can move to the tooltip without closing it; Escape closes it.
    await tip.hover()
    await tip.getByText('Activity', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await tip.waitFor({ state: 'detached' })
    await searchButton(page).focus()
    await page.keyboard.press('Tab')
    await tip.getByText('Projects', { exact: true }).waitFor()
    await page.keyboard.press('Tab')
    await tip.getByText('Activity', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Expand the navigation' }).click()
    await page.locator('aside[data-state=expanded]').waitFor()
    await tip.waitFor({ state: 'detached' })
    // The folded state of the menu is stored per kind of page, such as the workspace, so a reload keeps the menu unfolded.
    await page.reload()
    await page.getByRole('button', { name: 'Collapse the navigation', exact: true }).waitFor()
    assertQuiet()
    await context.close()
  })

  test('going back in the console restores the scroll position', async () => {
    const { page, context } = await openShell()
    const link = page.getByRole('main').getByRole('link', { name: /Harbour log/ })
    await page.setViewportSize({ width: 1280, height: 300 })
    // Scroll to the link before reading the position: the content around it is loaded on scrolling.
    await link.scrollIntoViewIfNeeded()
    const left = await page.locator('main').evaluate((main) => main.scrollTop)
    assert.ok(left > 100, 'the page is longer than the screen')
    await link.click()
    await page.waitForURL(/\/projects\/prj_/)
    await page.goBack()
    await link.waitFor()
    await assertBecomes(() => page.locator('main').evaluate((main) => main.scrollTop), left)
    await context.close()
  })

  test("a page's search text is in its URL, so that a link without it clears the field and going back restores it", async () => {
    const { page, context, assertQuiet } = await openShell()
    const field = page.getByRole('searchbox', { name: 'Search projects' })
    await field.fill('zebra')
    await page.getByRole('heading', { name: /zebra/ }).waitFor()
    await page.waitForURL(/q=zebra/)
    await page.getByRole('navigation').getByRole('link', { name: 'Projects' }).click()
    await page
      .getByRole('main')
      .getByRole('link', { name: /Harbour log/ })
      .waitFor()
    await assertBecomes(() => field.inputValue(), '')
    await page.goBack()
    await assertBecomes(() => field.inputValue(), 'zebra')
    await page.getByRole('heading', { name: /zebra/ }).waitFor()
    assert.match(page.url(), /q=zebra/)
    assertQuiet()
    await context.close()
  })

  test('without a network the console says that it is offline, and resumes automatically when the network is back', async () => {
    const { page, context } = await openShell()
    await context.setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await page.getByRole('link', { name: 'Activity' }).click()
    await context.setOffline(false)
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
    await page.getByText('connection.connected').first().waitFor()
    await context.close()
  })

  test('while the service restarts the console waits and then resumes, or reloads for a new version', async () => {
    const { page, context } = await openShell()
    // Load the code of this page now: otherwise the page is opened by a full page load when the service is back.
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.getByText('connection.connected').first().waitFor()
    await page.getByRole('link', { name: 'Projects', exact: true }).click()
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
    await world.service.stop()
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.getByText('The service does not respond').waitFor()
    await assertSoundThemes(page, 'bar-away', 1280)
    await page.route(
      (url) => url.pathname === '/',
      async (route) => {
        // While the service is down there is no response to change.
        const answer = await route.fetch().catch(() => null)
        if (answer === null) return route.abort()
        const body = (await answer.text()).replace(/index-[\w-]+\.js/, 'index-new.js')
        await route.fulfill({ response: answer, body })
      },
    )
    const resumed = page.waitForResponse((answer) => answer.ok() && /\/api\/v1\/activity/.test(answer.url()))
    await world.service.restart()
    await resumed
    await page.getByText('connection.connected').first().waitFor()
    await page.getByText('A new version of this console is ready').waitFor()
    await context.close()
  })

  test('an organization without a model sees a message that no model is connected, with a link to connect one', async () => {
    const { page, context } = await world.open('Ada')
    await page.route('**/api/v1/connections/models', (route) => route.fulfill({ json: { data: [] } }))
    await page.goto(world.url + href.projects())
    await page.getByText('No model is connected').waitFor()
    await page.getByRole('link', { name: 'Connect a model', exact: true }).click()
    await page.waitForURL(new RegExp(`${href.models()}$`))
    await page.getByText('No model is connected').waitFor({ state: 'detached' })
    await context.close()
  })

  test('after a 429 the console shows the time until the next attempt, and retries the request automatically once', async () => {
    const { page, context } = await world.open('Ada')
    const answers = [429, 429]
    await page.route(/\/api\/v1\/activity/, async (route) => {
      if (answers.pop() === undefined) return route.continue()
      await route.fulfill({
        status: 429,
        headers: { 'retry-after': '30', 'x-request-id': 'req-too-often' },
        json: { error: { code: 'rate_limited', message: 'Too many requests. Wait a moment.' } },
      })
    })
    await page.clock.install()
    await page.goto(world.url + href.activity())
    await page.getByRole('button', { name: /^Trying again in \d+ s$/ }).waitFor()
    await page.getByText('req-too-often').waitFor()
    await page.clock.fastForward('00:31')
    await assertBecomes(() => Promise.resolve(answers.length), 0)
    await page.getByRole('button', { name: /in (30|2\d) s$/ }).waitFor()
    await page.clock.fastForward('00:31')
    // After the second refusal the page does not retry by itself.
    await page.getByRole('button', { name: 'Try again', exact: true }).click()
    await page.getByText('connection.connected').first().waitFor()
    await context.close()
  })
})

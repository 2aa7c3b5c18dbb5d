import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { findViolations } from './axe.ts'
import { assertBecomes, DESK, horizontalOverflowPx, PHONE, takeScreenshot } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

const SCRIPTS = '**/_console/assets/*.js'
const LOADING = 'Loading the Slipway console…'
const FAILED = 'The console has not loaded'
/** A script that returns the opacity of the page before the console. */
const OPACITY = `(() => {
  const part = document.querySelector('.loading')
  return part && getComputedStyle(part).opacity
})()`
/** A script that returns the background of the page, and the one that the styles of the console give it. */
const BACKGROUNDS = `(() => {
  const sample = document.body.appendChild(document.createElement('div'))
  sample.style.background = 'var(--color-kumo-canvas)'
  const backgrounds = [document.documentElement, sample].map((part) => getComputedStyle(part).backgroundColor)
  sample.remove()
  return backgrounds
})()`

describe('the page before the scripts of the console have run', () => {
  let world: BrowserWorld
  before(async () => {
    world = await openBrowserWorld()
  })
  after(() => world?.close())

  /** Opens the projects in each theme on a phone and on a desktop. */
  async function openEach(
    name: string,
    check: (page: Page) => Promise<void>,
    {
      prepare = async () => {},
      ...options
    }: BrowserContextOptions & { prepare?: (page: Page) => Promise<unknown> } = {},
  ): Promise<void> {
    for (const viewport of [PHONE, DESK])
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page, context } = await world.open('Ada', { ...options, viewport, colorScheme })
        await prepare(page)
        await page.goto(world.url + href.projects(), { waitUntil: 'commit' })
        // The page appears with a delay.
        await assertBecomes(() => page.evaluate<string | null>(OPACITY), '1')
        await check(page)
        await takeScreenshot(page, `${name}-${colorScheme}-${viewport.width}`)
        await context.close()
      }
  }
  const assertSound = async (page: Page) => {
    assert.equal(await horizontalOverflowPx(page), 0)
    assert.deepEqual(await findViolations(page, 'colours'), [])
  }

  test("while the scripts of the console load, this is shown in the operating system's theme", async () => {
    await openEach(
      'loading',
      async (page) => {
        await page.getByText(LOADING).waitFor()
        assert.equal(await page.getByText(FAILED).isVisible(), false)
        await assertSound(page)
      },
      { prepare: (page) => page.route(/\/index-[\w-]+\.js$/, () => {}) },
    )
  })

  test("when not even the console's theme script can be loaded, this is shown after a while, and the page can be reloaded", async () => {
    const { page, context } = await world.open('Ada', { viewport: PHONE })
    const devtools = await context.newCDPSession(page)
    // The text is an animation with a delay of 15 seconds, so let the animations run faster.
    await devtools.send('Animation.enable')
    await devtools.send('Animation.setPlaybackRate', { playbackRate: 50 })
    await page.route(SCRIPTS, (route) => route.abort())
    await page.goto(world.url + href.projects())
    await page.getByText(FAILED).waitFor()
    await page.getByText(LOADING).waitFor({ state: 'hidden' })
    await page.unroute(SCRIPTS)
    await page.getByRole('link', { name: 'Reload the page.' }).click()
    await page.getByLabel('Describe what you want to build').waitFor()
    await page.getByText(FAILED).waitFor({ state: 'hidden' })
    await context.close()
  })

  test('while the service does not respond to the scripts of the console, the page says that it loads, however long that takes', async () => {
    const { page, context } = await world.open('Ada')
    await page.route('**/api/**', () => {})
    const asked = page.waitForRequest('**/api/**')
    await page.goto(world.url + href.projects())
    await asked
    // The text that the console has not loaded is an animation with a delay of 15 seconds, so end all animations.
    await page.evaluate('document.getAnimations().forEach((animation) => animation.finish())')
    assert.equal(await page.getByText(LOADING).isVisible(), true)
    assert.equal(await page.getByText(FAILED).isVisible(), false)
    await context.close()
  })

  test('when the main script of the console fails to load, this is shown at once', async () => {
    await openEach(
      'loading-failed',
      async (page) => {
        await page.getByText(FAILED).waitFor({ timeout: 10_000 })
        assert.equal(await page.getByText(LOADING).isVisible(), false)
        await assertSound(page)
      },
      { prepare: (page) => page.route(/\/index-[\w-]+\.js$/, (route) => route.abort()) },
    )
  })

  test('in a browser without JavaScript, a note says that the console needs it', async () => {
    await openEach(
      'loading-no-script',
      async (page) => {
        await page.getByText(/needs JavaScript/).waitFor()
        const box = await page.getByText(/needs JavaScript/).boundingBox()
        assert.ok(box !== null && box.y + box.height < 844, 'within the first screen')
        assert.equal(await page.getByText(LOADING).isVisible(), false)
        assert.equal(await page.getByText(FAILED).isVisible(), false)
      },
      { javaScriptEnabled: false },
    )
  })

  test('once the console is shown, nothing of its loading page is left on screen', async () => {
    const { page, context, assertQuiet } = await world.open('Ada')
    await page.goto(world.url + href.projects())
    await page.getByLabel('Describe what you want to build').waitFor()
    assert.equal(await page.getByText(LOADING).isVisible(), false)
    assert.equal(await page.getByText(FAILED).isVisible(), false)
    const [shown, wanted] = await page.evaluate<[string, string]>(BACKGROUNDS)
    assert.equal(shown, wanted, 'the background of the console')
    assertQuiet()
    await context.close()
  })
})

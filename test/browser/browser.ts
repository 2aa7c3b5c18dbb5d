import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { testBrowserPath } from '../../server/testing/chromium.ts'
import { findViolations } from './axe.ts'

const SCREENSHOTS = join(import.meta.dirname, '../screenshots')
/** The time limit of `assertBecomes`. Only a failing test waits for the full time. */
const BECOMES_MS_MAX = 90_000
const SWITCHES = [
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Launches Chromium. Disables the sandbox for root, for whom it does not work. */
export function launchBrowser(
  switches: readonly string[] = [],
  executablePath = testBrowserPath(),
): Promise<Browser> {
  const isRoot = process.getuid?.() === 0
  return chromium.launch({
    executablePath,
    args: [...(isRoot ? ['--no-sandbox'] : []), ...SWITCHES, ...switches],
  })
}

/** A page that records its errors: exceptions, console errors and violations of the content policy. */
export interface WatchedPage {
  page: Page
  context: BrowserContext
  /** Throws when an error was recorded since the last call, except those that match `allowed`. */
  assertQuiet(allowed?: RegExp): void
}

/** Opens a page in a separate browser context, so that it shares no cookies. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  return openTab(context)
}

export async function openTab(context: BrowserContext): Promise<WatchedPage> {
  const page = await context.newPage()
  const reports: string[] = []
  page.on('pageerror', (error) => reports.push(`script: ${error.message}`))
  page.on('console', (message) => {
    // Ignores console output of the built app inside the preview frame.
    const isOurs = !message.location().url.includes('-preview.')
    if (message.type() === 'error' && isOurs)
      reports.push(`console: ${message.text()} ${message.location().url}`)
  })
  return {
    page,
    context,
    assertQuiet(allowed) {
      const found = reports.splice(0).filter((report) => !allowed?.test(report))
      assert.deepEqual(found, [])
    },
  }
}

export type Theme = 'light' | 'dark'

/** Calls `assertSoundPage` in the light and the dark theme. The page must follow the theme of the system. */
export async function assertSoundThemes(page: Page, name: string, width: number): Promise<void> {
  const showInTheme = async (theme: Theme) => {
    await showTheme(page, theme)
    await takeScreenshot(page, `${name}-${theme}-${width}`.replaceAll(' ', '-').toLowerCase())
    return `${name} (${theme}, ${width} px)`
  }
  await assertSoundPage(page, await showInTheme('light'))
  const dark = await showInTheme('dark')
  // The dark theme differs only in colors, so check only the colors again.
  assert.deepEqual(await findViolations(page, 'colours'), [], `${dark}: accessibility`)
}

export const DESK = { width: 1280, height: 850 }
export const PHONE = { width: 390, height: 844 }

/** Calls `assertSoundThemes` with the viewport of a phone and then of a desktop. The desktop viewport stays set. */
export async function assertSoundSizes(page: Page, name: string): Promise<void> {
  for (const size of [PHONE, DESK]) {
    await page.setViewportSize(size)
    await assertSoundThemes(page, name, size.width)
  }
}

export async function showTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  // The page handles the theme change asynchronously.
  await page.locator(`html[data-mode="${theme}"]`).waitFor()
}

/** Asserts that the page is accessible, has exactly one h1 and a title, and does not scroll sideways. */
export async function assertSoundPage(page: Page, name: string): Promise<void> {
  assert.deepEqual(await findViolations(page, 'all'), [], `${name}: accessibility`)
  assert.equal(await page.locator('h1').count(), 1, `${name}: exactly one h1`)
  assert.match(await page.title(), / · Slipway$/, `${name}: title`)
  assert.equal(await horizontalOverflowPx(page), 0, `${name}: no sideways scrolling`)
}

/** Returns how far the page or its main part scrolls sideways, in pixels. */
export const horizontalOverflowPx = (page: Page): Promise<number> => page.evaluate<number>(SIDEWAYS)

const SIDEWAYS = `[document.documentElement, document.querySelector('main')]
  .reduce((sum, part) => sum + (part ? part.scrollWidth - part.clientWidth : 0), 0)`

/** Polls until `read` returns a value equal to `wanted`. Throws with the last value after the time limit. */
export async function assertBecomes<T>(read: () => Promise<T>, wanted: T): Promise<void> {
  const until = performance.now() + BECOMES_MS_MAX
  let last = await read()
  for (; !isDeepStrictEqual(last, wanted) && performance.now() < until; last = await read()) await sleep(100)
  assert.deepEqual(last, wanted)
}

/** Blocks matching requests of a page until the returned function is called. */
export async function holdRequests(page: Page, what: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(what, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Waits until `part` or an element inside it has the focus: pages, dialogs and fields get the focus after they appear. */
export const waitForFocus = (part: Locator): Promise<void> =>
  part.and(part.page().locator(':focus-within')).waitFor()

/** Ends the session of this browser context. Leaves the page first, because the page's pending requests would be refused. */
export async function loseSession(page: Page): Promise<void> {
  await page.goto('about:blank')
  await page.context().clearCookies()
}

/** Takes a screenshot for people when SLIPWAY_PICTURES is set. No test compares it. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (process.env['SLIPWAY_PICTURES'] !== 'on') return
  mkdirSync(SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) })
}

export const PASSWORD = 'correct horse battery'

/** Signs up on the sign-up page and waits for the page of projects. */
export async function signUp(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/sign-up`)
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByLabel('Describe what you want to build').waitFor()
}

/** Submits a sentence on the projects page and waits for the workspace with its running build. */
export async function saySentence(page: Page, sentence: string): Promise<void> {
  await page.getByLabel('Describe what you want to build').fill(sentence)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/projects\/prj_/)
}

/** Waits until the build has ended. Returns the heading that shows its outcome. */
export async function waitForOutcome(page: Page): Promise<string> {
  const heading = page.getByRole('tabpanel').getByRole('heading', {
    name: /^(Ready$|Everything is green|The build did not|Stopped|A question|\d+ questions|The model answered)/,
  })
  await heading.waitFor({ timeout: 90_000 })
  return heading.innerText()
}

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
import { bringAxe, findViolations } from './axe.ts'

const SCREENSHOTS = join(import.meta.dirname, '../screenshots')
/** Only what never comes waits that long. */
const BECOMES_MS_MAX = 90_000
const SWITCHES = [
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Chromium as a person has it; the sandbox is given up only where root leaves no choice. */
export function launchBrowser(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0
  return chromium.launch({
    executablePath: process.env['SLIPWAY_CHROMIUM'] ?? '/usr/bin/chromium',
    args: isRoot ? ['--no-sandbox', ...SWITCHES] : SWITCHES,
  })
}

/** A page that remembers what went wrong in it: script errors, console errors, refusals of the content policy. */
export interface WatchedPage {
  page: Page
  context: BrowserContext
  /** Fails when anything was reported since the last call, except what the test provoked. */
  assertQuiet(allowed?: RegExp): void
}

/** A window of its own, for somebody whom nobody else shares cookies with. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  await bringAxe(context)
  return openTab(context)
}

/** One more page in the same window. */
export async function openTab(context: BrowserContext): Promise<WatchedPage> {
  const page = await context.newPage()
  const reports: string[] = []
  page.on('pageerror', (error) => reports.push(`script: ${error.message}`))
  page.on('console', (message) => {
    // What the built app inside the preview frame prints is the app's own business.
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

/** What a page must hold in both themes: it follows the system's while nothing else was chosen. */
export async function assertSoundThemes(page: Page, name: string, width: number): Promise<void> {
  const names = { light: `${name} (light, ${width} px)`, dark: `${name} (dark, ${width} px)` }
  await showTheme(page, 'light', name, width)
  await assertSoundPage(page, names.light)
  await showTheme(page, 'dark', name, width)
  // The same page in other colours: nothing else can have changed.
  assert.deepEqual(await findViolations(page, 'colours'), [], `${names.dark}: accessibility`)
}

async function showTheme(page: Page, theme: 'light' | 'dark', name: string, width: number): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  // The page hears of it in a turn of its own.
  await page.locator(`html[data-mode="${theme}"]`).waitFor()
  await takeScreenshot(page, `${name}-${theme}-${width}`.replaceAll(' ', '-').toLowerCase())
}

/** What a page must hold in every theme and width. */
export async function assertSoundPage(page: Page, name: string): Promise<void> {
  assert.deepEqual(await findViolations(page, 'all'), [], `${name}: accessibility`)
  assert.equal(await page.locator('h1').count(), 1, `${name}: exactly one h1`)
  assert.match(await page.title(), / · Slipway$/, `${name}: title`)
  assert.equal(await sidewaysOf(page), 0, `${name}: no sideways scrolling`)
}

/** How far the page or its main part could be scrolled sideways, in pixels. */
export const sidewaysOf = (page: Page): Promise<number> => page.evaluate<number>(SIDEWAYS)

const SIDEWAYS = `[document.documentElement, document.querySelector('main')]
  .reduce((sum, part) => sum + (part ? part.scrollWidth - part.clientWidth : 0), 0)`

/** Reads again until it is so; what it was at last is told when it never is. */
export async function assertBecomes<T>(read: () => Promise<T>, wanted: T): Promise<void> {
  const until = performance.now() + BECOMES_MS_MAX
  let last = await read()
  for (; !isDeepStrictEqual(last, wanted) && performance.now() < until; last = await read()) await sleep(100)
  assert.deepEqual(last, wanted)
}

/** Keeps what a page asks for from it until the answer is called. */
export async function holdBack(page: Page, what: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(what, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Waits until the focus is on this part or inside it: pages, dialogs and fields take it a moment after they show. */
export const waitForFocus = (part: Locator): Promise<void> =>
  part.and(part.page().locator(':focus-within')).waitFor()

/** Ends the session of this window. Its page is left first: what that still reads would be refused. */
export async function loseSession(page: Page): Promise<void> {
  await page.goto('about:blank')
  await page.context().clearCookies()
}

/** Pictures for a person to look at, made when they are asked for: no test compares them. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (process.env['SLIPWAY_PICTURES'] !== 'on') return
  mkdirSync(SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) })
}

export const PASSWORD = 'correct horse battery'

/** Signs up through the page and arrives at the projects. */
export async function signUp(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/sign-up`)
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByLabel('Describe what you want to build').waitFor()
}

/** Says a sentence on the projects page and arrives in the workspace whose build has begun. */
export async function saySentence(page: Page, sentence: string): Promise<void> {
  await page.getByLabel('Describe what you want to build').fill(sentence)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/projects\/prj_/)
}

/** Waits until the build has ended and gives the heading of its outcome. */
export async function waitForOutcome(page: Page): Promise<string> {
  const heading = page.getByRole('tabpanel').getByRole('heading', {
    name: /^(Ready$|Everything is green|The build did not|Stopped|A question|\d+ questions|The model answered)/,
  })
  await heading.waitFor({ timeout: 90_000 })
  return heading.innerText()
}

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { href } from '../console/routes.ts'
import { launchBrowser, openPage, saySentence, signUp, waitForOutcome } from '../test/browser/browser.ts'
import { ServiceProcess } from '../test/support/service.ts'
import { buildConsole } from './console-build.ts'
import { reportStep, ROOT } from './lib.ts'

/**
 * Takes the screenshots of the README and the guides: `node scripts/screenshots.ts`. A real service runs the
 * main workflow with the built-in model, a fixed program and not an AI. Names, window sizes and steps are
 * fixed, so that two runs differ only in times and fonts.
 */
const IMAGES_FOLDER = join(ROOT, 'docs/images')
const WIDE_VIEWPORT = { width: 1280, height: 800 }
const PHONE_VIEWPORT = { width: 390, height: 844 }
const TICKET_SENTENCE = 'Track the plants in my office: name, room, last watered date'

/** Tickets in several states, so that every column of the board has entries. */
const SAMPLE_TICKETS: [title: string, status: string, type: string, priority: string][] = [
  ['Remind me when a plant is thirsty', 'todo', 'feature', 'high'],
  ['A photo for each plant', 'todo', 'feature', 'medium'],
  ['Sort the list by room', 'in_progress', 'task', 'medium'],
  ['Import the old spreadsheet', 'backlog', 'chore', 'low'],
  ['A plant without a room breaks the filter', 'in_review', 'bug', 'urgent'],
  ['Dates as people write them', 'done', 'task', 'none'],
]

await buildConsole()
mkdirSync(IMAGES_FOLDER, { recursive: true })
const [service, browser] = await Promise.all([ServiceProcess.start(), launchBrowser()])
try {
  await photographConsole(browser, service.url)
} finally {
  await browser.close()
  await service.dispose()
}

async function photographConsole(browser: Browser, url: string): Promise<void> {
  const { page, context } = await openPage(browser, { viewport: WIDE_VIEWPORT, colorScheme: 'light' })
  await signUp(page, url, 'ada@example.test')
  await page.goto(url + href.projects())
  await page.getByLabel('Describe what you want to build').fill(TICKET_SENTENCE)
  await savePicture(page, 'describe')
  await saySentence(page, TICKET_SENTENCE)
  await page.getByRole('button', { name: 'Stop' }).waitFor()
  await page
    .getByText(/web\/pages/)
    .first()
    .waitFor()
  await savePicture(page, 'building')
  await waitForOutcome(page)
  await page
    .frameLocator('iframe[title="Preview of the app"]')
    .getByRole('button', { name: 'Add plant', exact: true })
    .waitFor()
  await savePicture(page, 'workspace')

  await page.getByRole('button', { name: 'Ship', exact: true }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Ship project' }).click()
  const address = page.getByRole('dialog').getByRole('link', { name: /^Live address/ })
  await address.waitFor({ timeout: 90_000 })
  await savePicture(page, 'ship')
  await photographApp(page, (await address.getAttribute('href')) ?? '')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()

  const projectId = /prj_\w+/.exec(page.url())?.[0] ?? ''
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.locator('html[data-mode=dark]').waitFor()
  await savePicture(page, 'dark')
  await photographPhone(browser, await context.storageState(), page.url())

  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  for (const [title, status, type, priority] of SAMPLE_TICKETS)
    await page.request.post(`${url}/api/v1/projects/${projectId}/tickets`, {
      data: { title, status, type, priority },
      headers: { origin: url },
    })
  await page.goto(url + href.project(projectId, { view: 'board' }))
  await page.getByText('Sort the list by room').first().waitFor()
  await savePicture(page, 'board')
  await context.close()
}

async function photographApp(page: Page, address: string): Promise<void> {
  const app = await page.context().newPage()
  await app.setViewportSize(WIDE_VIEWPORT)
  await app.goto(address)
  for (const [name, room, day] of [
    ['Monstera', 'Kitchen', '2026-11-18'],
    ['Snake plant', 'Meeting room', '2026-11-14'],
  ] as const) {
    await app.getByRole('button', { name: 'Add plant', exact: true }).click()
    await app.getByLabel('Name').fill(name)
    await app.getByLabel('Room').fill(room)
    await app.getByLabel('Last watered date').fill(day)
    await app.getByRole('dialog').getByRole('button', { name: 'Add plant' }).click()
    await app.getByText(name).first().waitFor()
  }
  await savePicture(app, 'live')
  await app.close()
}

async function photographPhone(
  browser: Browser,
  storageState: Exclude<BrowserContextOptions['storageState'], undefined>,
  address: string,
): Promise<void> {
  const { page, context } = await openPage(browser, {
    viewport: PHONE_VIEWPORT,
    storageState,
    hasTouch: true,
    isMobile: true,
  })
  await page.goto(address)
  await waitForOutcome(page)
  await savePicture(page, 'phone')
  await context.close()
}

async function savePicture(page: Page, name: string): Promise<void> {
  const began = performance.now()
  // Wait until transitions have ended.
  await page.waitForTimeout(600)
  await page.screenshot({ path: join(IMAGES_FOLDER, `${name}.png`), caret: 'hide', animations: 'disabled' })
  reportStep(true, `docs/images/${name}.png`, performance.now() - began)
}

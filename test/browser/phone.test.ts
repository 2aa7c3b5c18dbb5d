import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { buildConsole } from '../../scripts/console-build.ts'
import { ServiceProcess } from '../support/service.ts'
import { launchBrowser, openPage, PASSWORD, sidewaysOf, waitForOutcome } from './browser.ts'

let service: ServiceProcess
let browser: Browser

before(async () => {
  await buildConsole()
  ;[service, browser] = await Promise.all([ServiceProcess.start(), launchBrowser()])
})
after(async () => {
  await browser?.close()
  await service?.dispose()
})

test('from signing up to the live app with a thumb, on a screen of 390 px', async () => {
  const { page, context, assertQuiet } = await openPage(browser, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await page.goto(`${service.url}/sign-up`)
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('E-mail').fill('ada@example.test')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).tap()

  await page.getByLabel('Describe what you want to build').fill('Track boats: name, length')
  await assertFits(page, 'projects')
  await page.getByRole('button', { name: 'Start building' }).tap()
  await page.waitForURL(/\/projects\/prj_/)
  assert.equal(await waitForOutcome(page), 'Built, checked and committed')
  await assertFits(page, 'build')

  // One pane at a time, chosen at the bottom.
  const panes = page.getByRole('navigation', { name: 'Parts of the workspace' })
  await panes.getByRole('button', { name: 'Tickets' }).tap()
  await page.getByRole('region', { name: 'Tickets' }).waitFor()
  await assertFits(page, 'tickets')
  await panes.getByRole('button', { name: 'Preview' }).tap()
  const preview = page.frameLocator('iframe[title="Preview of the app"]')
  await preview.getByRole('heading', { level: 1, name: 'Boats' }).waitFor()
  await assertFits(page, 'preview')

  await page.getByRole('button', { name: 'Ship', exact: true }).first().tap()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Ship project' }).tap()
  const address = dialog.getByRole('link', { name: /^Live address/ })
  await address.waitFor({ timeout: 90_000 })
  await assertFits(page, 'shipped')
  const opened = context.waitForEvent('page')
  await address.tap()
  const app = await opened
  await app.getByRole('heading', { level: 1, name: 'Boats' }).waitFor()
  await assertFits(app, 'live app')
  assertQuiet()
  await context.close()
})

async function assertFits(page: Page, name: string): Promise<void> {
  assert.equal(await sidewaysOf(page), 0, `${name}: no sideways scrolling`)
}

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { holdRequests, waitForFocus, waitForOutcome } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

describe('the console by keyboard alone', () => {
  let world: BrowserWorld
  before(async () => {
    world = await openBrowserWorld({ page: { viewport: { width: 1280, height: 800 } } })
  })
  after(() => world?.close())

  test('a user can get from the sign-up to a live app by keyboard alone', async () => {
    const { page, context, assertQuiet } = await world.open('nobody')
    const { keyboard } = page
    await page.goto(`${world.url}/sign-up`)
    await page.getByRole('heading', { name: 'Create your account' }).waitFor()
    for (const value of ['Grace Hopper', 'grace@example.test', 'correct horse battery']) {
      await keyboard.press('Tab')
      await keyboard.type(value)
    }
    await keyboard.press('Enter')

    const box = page.getByLabel('Describe what you want to build')
    await box.waitFor()
    await tabTo(page, box)
    await keyboard.type('Track boats: name, length')
    await keyboard.press('Enter')
    await page.waitForURL(/\/projects\/prj_/)
    assert.equal(await waitForOutcome(page), 'Ready')

    // Shortcuts switch from the build to its ticket and back.
    await keyboard.press('3')
    await page.getByRole('tab', { name: 'Ticket', selected: true }).waitFor()
    await keyboard.press('2')
    await page.getByRole('tab', { name: 'Build', selected: true }).waitFor()

    // The user ships from the command palette, which asks for confirmation.
    await keyboard.press('Control+k')
    await waitForFocus(page.getByRole('combobox', { name: 'Search and do anything' }))
    await keyboard.type('ship')
    await page.getByRole('option', { name: 'Ship project', selected: true }).waitFor()
    await keyboard.press('Enter')
    // Wait for the next page: the workspace also has a Ship button, and is shown until then.
    await waitForFocus(page.getByRole('heading', { level: 1, name: 'Ship' }))
    await tabTo(page, page.getByRole('main').getByRole('button', { name: /^Ship/ }).first())
    await keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await waitForFocus(dialog)
    await tabTo(page, dialog.getByRole('button', { name: 'Ship project' }))
    await keyboard.press('Enter')
    const address = dialog.getByRole('link', { name: /^Live address/ })
    await address.waitFor({ timeout: 90_000 })
    await tabTo(page, address)
    const opened = context.waitForEvent('page')
    await keyboard.press('Enter')
    const app = await opened
    await app.getByRole('heading', { level: 1, name: 'Boats' }).waitFor()
    assertQuiet()
  })

  test('a button keeps the focus while its action runs, and a second press does not run the action again', async () => {
    const { page, context, assertQuiet } = await world.open('Ada')
    await page.goto(world.url + href.account())
    const letGo = await holdRequests(page, '**/update-user')
    let sent = 0
    page.on('request', (request) => (sent += request.url().endsWith('/update-user') ? 1 : 0))
    const field = page.getByLabel('Name', { exact: true })
    await field.fill('Ada King')
    const save = page.getByRole('button', { name: 'Save name' })
    await tabTo(page, save)
    await page.keyboard.press('Enter')
    const atWork = page.locator('button[aria-busy=true]')
    await waitForFocus(atWork)
    await page.keyboard.press('Enter')
    await field.press('Enter')
    await tabTo(page, atWork)
    letGo()
    await page.getByText('Name saved').first().waitFor()
    await atWork.waitFor({ state: 'detached' })
    await waitForFocus(save)
    assert.equal(sent, 1)
    assertQuiet()
    await context.close()
  })

  test('letters typed before the command palette has loaded trigger no shortcut of the page', async () => {
    const { page, context, assertQuiet } = await world.open('Ada')
    const letIn = await holdRequests(page, /\/palette-[^/]+\.js$/)
    await page.goto(`${world.url}/projects`)
    // The Search button appears when its shortcut is bound.
    await page.getByRole('button', { name: 'Search', exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('gs')
    letIn()
    await waitForFocus(page.getByRole('combobox', { name: 'Search and do anything' }))
    assert.equal(new URL(page.url()).pathname, '/projects')
    await page.keyboard.press('Escape')
    await page.keyboard.type('gs')
    await page.waitForURL(/\/settings\//)
    assertQuiet()
    await context.close()
  })
})

async function tabTo(page: Page, part: Locator): Promise<void> {
  await part.waitFor()
  for (let tab = 0; tab < 60; tab++) {
    if (await part.evaluate((element) => element.matches(':focus'))) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`${String(part)} cannot be reached with Tab`)
}

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { PASSWORD, horizontalOverflowPx, waitForOutcome } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

describe('the console on a phone', () => {
  let world: BrowserWorld
  before(async () => {
    world = await openBrowserWorld({
      page: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    })
  })
  after(() => world?.close())

  test('on a phone, links that look like buttons are tall enough for a finger', async () => {
    const { page, context } = await world.open('Ada')
    await page.goto(world.url + href.welcome())
    const link = page.getByRole('link', { name: 'Use your own' }).first()
    await link.waitFor()
    assert.ok(((await link.boundingBox())?.height ?? 0) >= 44)
    await context.close()
  })

  test('on a phone, the long name to type before a project is deleted is shown whole', async () => {
    const { page, context } = await world.open('Ada')
    const name = 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenversicherungsnummer'
    const { id } = await world.person.call<{ id: string }>('POST /projects', { name })
    await page.goto(world.url + href.projectSettings(id))
    await page.getByRole('button', { name: 'Delete project' }).tap()
    const label = page.getByRole('dialog').locator('label')
    await label.waitFor()
    const hiddenPx = await label.evaluate((part) => part.scrollWidth - part.clientWidth)
    assert.equal(hiddenPx, 0)
    await context.close()
  })

  test('a Hebrew or Arabic project name that is too long for its place is cut at its end, so that its beginning is shown', async () => {
    const { page, context } = await world.open('Ada')
    await world.person.call('POST /projects', { name: 'ניהול רשימת המשימות של הצוות במשרד הראשי בתל אביב' })
    await page.goto(world.url + href.projects())
    const name = page.getByRole('heading', { name: /^ניהול רשימת/ })
    await name.waitFor()
    const isFirstLetterShown = await name.evaluate((heading) => {
      const letter = heading.ownerDocument.createRange()
      letter.setStart(heading.firstElementChild?.firstChild ?? heading, 0)
      letter.setEnd(letter.startContainer, 1)
      const { left, right } = letter.getBoundingClientRect()
      const box = heading.getBoundingClientRect()
      return left >= box.left && right <= box.right
    })
    assert.ok(isFirstLetterShown)
    await context.close()
  })

  test('the full stop of a Hebrew or Arabic ticket title is at the left end of the title', async () => {
    const { page, context } = await world.open('Ada')
    const { id } = await world.person.call<{ id: string }>('POST /projects', { name: 'Plants' })
    await world.person.call(`POST /projects/${id}/tickets`, { title: 'להשקות את הצמחים.' })
    await page.goto(world.url + href.project(id, { pane: 'tickets' }))
    const title = page.getByRole('button', { name: /^להשקות/ }).first()
    await title.waitFor()
    const isStopLeft = await title.evaluate((button) => {
      const text = button.firstElementChild?.firstChild ?? button
      const leftOf = (at: number) => {
        const letter = button.ownerDocument.createRange()
        letter.setStart(text, at)
        letter.setEnd(text, at + 1)
        return letter.getBoundingClientRect().left
      }
      return leftOf((text.textContent ?? '').length - 1) < leftOf(0)
    })
    assert.ok(isStopLeft)
    await context.close()
  })

  test('a user can get from the sign-up to a live app on a phone of 390 px', async () => {
    const { page, context, assertQuiet } = await world.open('nobody')
    await page.goto(`${world.url}/sign-up`)
    await page.getByLabel('Your name').fill('Grace Hopper')
    await page.getByLabel('E-mail').fill('grace@example.test')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).tap()

    await page.getByLabel('Describe what you want to build').fill('Track boats: name, length')
    await assertFits(page, 'projects')
    await page.getByRole('button', { name: 'Start building' }).tap()
    await page.waitForURL(/\/projects\/prj_/)
    assert.equal(await waitForOutcome(page), 'Ready')
    await assertFits(page, 'build')

    // A phone shows one pane at a time, selected in the bar at the bottom.
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
  })
})

async function assertFits(page: Page, name: string): Promise<void> {
  assert.equal(await horizontalOverflowPx(page), 0, `${name}: no sideways scrolling`)
}

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { findViolations } from './axe.ts'
import {
  assertBecomes,
  assertSoundThemes,
  openPage,
  horizontalOverflowPx,
  takeScreenshot,
} from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

const PHONE = { width: 390, height: 844 }

/** A live app with accounts. Each test depends on the tests before it. */
describe('the access code of a live app', () => {
  let world: BrowserWorld
  let projectId: string
  let address: string

  before(async () => {
    world = await openBrowserWorld({ page: { viewport: { width: 1280, height: 900 } } })
    ;({ projectId } = await world.build('Track the plants in my office: name, room, last watered date'))
    await world.person.call(`PUT /projects/${projectId}/capabilities/auth`, { enabled: true })
    const shipped = await world.person.call<{ url: string }>(`POST /projects/${projectId}/deploy`)
    address = shipped.url
  })
  after(() => world?.close())

  /**
   * Asserts that a page which the platform shows instead of the app is accessible and does not scroll
   * sideways.
   */
  async function assertPlainPage(page: Page, name: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await takeScreenshot(page, `${name}-${colorScheme}-390`)
      assert.deepEqual(await findViolations(page, 'all'), [], `${name}, ${colorScheme}`)
    }
    assert.equal(await horizontalOverflowPx(page), 0)
  }

  test('a visitor of an app with an access code is refused with a wrong code, and gets the requested page with the right one', async () => {
    const { page } = world
    await page.goto(world.url + href.projectSettings(projectId))
    const panel = page.getByRole('region', { name: 'Access code' })
    await panel.getByLabel('Code').fill('short')
    await panel.getByRole('button', { name: 'Set code' }).click()
    await panel.getByText('A code has 8 to 100 characters.').waitFor()
    await panel.getByLabel('Code').fill('green thumbs only')
    await panel.getByRole('button', { name: 'Set code' }).click()
    await panel.getByText('The live app asks for a code').waitFor()
    await panel.getByText('The running app is being changed.').waitFor({ state: 'detached' })
    await panel.scrollIntoViewIfNeeded()
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await assertSoundThemes(page, 'access-code', width)
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    const { page: visitor } = await openPage(world.browser, { viewport: PHONE })
    await visitor.goto(`${address}/?room=hall`)
    await visitor.getByText('This app needs an access code.').waitFor()
    await assertPlainPage(visitor, 'app-gate')
    await visitor.getByLabel('Access code').fill('red thumbs')
    await visitor.getByRole('button', { name: 'Open the app' }).click()
    await visitor.getByRole('alert').getByText('That code is not right.').waitFor()
    await assertPlainPage(visitor, 'app-gate-wrong')
    await visitor.getByLabel('Access code').fill('green thumbs only')
    await visitor.keyboard.press('Enter')
    await visitor.getByRole('heading', { level: 1 }).waitFor()
    await visitor.getByLabel('Access code').waitFor({ state: 'detached' })
    assert.equal(new URL(visitor.url()).search, '?room=hall')
    await visitor.reload()
    await visitor.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await visitor.getByLabel('Access code').count(), 0)
    await visitor.context().close()
    world.assertQuiet()
  })

  test('one click in the console opens the app as staff without its access code, and leaves no token in the URL', async () => {
    const { page } = world
    await page.goto(world.url + href.ship(projectId))
    const opening = page.context().waitForEvent('page')
    await page.getByRole('button', { name: 'Open as staff' }).click()
    const app = await opening
    await app.waitForURL((url) => url.href === `${address}/`)
    await app.getByRole('heading', { level: 1 }).waitFor()
    const readMe = () =>
      app.evaluate<string>(
        "fetch('/_app/auth/me').then((answer) => answer.json()).then(({ data }) => data?.role)",
      )
    await assertBecomes(readMe, 'staff')
    assert.equal(await app.evaluate<boolean>('window.opener === null'), true)
    assert.equal(await app.evaluate<string>('document.referrer'), `${address}/_app/auth/handover`)
    await app.setViewportSize(PHONE)
    await takeScreenshot(app, 'app-as-staff-390')
    await app.close()
    await assertSoundThemes(page, 'open-as-staff', 1280)
    await page.setViewportSize({ width: 390, height: 900 })
    await assertSoundThemes(page, 'open-as-staff', 390)
    await page.setViewportSize({ width: 1280, height: 900 })
    world.assertQuiet()
  })

  test('the single-use link that signs the owner in to the app as staff is refused the second time', async () => {
    const { url } = await world.person.call<{ url: string }>(
      `POST /projects/${projectId}/capabilities/auth/handover`,
    )
    const { page } = await openPage(world.browser, { viewport: PHONE })
    await page.goto(url)
    await page.waitForURL((at) => at.href === `${address}/`)
    const { page: late } = await openPage(world.browser, { viewport: PHONE })
    await late.goto(url)
    await late
      .getByRole('alert')
      .getByText(/Open the app from the console again/)
      .waitFor()
    assert.equal(new URL(late.url()).hash, '')
    await assertPlainPage(late, 'app-handover-over')
    await Promise.all([page, late].map((one) => one.context().close()))
  })

  test("after the owner removes an app's access code, a visitor gets the app directly", async () => {
    const { page } = world
    await page.goto(world.url + href.projectSettings(projectId))
    const panel = page.getByRole('region', { name: 'Access code' })
    await panel.getByRole('button', { name: 'Remove the code' }).click()
    await panel.getByText('Anyone with the address can open the live app.', { exact: false }).waitFor()
    await panel.getByText('The running app is being changed.').waitFor({ state: 'detached' })
    const { page: visitor } = await openPage(world.browser, { viewport: PHONE })
    await visitor.goto(address)
    await visitor.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await visitor.getByLabel('Access code').count(), 0)
    await visitor.context().close()
    world.assertQuiet()
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  assertBecomes,
  PASSWORD,
  saySentence,
  signUp,
  takeScreenshot,
  waitForOutcome,
  type WatchedPage,
} from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

const SENTENCE = 'Track the plants in my office: name, room, last watered date'

describe('the first steps of a new user', () => {
  let world: BrowserWorld
  let grace: WatchedPage

  before(async () => {
    world = await openBrowserWorld({ page: { viewport: { width: 1360, height: 850 } } })
    grace = await world.open('nobody')
  })
  after(() => world?.close())

  test('an app described in a sentence is built, previewed and shipped, and a record added in one tab appears in another', async () => {
    const { page } = grace
    await signUp(page, world.url, 'grace@example.test')
    await takeScreenshot(page, 'journey-1-projects')
    await saySentence(page, SENTENCE)
    await takeScreenshot(page, 'journey-2-building')
    assert.equal(await waitForOutcome(page), 'Ready')

    const preview = page.frameLocator('iframe[title="Preview of the app"]')
    await preview.getByRole('heading', { level: 1 }).waitFor()
    await takeScreenshot(page, 'journey-3-built')

    await page.getByRole('button', { name: 'Ship', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Ship project' }).click()
    const address = page.getByRole('dialog').getByRole('link', { name: /^Live address/ })
    await address.waitFor({ timeout: 90_000 })
    await takeScreenshot(page, 'journey-4-shipped')
    const url = (await address.getAttribute('href')) ?? ''
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    grace.assertQuiet()

    const first = await grace.context.newPage()
    const second = await grace.context.newPage()
    await Promise.all([first.goto(url), second.goto(url)])
    await addPlant(first, 'Monstera')
    await second.getByText('Monstera').first().waitFor()
    await first.reload()
    await first.getByText('Monstera').first().waitFor()
    await takeScreenshot(first, 'journey-5-live-app')
    await Promise.all([first.close(), second.close()])
  })

  test('the list of projects shows a shipped project as live, with its address', async () => {
    const { page } = grace
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Projects' }).click()
    const card = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Live' })
    await card.waitFor()
    await card.getByRole('link', { name: /^Open the live app/ }).waitFor()
    await card.getByRole('heading').getByRole('link').click()
    await page.getByRole('button', { name: 'Build', exact: true }).waitFor()
  })

  test('the build agent asks a question before writing code, and the answer continues the build', async () => {
    const { page } = grace
    await page.goto(`${world.url}/projects`)
    await saySentence(page, 'Make me something nice')
    assert.match(await waitForOutcome(page), /^A question/)
    await takeScreenshot(page, 'journey-6-question')
    await page.getByRole('radio', { name: 'Contacts' }).check()
    await page.getByRole('button', { name: 'Send and build' }).click()
    assert.equal(await waitForBuilt(page), 'Ready')
    grace.assertQuiet()
  })

  test('a ticket that the built-in model cannot build gets a reply, with a link to connect a model', async () => {
    const { page } = grace
    await page.goto(`${world.url}/projects`)
    await saySentence(page, 'Make the header pink and put my logo on it')
    assert.equal(await waitForOutcome(page), 'The model answered instead of building')
    await page
      .getByText(/This wish needs an AI model\./)
      .first()
      .waitFor()
    const panel = page.getByRole('tabpanel')
    await panel.getByRole('link', { name: 'Connect a model to build anything' }).waitFor()
    assert.equal(await panel.getByRole('button', { name: 'Build again' }).count(), 0)
    grace.assertQuiet()
  })

  test('a wrong password and an unknown email address get the same sign-in error, with a request id', async () => {
    const eve = await world.open('nobody')
    await eve.page.goto(`${world.url}/projects`)
    await eve.page.waitForURL(/\/sign-in\?next=/)
    const sentences: string[] = []
    for (const email of ['grace@example.test', 'nobody@example.test']) {
      await eve.page.getByLabel('E-mail').fill(email)
      await eve.page.getByLabel('Password').fill('not the password')
      await eve.page.getByRole('button', { name: 'Sign in', exact: true }).click()
      const alert = eve.page.getByRole('alert')
      await alert
        .getByText(/Request/)
        .first()
        .waitFor()
      sentences.push(await alert.getByRole('paragraph').first().innerText())
      await eve.page.reload()
    }
    assert.deepEqual(sentences, Array(2).fill('E-mail and password do not match.'))
    await eve.page.getByLabel('E-mail').fill('grace@example.test')
    await eve.page.getByLabel('Password').fill(PASSWORD)
    await eve.page.keyboard.press('Enter')
    await eve.page.waitForURL(/\/projects$/)
    eve.assertQuiet(/401/)
  })

  test('a new API key is shown once and authenticates API calls', async () => {
    const { page } = grace
    await page.goto(`${world.url}/settings/keys`)
    await page.getByRole('button', { name: 'Create key' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('CI')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const key = (await dialog.getByText(/^svk_/).innerText()).trim()
    const answer = await fetch(`${world.url}/api/v1/projects`, {
      headers: { authorization: `Bearer ${key}` },
    })
    assert.equal(answer.status, 200)
    await dialog.getByRole('button', { name: 'I have saved it' }).click()
    await assertBecomes(() => page.getByText(key).count(), 0)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('No keys yet').waitFor()
    grace.assertQuiet()
  })

  test('a model is connected, tested and disconnected in the console, and an empty required field is reported', async () => {
    const { page } = grace
    await page.goto(`${world.url}/settings/models`)
    await page.getByRole('button', { name: 'Connect a model' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Set it up by hand' }).click()
    await dialog.getByRole('button', { name: 'Connect model' }).click()
    // Use a locator and not `waitForFunction`, because the page's policy forbids eval.
    await dialog.locator('input[name=label][aria-invalid=true]').waitFor()
    await dialog.getByLabel('Provider').selectOption('scaffold')
    await dialog.getByLabel('Name').fill('Second scaffold')
    await dialog.getByLabel('Use for new builds').uncheck()
    await dialog.getByRole('button', { name: 'Connect model' }).click()
    const card = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Second scaffold' })
    await card.getByRole('button', { name: 'Test' }).click()
    await card.getByText(/^Answered in/).waitFor()
    await card.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect model' }).click()
    await card.waitFor({ state: 'detached' })
    grace.assertQuiet(/400/)
  })

  test('a rate-limited page shows the error code and request id, and loads again after the Retry-After time', async () => {
    const { page, context, assertQuiet } = await world.open('Ada')
    const body = JSON.stringify({ ok: false, error: { code: 'rate_limited', message: 'Too many requests.' } })
    const headers = { 'retry-after': '30', 'x-request-id': 'req-of-this-test' }
    await page.route('**/api/v1/keys', (route) =>
      route.fulfill({ status: 429, contentType: 'application/json', headers, body }),
    )
    await page.clock.install()
    await page.goto(`${world.url}/settings/keys`)
    const alert = page.getByRole('alert')
    await alert.getByText('req-of-this-test').waitFor()
    await alert.getByText('rate_limited').waitFor()
    // The countdown is running, so advancing the clock shortens it.
    await alert.getByRole('button', { name: /in [12]\d s/ }).waitFor()
    await page.unroute('**/api/v1/keys')
    await page.clock.fastForward('00:31')
    await page.getByText('No keys yet').waitFor()
    assertQuiet(/429/)
    await context.close()
  })

  test('after signing out no page of the console can be opened', async () => {
    const { page } = grace
    await page.goto(`${world.url}/projects`)
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/\/sign-in/)
    await page.goto(`${world.url}/settings/keys`)
    await page.waitForURL(/\/sign-in\?next=%2Fsettings%2Fkeys/)
  })
})

/** Adds a record with the form of the generated app. The form's fields come from the sentence that the app was built from. */
async function addPlant(app: Page, name: string): Promise<void> {
  await app.getByRole('button', { name: 'Add plant', exact: true }).first().click()
  await app.getByLabel(/^Name/).fill(name)
  await app.getByLabel(/^Room/).fill('Kitchen')
  await app.getByLabel(/^Last watered/).fill('2026-11-01')
  await app
    .getByRole('button', { name: /^(Save|Add|Create)/ })
    .last()
    .click()
  await app.getByText(name).first().waitFor()
}

/** Waits until a build succeeds or fails. Ignores other headings: after an answer the page may still show the heading of the question. */
async function waitForBuilt(page: Page): Promise<string> {
  const heading = page.getByRole('tabpanel').getByRole('heading', { name: /^(Ready$|The build did not)/ })
  await heading.waitFor({ timeout: 100_000 })
  return heading.innerText()
}

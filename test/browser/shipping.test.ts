import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { assertSoundThemes, takeScreenshot } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

/** Errors of a live app as the service groups them. Other tests cause real errors. */
const ERRORS = {
  state: 'ok',
  items: [
    {
      message: `D1_ERROR: no such column ${'averyveryverylongcolumnname'.repeat(4)}`,
      stack: `Error: D1_ERROR\n    at list (https://app/worker.js:1:${'2'.repeat(120)})\n    at fetch (worker.js:9:1)`,
      route: 'GET /api/plants',
      count: 12_345,
      lastAt: '2026-11-21T00:00:00.000Z',
    },
    { message: 'boom', stack: null, route: null, count: 1, lastAt: '2026-11-20T12:00:00.000Z' },
  ],
}

/** The response when a bucket has more objects than one call can delete. */
const MANY_LEFT = { ok: true, data: { removed: [], data: '1000 files', remaining: 4200 } }

describe('shipping', () => {
  let world: BrowserWorld
  before(async () => {
    world = await openBrowserWorld({ page: { viewport: { width: 1280, height: 900 } } })
  })
  after(() => world?.close())

  async function assertSoundEverywhere(page: Page, name: string): Promise<void> {
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await assertSoundThemes(page, name, width)
    }
    await page.setViewportSize({ width: 1280, height: 900 })
  }

  describe('connections', () => {
    test('GitHub is disconnected after the consequences were shown, and connected again with one click', async () => {
      const { page } = world
      await page.goto(world.url + href.connections())
      const card = page.getByRole('main').getByRole('listitem').filter({ hasText: 'GitHub' })
      await card.getByText(/local code host/i).waitFor()
      await card.getByRole('button', { name: 'Disconnect' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(/projects are not backed up/).waitFor()
      await dialog.getByRole('button', { name: 'Disconnect account' }).click()
      await page.getByText(/GitHub is disconnected/).waitFor()
      await card.getByRole('button', { name: 'Connect the local code host' }).click()
      await page.getByText('GitHub is connected.').waitFor()
      assert.equal(new URL(page.url()).searchParams.get('connected'), 'github')
      world.assertQuiet()
    })

    test('an invalid API token of a cloud account is refused at its field, in a dialog that lists the required permissions', async () => {
      const { page } = world
      await page.goto(world.url + href.connections())
      await page.getByRole('button', { name: 'Move to Cloudflare' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Workers Scripts: Edit').waitFor()
      await dialog.getByRole('button', { name: 'Connect account' }).click()
      await dialog.getByText('Paste the token.').waitFor()
      await dialog.getByLabel('API token').fill('local_nobody_made_this')
      await dialog.getByRole('button', { name: 'Connect account' }).click()
      await dialog.getByText('Paste the token.').waitFor({ state: 'detached' })
      await dialog.locator('[aria-invalid="true"]').waitFor()
      await assertSoundEverywhere(page, 'connections-token')
      await page.keyboard.press('Escape')
      world.assertQuiet(/400|409|502/)
    })

    test('a GitHub connection that must be renewed offers to reconnect, and missing Cloudflare permissions are listed', async () => {
      const { page } = world
      await page.route('**/api/v1/connections', async (route) => {
        const answer = await route.fetch()
        const body = (await answer.json()) as { data: { cloudflare: object; github: object } }
        Object.assign(body.data.github, { connected: false, status: 'needs_reconnect' })
        Object.assign(body.data.cloudflare, {
          missingScopes: ['queues.write', 'a.scope.nobody.has.heard.of'],
        })
        await route.fulfill({ json: body })
      })
      await page.goto(`${world.url}${href.connections()}?provider=cloudflare&error=denied`)
      await page.getByText('Cloudflare was not connected').waitFor()
      await page.getByText('2 permissions are missing').waitFor()
      await page.getByText(/needed for the queue capability/).waitFor()
      const card = page.getByRole('main').getByRole('listitem').filter({ hasText: 'does not accept' })
      await card.getByRole('button', { name: 'Connect again' }).waitFor()
      await assertSoundEverywhere(page, 'connections-refused')
      await page.unrouteAll()
      world.assertQuiet()
    })

    test('the dialog for changing the cloud account has one account preselected', async () => {
      const { page } = world
      await page.goto(world.url + href.connections())
      await page.getByRole('button', { name: 'Change the account' }).click()
      await page.getByRole('dialog').getByRole('radio', { checked: true }).waitFor()
      await assertSoundEverywhere(page, 'connections-accounts')
      await page.keyboard.press('Escape')
      world.assertQuiet()
    })
  })

  describe('the ship page', () => {
    let path: string
    let projectId: string

    before(async () => {
      ;({ projectId } = await world.build('Track the plants in my office: name, room, last watered date'))
      path = href.ship(projectId)
    })

    test('the ship page says who can open the app and who can add records, before and after its first release', async () => {
      const { page } = world
      await page.goto(world.url + path)
      await page.getByText(/Ships into the local cloud/).waitFor()
      await page.getByText('Nothing was shipped yet.').waitFor()
      await page.getByText(/Once it is on the internet, anyone with the address can add records/).waitFor()
      await page.getByRole('button', { name: 'Ship project' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('This puts the app on this machine only.').waitFor()
      await dialog.getByText(/Once it is on the internet, anyone with the address can add records/).waitFor()
      await dialog.getByRole('button', { name: 'Ship project' }).click()
      await dialog.getByRole('link', { name: /^Live address/ }).waitFor({ timeout: 90_000 })
      await dialog.getByRole('button', { name: 'Close' }).click()
      await page.getByRole('link', { name: /^Live address/ }).waitFor()
      // There is no QR code: the address is a loopback address, which on a phone is the phone itself.
      await page.getByText('Only you can open it').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Show as QR code' }).count(), 0)
      await page.getByText('Live now').last().waitFor()
      // With a single release there is nothing to roll back to, and the button says so.
      await page
        .getByRole('button', { name: 'Roll back' })
        .and(page.locator('[aria-disabled="true"]'))
        .waitFor()
      await assertSoundEverywhere(page, 'ship')
      world.assertQuiet()
    })

    test('a cloud resource is deleted after its name is typed, in several calls when it has many files', async () => {
      const { page } = world
      const remove = page.getByRole('button', { name: /^Delete .*-preview \(worker\)$/ })
      const name = ((await remove.getAttribute('aria-label')) ?? '').replace(/^Delete | \(worker\)$/g, '')
      await remove.click()
      const dialog = page.getByRole('dialog')
      const submit = dialog.getByRole('button', { name: 'Delete resource' })
      assert.equal(await submit.isDisabled(), true)
      await dialog.getByRole('textbox').fill(name)
      await page.route('**/resources/*', (route) => route.fulfill({ json: MANY_LEFT }), {
        times: 1,
      })
      await submit.click()
      await dialog.getByRole('status').getByText('At least 4,200 files are left in it.').waitFor()
      await assertSoundEverywhere(page, 'delete resource left')
      await dialog.getByRole('button', { name: 'Continue deleting' }).click()
      await page.getByText(`Deleted: ${name}`).waitFor({ timeout: 30_000 })
      await page.getByRole('button', { name: 'Reconcile' }).click()
      await page.getByText(/resources? compared/).waitFor({ timeout: 60_000 })
      world.assertQuiet()
    })

    test('the insights of an app show traffic as a chart and a table, and create a ticket from an error', async () => {
      const { page } = world
      const address = (await page.getByRole('link', { name: /^Live address/ }).getAttribute('href')) ?? ''
      const visitor = await world.context.newPage()
      for (let visit = 0; visit < 5; visit++) await visitor.goto(address)
      await visitor.close()
      await page.route('**/errors', (route) => route.fulfill({ json: { ok: true, data: ERRORS } }))
      await page.goto(world.url + href.insights(projectId))
      await page.getByRole('img', { name: 'Requests and errors by the hour' }).locator('canvas').waitFor()
      await page.getByText('Show as a table').click()
      await page.getByRole('columnheader', { name: 'Requests' }).waitFor()
      await page.getByText('Show as a table').click()
      await page.getByText('Stack').first().click()
      await assertSoundEverywhere(page, 'insights')
      await page.getByRole('button', { name: 'Make a ticket' }).first().click()
      await page.getByRole('link', { name: 'Open the ticket' }).click()
      await page
        .getByText(/Fix: D1_ERROR/)
        .first()
        .waitFor()
      await page.unrouteAll()
      await page.goto(world.url + href.projects())
      await page
        .getByRole('main')
        .getByText(/\d requests? in 24 h/)
        .waitFor()
      await takeScreenshot(page, 'projects-traffic')
      world.assertQuiet()
      await page.goto(world.url + path)
    })

    test('a second release of an app is compared with the first, shipped and rolled back', async () => {
      const { page } = world
      await world.build('Track the pots: colour, height', projectId)
      await page.goto(world.url + path)
      await page.getByText('A newer build is ready to ship.').waitFor()
      await page.getByRole('button', { name: 'Ship project' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Ship project' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click({ timeout: 60_000 })
      await page.getByText('Up to date.').waitFor({ timeout: 60_000 })
      await page.getByRole('button', { name: 'Roll back' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Roll back app' }).click()
      await page.getByText(/^Rolled back from [0-9a-f]{7} to [0-9a-f]{7}\.$/).waitFor({ timeout: 60_000 })
      await page.getByText('A newer build is ready to ship.').waitFor()
      await assertSoundEverywhere(page, 'ship-rolled-back')
      world.assertQuiet()
    })

    test('archiving a project takes its app offline, and after a restore the console offers to ship the app again', async () => {
      const { page } = world
      await page.getByRole('button', { name: 'Archive project' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Archive project' }).click()
      await page.getByText(/Its address is off/).waitFor({ timeout: 30_000 })
      await page.getByText('The project is archived: bring it back first').waitFor()
      await page.getByRole('button', { name: 'Bring back' }).click()
      await page.getByRole('button', { name: 'Ship project' }).waitFor({ timeout: 30_000 })
      await page.goto(world.url + href.insights(projectId))
      await page.getByText('The project is not live.').waitFor()
      await page.getByRole('link', { name: 'Ship project' }).waitFor()
      world.assertQuiet()
    })
  })
})

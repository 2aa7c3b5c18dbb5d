import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { href } from '../../console/routes.ts'
import { cloudFetch } from '../../server/cloudflare/fetch.ts'
import { addPlants, plantsOf, readFile, uploadFile } from '../../server/relocation/testing.ts'
import { openSecondCloud, type SecondCloud } from '../support/second-cloud.ts'
import { shipStoringProject } from '../support/storing-project.ts'
import { assertSoundThemes } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

describe('moving from the local cloud to a Cloudflare account with the console alone', () => {
  let second: SecondCloud
  let world: BrowserWorld
  before(async () => {
    second = await openSecondCloud()
    world = await openBrowserWorld({ env: second.env, page: { viewport: { width: 1280, height: 900 } } })
  })
  after(async () => {
    await world?.close()
    await second?.close()
  })

  test('an API token moves two projects with records and files to Cloudflare, and nothing stays on this machine', async () => {
    const { page, person, model } = world
    const projects = []
    for (const name of ['Greenhouse', 'Orchard']) {
      const { id, url } = await shipStoringProject({ person, model }, name)
      await addPlants(url, [`Fern of the ${name}`, 'Ivy'])
      const bytes = randomBytes(10_000)
      projects.push({ id, name, url, bytes, file: await uploadFile(url, bytes), plants: await plantsOf(url) })
    }
    const { token } = await second.account('Acme Inc')

    await page.goto(world.url + href.connections())
    await page.getByRole('button', { name: 'Move to Cloudflare' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Each project moves with its next ship.').waitFor()
    await dialog.getByText('Addresses change.').waitFor()
    assert.ok(await dialog.getByRole('radio', { name: 'Copy' }).isChecked(), 'nothing is lost by default')
    await assertSoundThemes(page, 'move-token', 1280)
    await dialog.getByLabel('API token').fill(token)
    await dialog.getByRole('button', { name: 'Connect account' }).click()

    const title = page.getByRole('heading', { name: 'On this machine' })
    const card = page.getByRole('main').getByRole('listitem').filter({ has: title })
    await card.waitFor()
    await page.getByText('Acme Inc').waitFor()
    await assertSoundThemes(page, 'move-waiting', 1280)
    for (const { name, url, plants } of projects) {
      // Connecting the account does not move anything yet: the app on this machine keeps running.
      assert.deepEqual(await plantsOf(url), plants)
      const row = card.getByRole('listitem').filter({ hasText: name })
      await row.getByText('Lives on this machine.').waitFor()
      await row.getByRole('button', { name: 'Ship to Cloudflare' }).click()
      await row.waitFor({ state: 'detached', timeout: 60_000 })
    }
    await card.waitFor({ state: 'detached' })

    for (const { id, name, url, bytes, file, plants } of projects) {
      const { url: moved, move } = await person.call<{ url: string; move: object | null }>(
        `GET /projects/${id}/deploy`,
      )
      assert.equal(move, null)
      assert.ok(moved.endsWith(`.localhost:${second.appsPort}`), moved)
      assert.deepEqual(await plantsOf(moved), plants)
      assert.ok((await readFile(moved, file)).equals(bytes))
      assert.equal((await cloudFetch(url)).status, 404)
      const app = await world.open('nobody')
      await app.page.goto(moved)
      await app.page.getByText(`Fern of the ${name}`).waitFor()
      await app.page.context().close()
    }
    // The console now shows the address of the app in the new account.
    await page.goto(world.url + href.ship(projects[0]?.id ?? ''))
    await page.getByText(`.localhost:${second.appsPort}`).first().waitFor()
    world.assertQuiet()
  })
})

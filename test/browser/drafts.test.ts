import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { assertBecomes, assertSoundSizes, DESK, loseSession, PASSWORD } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

const BACK = 'Your unsent text is back.'
const APP = 'Describe what you want to build'
const CHANGE = 'Describe a change'

describe('typed text that was not sent', () => {
  let world: BrowserWorld
  let page: Page
  let projectId: string

  before(async () => {
    world = await openBrowserWorld({ page: { viewport: DESK } })
    page = world.page
    projectId = (await world.person.call<{ id: string }>('POST /projects', { name: 'Office plants' })).id
  })
  after(() => world?.close())

  const findButton = (name: string) => page.getByRole('button', { name, exact: true })
  const countDrafts = () =>
    page.evaluate<number>(
      `Object.keys(localStorage).filter((key) => key.startsWith('slipway.draft.')).length`,
    )
  async function signIn(email: string): Promise<void> {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await findButton('Sign in').click()
  }
  async function signOut(): Promise<void> {
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  }

  test('the unsent text of a new ticket is restored after a reload, and the sent text is not', async () => {
    await page.goto(world.url + href.project(projectId, { pane: 'tickets' }))
    await page.getByLabel(CHANGE).fill('Remind me to water the fern')
    await page.reload()
    await page.getByText(BACK).waitFor()
    assert.equal(await page.getByLabel(CHANGE).inputValue(), 'Remind me to water the fern')
    await assertSoundSizes(page, 'draft-ticket')
    await findButton('Just add').click()
    await page.getByLabel(CHANGE).press('Enter')
    await page.getByText('Remind me to water the fern').first().waitFor()
    await assertBecomes(countDrafts, 0)
    await page.reload()
    await page.getByLabel(CHANGE).waitFor()
    assert.equal(await page.getByLabel(CHANGE).inputValue(), '')
    assert.equal(await page.getByText(BACK).count(), 0)
    world.assertQuiet()
  })

  test('the form for a webhook keeps its values until the webhook is created, and does not store the secret', async () => {
    const open = async () => {
      await page.getByRole('button', { name: 'Add webhook' }).first().click()
      await page.getByRole('textbox', { name: 'Address' }).waitFor()
    }
    await page.goto(world.url + href.webhooks())
    await open()
    await page.getByRole('textbox', { name: 'Address' }).fill('https://example.test/slipway')
    await page.getByText('Choose events').click()
    await page.goto(world.url + href.activity())
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor()
    await page.goto(world.url + href.webhooks())
    await open()
    await page.getByText(BACK).waitFor()
    assert.equal(
      await page.getByRole('textbox', { name: 'Address' }).inputValue(),
      'https://example.test/slipway',
    )
    await assertSoundSizes(page, 'draft-webhook')
    await page.getByText('All events', { exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click()
    const secret = await page.getByText(/^whsec_/).innerText()
    assert.equal(await countDrafts(), 0)
    assert.ok(!(await page.evaluate<string>('JSON.stringify({ ...localStorage })')).includes(secret))
    world.assertQuiet()
  })

  test('the restored text of a project name is shown beside the name that another member has saved meanwhile', async () => {
    await page.goto(world.url + href.projectSettings(projectId))
    await page.getByLabel('Name', { exact: true }).fill('My plants')
    await world.person.call(`PATCH /projects/${projectId}`, { name: 'Greenhouse' })
    await page.reload()
    await page.getByText('“Name” was saved with another value after you began to change it.').waitFor()
    await assertSoundSizes(page, 'draft-project-name')
    await findButton('Discard').click()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Greenhouse')
    assert.equal(await countDrafts(), 0)
    world.assertQuiet()
  })

  test('after a session has ended, only the same user gets the unsent text back, and signing out removes the text', async () => {
    const bob = await world.enter('Bob Builder')
    await bob.context.close()
    await page.goto(world.url + href.projects())
    await page.getByLabel(APP).fill('A list of my plants')
    await loseSession(page)
    await page.goto(world.url + href.signIn())
    await signIn(bob.email)
    await page.getByRole('heading', { level: 1, name: 'Welcome, Bob' }).waitFor()
    await page.goto(world.url + href.projects())
    await page.getByLabel(APP).waitFor()
    assert.equal(await page.getByLabel(APP).inputValue(), '')
    await page.getByLabel(APP).fill('What Bob wants')
    await signOut()
    assert.equal(await countDrafts(), 1)
    await signIn(world.email)
    await page.getByText(BACK).waitFor()
    assert.equal(await page.getByLabel(APP).inputValue(), 'A list of my plants')
    await assertSoundSizes(page, 'draft-new-project')
    await signOut()
    assert.equal(await countDrafts(), 0)
    world.assertQuiet(/401/)
  })
})

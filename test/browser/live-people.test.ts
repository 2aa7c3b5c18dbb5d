import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { assertSoundSizes, DESK } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

const SENTENCE = 'Track ideas: title, notes. People sign in first, and only the author can edit.'

describe('the people of a live app in the browser', () => {
  let world: BrowserWorld
  let page: Page
  let projectId: string
  let appUrl: string

  before(async () => {
    world = await openBrowserWorld({ page: { viewport: DESK } })
    page = world.page
    projectId = (await world.build(SENTENCE)).projectId
    appUrl = (await world.person.call<{ url: string }>(`POST /projects/${projectId}/deploy`)).url
  })
  after(() => world?.close())

  const openPeople = () => page.goto(world.url + href.capability(projectId, 'auth', { tab: 'live' }))
  const findRow = (name: string) => page.getByRole('listitem').filter({ hasText: name })

  async function createAccount(name: string): Promise<Page> {
    const { page: app } = await world.open('nobody')
    await app.goto(appUrl)
    await app.getByRole('button', { name: 'Create an account' }).click()
    await app.getByRole('textbox', { name: 'Name' }).fill(name)
    await app.getByLabel('Email').fill(`${name.toLowerCase().replaceAll(' ', '.')}@example.test`)
    await app.getByLabel('Password').fill(`${name} likes apples`)
    await app.getByRole('button', { name: 'Create an account' }).click()
    await app.getByRole('heading', { name: 'Ideas', exact: true }).waitFor()
    return app
  }

  test('the people of an app are listed and searched, and before the first sign-up their page says that there are none', async () => {
    await openPeople()
    await page.getByRole('heading', { name: 'No accounts yet' }).waitFor()
    await page.getByText('What this costs').click()
    await assertSoundSizes(page, 'people-none')
    await page.getByText('What this costs').click()
    const ada = await createAccount('Ada Byron')
    await ada.getByRole('button', { name: 'Add idea', exact: true }).first().click()
    await ada.getByLabel(/^Title/).fill('A difference engine')
    await ada.getByRole('dialog').getByRole('button', { name: 'Add idea' }).click()
    await ada.getByText('A difference engine').first().waitFor()
    for (const name of ['Ben', 'Cleo']) await (await createAccount(name)).context().close()
    await ada.context().close()
    await openPeople()
    await page.getByRole('status').getByText('3 people').waitFor()
    await assertSoundSizes(page, 'people')
    await page.getByLabel('Search by name or address').fill('BYRON@')
    await findRow('Ben').waitFor({ state: 'detached' })
    await findRow('Ada Byron').waitFor()
    await page.reload()
    await page.getByRole('status').getByText('1 person').waitFor()
    world.assertQuiet()
  })

  test('a record in the console links to the person who added it, and is kept without the link after that person is erased', async () => {
    await page.goto(world.url + href.collection(projectId, 'ideas'))
    await page.getByRole('cell', { name: 'A difference engine', exact: true }).waitFor()
    await page.getByRole('link', { name: /^Show person/ }).click()
    await page.getByRole('status').getByText('1 person').waitFor()
    await findRow('Ada Byron').waitFor()
    await page.getByRole('button', { name: 'Erase Ada Byron' }).click()
    await page.getByLabel('Type ada.byron@example.test to confirm').fill('ada.byron@example.test')
    await assertSoundSizes(page, 'people-erase')
    await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click()
    await page.getByRole('heading', { name: /^No person matches/ }).waitFor()
    await page.goto(world.url + href.collection(projectId, 'ideas'))
    await page.getByRole('cell', { name: 'everyone' }).waitFor()
    assert.equal(await page.getByRole('link', { name: /^Show person/ }).count(), 0)
    world.assertQuiet()
  })
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type AppTree, starterTree } from '../../server/agent/source/tree.ts'
import { openCloudApp } from '../../server/releases/testing.ts'
import { KIT_HOME, KIT_MANIFEST, KIT_ROUTES } from './app-kit-page.ts'
import { assertSoundApp, press, visitApp } from './app-visitors.ts'
import { launchBrowser } from './browser.ts'

describe('the kit of generated apps, in the browser', () => {
  let cloud: Awaited<ReturnType<typeof openCloudApp>>
  let browser: Browser
  let page: Page
  let other: Page

  before(async () => {
    cloud = await openCloudApp()
    const { person, path, project } = await cloud.personWithProject('Bakery')
    await person.call(`PUT ${path}/capabilities/data`, { enabled: true })
    const tree: AppTree = new Map([
      ...starterTree('Bakery'),
      ['app.json', JSON.stringify(KIT_MANIFEST)],
      ['web/pages/Home.tsx', KIT_HOME],
      ['server/routes.ts', KIT_ROUTES],
    ])
    await cloud.build(project.id, tree)
    const shipped = await person.call<{ url: string }>(`POST ${path}/deploy`)
    assert.equal(shipped.error, undefined)
    browser = await launchBrowser()
    const app = { url: new URL(shipped.data.url) }
    page = await visitApp(browser, app, '/', {
      viewport: { width: 1280, height: 850 },
      acceptDownloads: true,
    })
    other = await visitApp(browser, app, '/')
  })
  after(async () => {
    await browser?.close()
    await cloud?.close()
  })

  const namesIn = (table: string) =>
    page.getByRole('table', { name: table }).getByRole('rowheader').allTextContents()

  test('a table of own rows is sorted, searched without accents, added up and saved', async () => {
    const sort = page.getByRole('table', { name: 'Cakes' }).getByRole('button', { name: 'Name', exact: true })
    await sort.click()
    assert.deepEqual((await namesIn('Cakes')).slice(0, 3), ['Apple', 'Brownie', 'Carrot'])
    await sort.click()
    assert.deepEqual((await namesIn('Cakes')).slice(0, 2), ['Zebra', 'Müller'])
    await page.getByLabel('Search cakes').fill('muller')
    await page.getByText('1 of 9 cakes').waitFor()
    assert.deepEqual(await namesIn('Cakes'), ['Müller', 'Total'])
    const saved = page.waitForEvent('download')
    await press(page, 'Download CSV')
    const csv = readFileSync(await (await saved).path(), 'utf8')
    assert.equal(csv, '\uFEFFName,Note,Price\r\nMüller,From Müller,20\r\n')
    await page.getByLabel('Search cakes').fill('')
    await assertSoundApp(page, 'app-kit-table')
  })

  test('a new toast takes the place of the one before', async () => {
    await page.getByRole('button', { name: 'Order Apple' }).click()
    await page.getByText('Apple ordered').waitFor()
    await page.getByRole('button', { name: 'Order Zebra' }).click()
    await page.getByText('Zebra ordered').waitFor()
    assert.equal(await page.getByText('Apple ordered').count(), 0)
  })

  test('arrow keys go from tab to tab, and fields keep what they hold', async () => {
    await page.getByRole('tab', { name: 'Cakes' }).focus()
    await page.keyboard.press('ArrowRight')
    const price = page.getByLabel('Price')
    assert.equal(await price.inputValue(), '12.50')
    await price.fill('3,5')
    await page.getByText('Stored: 350').waitFor()
    assert.equal(await price.inputValue(), '3,5')
    await page.getByLabel('Password', { exact: true }).fill('secret')
    await page.getByRole('button', { name: 'Show Password' }).click()
    assert.equal(await page.getByLabel('Password', { exact: true }).getAttribute('type'), 'text')
    await page.getByRole('group', { name: 'Days' }).getByLabel('Tuesday').check()
    await page.getByText('Chosen: mon tue').waitFor()
    await page.getByRole('switch', { name: 'Open today' }).uncheck()
    await page.getByRole('table', { name: 'Sales' }).getByText('Monday').waitFor()
    await assertSoundApp(page, 'app-kit-fields')
  })

  test('a dialog focuses its first field, a question the button that changes nothing', async () => {
    await press(page, 'Name it')
    await page.locator('input:focus').waitFor()
    assert.equal(await page.getByLabel('New name').evaluate((field) => field.matches(':focus')), true)
    await page.keyboard.press('Escape')
    await press(page, 'Sell')
    await page.getByRole('dialog').locator('button:focus', { hasText: 'Cancel' }).waitFor()
    await press(page, 'Sell the bakery')
    await page.getByRole('dialog').getByRole('alert').getByText('The oven is still hot.').waitFor()
    await assertSoundApp(page, 'app-kit-question')
    await page.keyboard.press('Escape')
    await press(page, 'Sell')
    assert.equal(
      await page.getByRole('dialog').getByRole('alert').count(),
      0,
      'a question begins without the last failure',
    )
    await page.keyboard.press('Escape')
  })

  test('an action that is refused says why where it was pressed', async () => {
    await press(page, 'Close')
    await page.getByRole('alert').getByText('The oven is still hot.').waitFor()
  })

  test("what a route computes follows another person's records, their removal too", async () => {
    await page.getByText('0 people, 0 years').waitFor()
    for (const [name, age, level] of [
      ['Ada', '36', 'master'],
      ['Bob', '9', 'novice'],
    ] as const) {
      await other.getByLabel('Name', { exact: true }).fill(name)
      await other.getByLabel('Age').fill(age)
      await other.getByLabel('Level').selectOption(level)
      await other.getByRole('button', { name: 'Add person' }).click()
      await page.getByRole('rowheader', { name }).waitFor()
    }
    await page.getByText('2 people, 45 years').waitFor()
    await page.getByText('2 people', { exact: true }).waitFor()
    await page.setViewportSize({ width: 1280, height: 850 })
    const level = page.getByRole('table', { name: 'People' }).getByRole('button', { name: 'Level' })
    await level.click()
    assert.deepEqual(await namesIn('People'), ['Bob', 'Ada'])
    await level.click()
    assert.deepEqual(await namesIn('People'), ['Ada', 'Bob'])
    await other.getByRole('button', { name: 'Delete Bob' }).click()
    await other.getByRole('dialog').getByRole('button', { name: 'Delete Bob' }).click()
    await page.getByText('1 people, 36 years').waitFor()
  })
})

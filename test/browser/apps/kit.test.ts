import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type AppTree, starterTree } from '../../../server/agent/source/tree.ts'
import { openCloudApp } from '../../../server/releases/testing.ts'
import { KIT_HOME, KIT_MANIFEST, KIT_ROUTES } from './kit-page.ts'
import { assertSoundApp, press, visitApp } from './visitors.ts'
import { launchBrowser } from '../browser.ts'

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

  test('a table of an app can be sorted, searched regardless of accents and saved as a CSV file, and shows a total', async () => {
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

  test('a new toast in an app replaces the previous one', async () => {
    await page.getByRole('button', { name: 'Order Apple' }).click()
    await page.getByText('Apple ordered').waitFor()
    await page.getByRole('button', { name: 'Order Zebra' }).click()
    await page.getByText('Zebra ordered').waitFor()
    assert.equal(await page.getByText('Apple ordered').count(), 0)
  })

  test('in an app, arrow keys change the selected tab, and form fields show and store what is entered', async () => {
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

  test('in an app, a dialog focuses its first field, and a confirmation dialog focuses its Cancel button', async () => {
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

  test("in an app's dialog with typed text the first Escape shows a warning and keeps the dialog open", async () => {
    await press(page, 'Name it')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('New name').fill('Rye')
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
    ]) {
      await close()
      await dialog.getByRole('alert').getByText('Close again to discard it').waitFor()
      assert.equal(await dialog.getByLabel('New name').inputValue(), 'Rye')
      await dialog.getByLabel('New name').pressSequentially('!')
      assert.equal(await dialog.getByRole('alert').count(), 0)
      await dialog.getByLabel('New name').fill('Rye')
    }
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await press(page, 'Name it')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })

  test("Escape in an app's dialog warns while a field is invalid, and closes the dialog without a warning after saving", async () => {
    await press(page, 'Hire people')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Age').fill('12,5')
    await dialog.getByRole('button', { name: 'Hire' }).click()
    await dialog.getByText('Write a whole number.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.getByText('Close again to discard it').waitFor()
    await dialog.getByLabel('Name').fill('Zoe')
    await dialog.getByLabel('Age').fill('1,234')
    await dialog.getByRole('button', { name: 'Hire' }).click()
    await dialog.getByText('Saved').waitFor()
    assert.equal(await dialog.getByText('Close again to discard it').count(), 0)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('1 people, 1234 years').waitFor()
    await press(page, 'Delete Zoe')
    await dialog.getByRole('button', { name: 'Delete Zoe' }).click()
  })

  test("an app parses a number in the person's locale, and a field with other text keeps it and shows an error", async () => {
    const german = await visitApp(browser, { url: new URL(page.url()) }, '/', { locale: 'de-DE' })
    await german.getByRole('tab', { name: 'Fields' }).click()
    assert.equal(await german.getByLabel('Height').inputValue(), '', 'a value that is missing')
    const weight = german.getByLabel('Weight')
    for (const [typed, stored, shown] of [
      ['1,5', '1.5', '1,5'],
      ['1.234,5', '1234.5', '1234,5'],
      ['1.234', '1234', '1234'],
    ] as const) {
      await weight.fill(typed)
      await german.getByText(`Weight: ${stored}`, { exact: true }).waitFor()
      await weight.blur()
      assert.equal(await weight.inputValue(), shown)
    }
    const price = german.getByLabel('Price')
    assert.equal(await price.inputValue(), '12,50')
    await price.fill('1.250,5 €')
    await german.getByText('Stored: 125050').waitFor()
    await price.fill('twelve')
    await price.blur()
    await german.getByText('Write a number, in digits.').waitFor()
    assert.equal(await price.inputValue(), 'twelve')
    assert.equal(await price.getAttribute('aria-invalid'), 'true')
    await german.context().close()
    await other.getByLabel('Name', { exact: true }).fill('Kim')
    await other.getByLabel('Age').fill('nine')
    await other.getByRole('button', { name: 'Add person' }).click()
    await other.getByText('Write a number, in digits.').waitFor()
    await other.getByLabel('Age').fill('')
    await other.getByText('Write a number').waitFor({ state: 'hidden' })
  })

  test('when an app refuses an action, the reason is shown beside the button', async () => {
    await press(page, 'Close')
    await page.getByRole('alert').getByText('The oven is still hot.').waitFor()
  })

  test('a total that a server route of an app computes is updated in open pages when another person changes records', async () => {
    await page.getByText('0 people, 0 years').waitFor()
    for (const [name, age, salary, level] of [
      ['Ada', '36', '1250.50', 'master'],
      ['Bob', '9', '300', 'novice'],
    ] as const) {
      await other.getByLabel('Name', { exact: true }).fill(name)
      await other.getByLabel('Age').fill(age)
      await other.getByLabel('Salary').fill(salary)
      await other.getByLabel('Level').selectOption(level)
      await other.getByRole('button', { name: 'Add person' }).click()
      await page.getByRole('rowheader', { name }).waitFor()
    }
    await page.getByText('2 people, 45 years').waitFor()
    await page.getByText('2 people', { exact: true }).waitFor()
    await page.setViewportSize({ width: 1280, height: 850 })
    const level = page.getByRole('table', { name: 'People' }).getByRole('button', { name: 'Level' })
    await level.click()
    assert.deepEqual(await namesIn('People'), ['Bob', 'Ada', 'Total'])
    await level.click()
    assert.deepEqual(await namesIn('People'), ['Ada', 'Bob', 'Total'])
    const total = page.getByRole('table', { name: 'People' }).getByRole('row', { name: /^Total/ })
    assert.equal(await total.textContent(), 'Total45€1,550.50')
    const list = page.locator('.records', { has: page.getByRole('table', { name: 'People' }) })
    const saved = page.waitForEvent('download')
    await list.getByRole('button', { name: 'Download CSV' }).click()
    assert.equal(
      readFileSync(await (await saved).path(), 'utf8'),
      '\uFEFFName,Age,Salary,Level\r\nBob,9,300.00,novice\r\nAda,36,1250.50,master\r\n',
    )
    await other.getByRole('button', { name: 'Delete Bob' }).click()
    await other.getByRole('dialog').getByRole('button', { name: 'Delete Bob' }).click()
    await page.getByText('1 people, 36 years').waitFor()
  })

  test('charts of an app have a table for screen readers, and an arrow key shows the next picture of a gallery', async () => {
    await page.getByRole('tab', { name: 'Charts' }).click()
    for (const name of ['Loaves', 'Rolls', 'Shares'])
      assert.match(
        (await page.getByRole('table', { name }).textContent()) ?? '',
        /Jan120.*Feb80 loaves.*Mar150/,
      )
    await page.getByRole('button', { name: 'The oven' }).click()
    const window = page.getByRole('dialog')
    await window.getByRole('heading', { name: 'Oven' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await window.getByRole('img', { name: 'A loaf of rye' }).waitFor()
    await window.getByText('2 of 2').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'The oven' }).waitFor()
    await assertSoundApp(page, 'app-kit-charts')
  })

  test("arrow keys move over the days of an app's calendar, which can also show a week", async () => {
    await page.setViewportSize({ width: 1280, height: 850 })
    await page.clock.setFixedTime(new Date('2026-12-22T10:00:00'))
    await page.getByRole('tab', { name: 'Plan' }).click()
    const calendar = page.getByRole('region', { name: 'Deliveries' })
    await calendar.getByRole('heading', { name: 'December 2026' }).waitFor()
    await calendar.locator('.calendar-day[aria-current=date]').focus()
    for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
    assert.match(
      (await page.locator('.calendar-day:focus').getAttribute('aria-label')) ?? '',
      /December 24, 1 deliveries$/,
    )
    await calendar.getByRole('button', { name: 'Stollen' }).first().click()
    await page.getByText('Day: opened a').waitFor()
    await press(page, 'Add on this day')
    await page.getByText('Day: 2026-12-24').waitFor()
    await page.locator('.calendar-day[tabindex="0"]').focus()
    await page.keyboard.press('PageDown')
    await calendar.getByRole('heading', { name: 'January 2027' }).waitFor()
    await press(page, 'Week')
    assert.equal(await calendar.locator('.calendar-day').count(), 7)
    await press(page, 'Today')
    await press(page, 'Month')
  })

  test("the items of an app's calendar are not wider than their day, however long their titles are", async () => {
    const item = page.locator('.calendar-items').getByRole('button', { name: 'Twelve rye loaves' })
    const day = page.locator('td', { has: item })
    const [width, dayWidth] = await Promise.all(
      [item, day].map((part) => part.evaluate((element) => element.clientWidth)),
    )
    assert.ok(Number(width) < Number(dayWidth), `${width} px in ${dayWidth} px`)
  })

  test("a card of an app's board is moved by keyboard, menu and pointer, and a refused move is reverted with the reason", async () => {
    const findColumn = (name: string) => page.getByRole('region', { name, exact: true })
    const grip = page.getByRole('button', { name: 'Move Ada' })
    await findColumn('Master').getByText('Ada').waitFor()
    await grip.focus()
    await page.keyboard.press('ArrowLeft')
    await findColumn('Baker').getByText('Ada').waitFor()
    await page.getByRole('status').filter({ hasText: 'Ada moved to Baker' }).waitFor()
    assert.equal(
      await grip.evaluate((button) => button.matches(':focus')),
      true,
      'the focus moves with the card',
    )
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('alert').getByText('Nobody becomes a novice again.').waitFor()
    await findColumn('Baker').getByText('Ada').waitFor()
    await grip.click()
    await findColumn('Baker').getByRole('button', { name: 'Master', exact: true }).click()
    await findColumn('Master').getByText('Ada').waitFor()
    const [from, to] = [await grip.boundingBox(), await findColumn('Baker').boundingBox()]
    assert.ok(from && to)
    await page.mouse.move(from.x + 8, from.y + 8)
    await page.mouse.down()
    await page.mouse.move(to.x + 40, from.y + 12, { steps: 4 })
    await page.mouse.up()
    await findColumn('Baker').getByText('Ada').waitFor()
    await page.reload()
    await page.getByRole('tab', { name: 'Plan' }).click()
    await findColumn('Baker').getByText('Ada').waitFor()
    await assertSoundApp(page, 'app-kit-plan')
  })
})

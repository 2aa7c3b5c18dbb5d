import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { parseCsv } from '../../console/screens/capabilities/data/csv/csv.ts'
import { href } from '../../console/routes.ts'
import { assertBecomes, assertSoundSizes, DESK } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

const SENTENCE = 'Track orders with customer, cake, pickup date and status (new, baking, ready)'

describe('live data in the browser', () => {
  let world: BrowserWorld
  let page: Page
  let projectId: string

  before(async () => {
    world = await openBrowserWorld({ page: { viewport: DESK } })
    page = world.page
    projectId = (await world.build(SENTENCE)).projectId
    await world.person.call(`POST /projects/${projectId}/deploy`)
  })
  after(() => world?.close())

  const openPath = (path: string) => page.goto(world.url + path)
  const findButton = (name: string | RegExp) => page.getByRole('button', { name })
  const findDialog = () => page.getByRole('dialog')
  const inDialog = (name: string | RegExp) => findDialog().getByRole('button', { name })
  const findStatus = (words: string | RegExp) => page.getByRole('status').getByText(words)

  test("a live app's record that is added and then changed in the console's form is shown in the table both times", async () => {
    await openPath(href.collection(projectId, 'orders'))
    await page.getByRole('heading', { name: 'No records yet' }).waitFor()
    await assertSoundSizes(page, 'records-none')
    await findButton('Add record').click()
    await inDialog('Save record').click()
    await findDialog().getByText('This is required.').waitFor()
    await assertSoundSizes(page, 'record-new')
    await findDialog().getByLabel('Customer').fill('Ines')
    await findDialog().getByLabel('Pickup date').fill('2026-12-24')
    await findDialog().getByLabel('Status').selectOption('baking')
    await inDialog('Save record').click()
    await page.getByRole('cell', { name: 'Ines', exact: true }).waitFor()
    await findButton('Open record Ines').click()
    assert.equal(await findDialog().getByLabel('Status').inputValue(), 'baking')
    await findDialog().getByLabel('Cake').fill('=Carrot, "plain"')
    await inDialog('Save record').click()
    await page.getByRole('cell', { name: '=Carrot, "plain"', exact: true }).waitFor()
    world.assertQuiet()
  })

  test('records imported from a file are validated first, refused rows are named, and the other rows are imported', async () => {
    const rows = Array.from(
      { length: 120 },
      (_, n) => `Customer ${n},Cake,2026-12-${10 + (n % 20)},${n % 2 ? 'new' : 'ready'}`,
    )
    const file = [
      'customer,cake,Pickup date,status',
      ...rows,
      ',No customer,,new',
      'Late,Cake,someday,new',
    ].join('\n')
    await findButton('Import CSV').click()
    await findDialog().getByText('The first line names the columns').waitFor()
    await assertSoundSizes(page, 'csv-choose')
    await findDialog()
      .getByLabel('CSV file')
      .setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
    await findStatus('120 rows are valid, 2 rows are refused').waitFor()
    await findDialog().getByText('Line 122').waitFor()
    await assertSoundSizes(page, 'csv-checked')
    await inDialog('Import 120 rows').click()
    await findStatus('120 rows were imported').waitFor()
    await inDialog('Close').last().click()
    await findStatus('The first 50').waitFor()
    await assertSoundSizes(page, 'records-many')
    world.assertQuiet()
  })

  test('a filter and a sort order of records are in the URL, and scrolling loads the next pages', async () => {
    await findButton('Filter').click()
    await page.getByLabel('Field').selectOption('status')
    await page.getByLabel('Value').selectOption('ready')
    await assertSoundSizes(page, 'records-filter')
    await findButton('Apply filter').click()
    await page.getByText('Status is ready').waitFor()
    await page.getByLabel('Sort by').selectOption('createdAt')
    await page.reload()
    await page.getByText('Status is ready').waitFor()
    await findStatus('The first 50').waitFor()
    // Scroll instead of pressing the button: the next page is loaded when the end of the list comes into view, and the button disappears.
    await assertBecomes(async () => {
      await page.mouse.wheel(0, 2000)
      return await findStatus('60 records').count()
    }, 1)
    world.assertQuiet()
  })

  test('the shown records are exported to a file that can be imported again, with formulas escaped', async () => {
    const saveExport = async () => {
      const saved = page.waitForEvent('download')
      await findButton('Export CSV').click()
      return readFileSync(await (await saved).path(), 'utf8')
    }
    assert.equal(parseCsv(await saveExport())?.length, 61)
    await findButton('Remove filter: Status is ready').click()
    await findStatus('The first 50').waitFor()
    const text = await saveExport()
    const rows = parseCsv(text)
    assert.equal(rows?.length, 122)
    assert.deepEqual(rows?.[0]?.cells.slice(0, 4), ['customer', 'cake', 'pickupDate', 'status'])
    assert.ok(text.includes(`"'=Carrot, ""plain"""`))
    assert.ok(rows?.some(({ cells }) => cells[1] === '=Carrot, "plain"'))
    world.assertQuiet()
  })
})

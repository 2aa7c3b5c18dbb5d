import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { assertBecomes, assertSoundThemes, holdRequests, waitForFocus } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
/** Returns the picture with `mark` appended. It looks the same, but the service stores it as another file. */
const pixelWith = (mark: string) => Buffer.concat([PIXEL, Buffer.from(mark)])
const PDF = Buffer.from('%PDF-1.7\n% Nothing to see.\n')

describe('the attachments of a ticket', () => {
  let world: BrowserWorld
  before(async () => {
    world = await openBrowserWorld({ page: { viewport: { width: 1280, height: 850 } } })
  })
  after(() => world?.close())

  async function openTicket(page = world.page) {
    const { id: projectId } = await world.person.call<{ id: string }>('POST /projects', { name: 'Harbour' })
    const { id } = await world.person.call<{ id: string }>(`POST /projects/${projectId}/tickets`, {
      title: 'Paint the hull',
    })
    const path = `/projects/${projectId}/tickets/${id}`
    const keys = async () => (await world.person.call<{ attachments: string[] }>(`GET ${path}`)).attachments
    await page.goto(world.url + href.project(projectId, { ticket: id, tab: 'ticket', pane: 'work' }))
    await page.getByText('Nothing attached.').waitFor()
    return { projectId, path, keys }
  }
  const chooseFiles = (page: Page, ...files: { name: string; mimeType: string; buffer: Buffer }[]) =>
    page.getByLabel('Attach files').and(page.locator('input')).setInputFiles(files)
  const pngFile = (name: string, mark = name) => ({ name, mimeType: 'image/png', buffer: pixelWith(mark) })
  const findTile = (page: Page, name: string) =>
    page.getByRole('list', { name: 'Attachments' }).getByRole('listitem').filter({ hasText: name })

  test('attachments of a ticket are added, shown with size and picture, downloaded, removed and restored', async () => {
    const { page, assertQuiet } = world
    const { keys } = await openTicket()
    await assertSoundThemes(page, 'ticket-attachments-empty', 1280)
    await chooseFiles(page, pngFile('hull.png'), {
      name: 'plan.pdf',
      mimeType: 'application/pdf',
      buffer: PDF,
    })
    await findTile(page, 'plan.pdf').getByText('PDF, ').waitFor()
    await findTile(page, 'hull.png')
      .getByText(/^PNG, \d+ B$/)
      .waitFor()
    await page.getByText('hull.png attached').first().waitFor()
    assert.equal((await keys()).length, 2)
    const picture = findTile(page, 'hull.png').locator('img')
    await assertBecomes(
      () => picture.evaluate((image) => 'naturalWidth' in image && image.naturalWidth !== 0),
      true,
    )
    await assertSoundThemes(page, 'ticket-attachments', 1280)

    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download hull.png' }).click()
    assert.equal((await downloading).suggestedFilename(), 'hull.png')

    const before = await keys()
    await page.getByRole('button', { name: 'Remove hull.png' }).press('Enter')
    await findTile(page, 'hull.png').waitFor({ state: 'detached' })
    await waitForFocus(page.getByRole('button', { name: 'Attach files' }))
    const removed = page.getByText('hull.png removed', { exact: true }).and(page.locator('p:not([role])'))
    await removed.waitFor()
    await assertBecomes(async () => (await keys()).length, 1)
    await page.locator('section', { has: removed }).getByRole('button', { name: 'Undo' }).last().click()
    await findTile(page, 'hull.png').waitFor()
    await assertBecomes(async () => (await keys()).toSorted(), before.toSorted())
    // After a reload the name comes from the storage of this browser, and all other values from the service.
    await page.reload()
    await findTile(page, 'hull.png')
      .getByText(/^PNG, /)
      .waitFor()
    assertQuiet()
  })

  test('attachments of a ticket are added by paste and by drop, and show their progress', async () => {
    const { page, assertQuiet } = world
    const { keys } = await openTicket()
    const letGo = await holdRequests(page, '**/attachments/finalize')
    await page.evaluate(transferScript('paste', 'document.body', 'pasted.png', pixelWith('pasted')))
    await page.getByRole('progressbar', { name: 'pasted.png' }).waitFor()
    letGo()
    await findTile(page, 'pasted.png')
      .getByText(/^PNG, /)
      .waitFor()
    // A file can be dropped anywhere on the page of the ticket. Otherwise the browser would open the file.
    const details = `document.querySelector('[aria-label=Properties]')`
    await page.evaluate(transferScript('drop', details, 'dropped.png', pixelWith('dropped')))
    await findTile(page, 'dropped.png')
      .getByText(/^PNG, /)
      .waitFor()
    await assertBecomes(async () => (await keys()).length, 2)
    assertQuiet()
  })

  test('files that cannot be attached to a ticket are not sent, and their names are shown with the reason', async () => {
    const { page, assertQuiet } = world
    const { keys } = await openTicket()
    await chooseFiles(
      page,
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') },
      { name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(8 * 1024 * 1024 + 1) },
      { name: 'empty.png', mimeType: 'image/png', buffer: Buffer.alloc(0) },
    )
    const note = page.getByRole('alert')
    await note.getByText('notes.txt: Only PNG, JPEG, GIF, WebP and PDF can be attached.').waitFor()
    await note.getByText('large.png: The file is larger than 8 MiB.').waitFor()
    await note.getByText('empty.png: The file is empty.').waitFor()
    // Only the service detects that the content of this file is not a picture.
    await chooseFiles(page, { name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
    await findTile(page, 'fake.png').getByRole('alert').waitFor()
    assert.deepEqual(await keys(), [])
    await page.getByRole('button', { name: 'Remove fake.png' }).click()
    await page.getByText('Nothing attached.').waitFor()
    assertQuiet(/400/)
  })

  test('the attachments of a ticket fit on a phone', async () => {
    const { page, context, assertQuiet } = await world.open('Ada', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    })
    await openTicket(page)
    await chooseFiles(
      page,
      pngFile(`${'a long name of a picture '.repeat(4)}.png`, 'long'),
      pngFile('deck.png'),
    )
    await findTile(page, 'deck.png')
      .getByText(/^PNG, /)
      .waitFor()
    // Close the toasts, because they cover the area that is checked.
    for (const _message of [1, 2]) await page.getByRole('button', { name: 'Dismiss' }).first().click()
    await page.getByRole('button', { name: 'Dismiss' }).waitFor({ state: 'detached' })
    await assertSoundThemes(page, 'ticket-attachments', 390)
    assertQuiet()
    await context.close()
  })
})

/** Runs in the page: dispatches a paste or drop event with a file. */
const transferScript = (how: 'paste' | 'drop', target: string, name: string, bytes: Buffer) => `(() => {
  const data = new DataTransfer()
  data.items.add(new File([Uint8Array.from(${JSON.stringify([...bytes])})], '${name}', { type: 'image/png' }))
  const init = { bubbles: true, cancelable: true }
  const event = '${how}' === 'paste'
    ? new ClipboardEvent('paste', { ...init, clipboardData: data })
    : new DragEvent('drop', { ...init, dataTransfer: data })
  ${target}.dispatchEvent(event)
})()`

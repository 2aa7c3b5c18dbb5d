import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { assertBecomes } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

const PREVIEW_MS_MAX = 60_000

interface Version {
  sha: string
  current: boolean
}

/** A project with two builds: the first adds plants, the second pots. */
describe('code and versions', () => {
  let world: BrowserWorld
  let page: Page
  let projectId: string
  let previewUrl: string

  before(async () => {
    world = await openBrowserWorld({ page: { viewport: { width: 1280, height: 850 } } })
    page = world.page
    projectId = (await world.build('Track the plants in my office: name, room, last watered date')).projectId
    const { ticketId } = await world.build('Track pots: colour, height', projectId)
    ;({ previewUrl } = await callProject<{ previewUrl: string }>('POST /preview', { ticketId }))
  })
  after(() => world?.close())

  const callProject = <T>(route: string, body?: object) =>
    world.person.call<T>(route.replace(' ', ` /projects/${projectId}`), body)
  const openPath = (path: string) => page.goto(world.url + path)
  const findButton = (name: string | RegExp) => page.getByRole('button', { name })
  const findVersionRows = () =>
    page.getByRole('list', { name: 'Versions, newest first' }).getByRole('listitem')

  /**
   * Reloads the preview until it has the page "Pots" (or, without `isThere`, lacks it), because the preview is published in the background.
   */
  async function waitForPots(isThere: boolean): Promise<void> {
    const visitor = await world.context.newPage()
    const until = Date.now() + PREVIEW_MS_MAX
    let has = !isThere
    while (has !== isThere && Date.now() < until) {
      await visitor.goto(previewUrl)
      const app = visitor.getByRole('heading', { name: 'Plants' }).first()
      // A page that was loaded while a new version replaced the preview may stay empty, so reload it.
      const hasStarted = await app.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      )
      if (hasStarted) has = (await visitor.getByRole('link', { name: 'Pots' }).count()) > 0
    }
    await visitor.close()
    assert.equal(has, isThere, 'the preview shows the restored version')
  }

  test('a version page shows changes per file, the key N jumps to the next one, and the key U shows both texts in columns', async () => {
    await openPath(href.versions(projectId))
    await findVersionRows().first().getByRole('link').first().click()
    const first = page.getByRole('region', { name: /app\.json/ })
    await first.locator('.cm-changedLine').first().waitFor()
    await page.getByRole('heading', { name: /\d+ files changed/ }).waitFor()
    await page.keyboard.press('n')
    await page.getByText(/^Change \d+ of \d+$/).waitFor({ state: 'attached' })
    await page.keyboard.press('u')
    await first.locator('.cm-mergeView').waitFor()
    await page.keyboard.press('u')
    await first.locator('.cm-mergeView').waitFor({ state: 'detached' })
    // With two versions, only the previous version can be compared. Choose it explicitly.
    await page.getByLabel('Compared with').selectOption({ index: 1 })
    await page.waitForURL(/base=[0-9a-f]{40}/)
    await first.locator('.cm-changedLine').first().waitFor()
    world.assertQuiet()
  })

  test('the dialog of a revert lists the files that change, and the revert updates the preview and can itself be reverted', async () => {
    const [newest, oldest] = await callProject<Version[]>('GET /versions')
    await waitForPots(true)
    await openPath(href.versions(projectId))
    await findVersionRows()
      .last()
      .getByRole('button', { name: /^Go back to/ })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { name: `Go back to ${oldest?.sha.slice(0, 7)}?` }).waitFor()
    await dialog.getByText(/^\d+ files change\. The live app stays as it is until you ship\.$/).waitFor()
    await dialog.getByText('web/pages/Pots.tsx').waitFor()
    await dialog.getByRole('button', { name: /^Go back to/ }).click()
    await page
      .getByText(/^The code is back at/)
      .first()
      .waitFor()
    await findVersionRows()
      .filter({ hasText: 'Newest' })
      .getByText(/^Revert to/)
      .waitFor()
    await assertBecomes(() => findVersionRows().count(), 3)
    await waitForPots(false)
    // Go back to the version that was just replaced.
    await findVersionRows()
      .nth(1)
      .getByRole('button', { name: `Go back to this version: ${newest?.sha.slice(0, 7)}` })
      .click()
    await dialog.getByRole('button', { name: /^Go back to/ }).click()
    await findVersionRows().nth(3).waitFor()
    await waitForPots(true)
    world.assertQuiet()
  })

  test('one click undoes a revert to an earlier version', async () => {
    await openPath(href.versions(projectId))
    await findVersionRows()
      .last()
      .getByRole('button', { name: /^Go back to/ })
      .click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Go back to/ })
      .click()
    await findButton('Undo').click()
    await page.getByText('The revert was undone.').first().waitFor()
    await findVersionRows().nth(5).waitFor()
    const [now, , before] = await callProject<Version[]>('GET /versions')
    const between = await callProject<{ files: unknown[] }>(
      `GET /versions/${now?.sha}/diff?base=${before?.sha}`,
    )
    assert.deepEqual(between.files, [])
    world.assertQuiet()
  })

  test('the newest code is backed up to the repository, and the reason is shown when a backup is refused', async () => {
    await openPath(href.versions(projectId))
    await findButton('Back up now').click()
    await page.getByText('The newest version is backed up', { exact: true }).waitFor({ timeout: 30_000 })
    await page.getByRole('link', { name: /^Repository/ }).waitFor()
    const message = 'The main branch of plants has commits that are not from this project.'
    await page.route('**/backup', (route) =>
      route.fulfill({ status: 409, json: { ok: false, error: { code: 'conflict', message } } }),
    )
    await findButton('Back up now').click()
    await page.getByRole('alert').getByText(message).waitFor()
    await page.unrouteAll()
    world.assertQuiet(/409/)
  })

  test("a link opens an app's code at a line, and choosing another line number updates the URL", async () => {
    await openPath(href.code(projectId, { path: 'app.json' }, 'L2-L3'))
    const marked = page.locator('.cm-shown-line')
    await marked.getByText('"name"').waitFor()
    assert.equal(await marked.count(), 2)
    const findLineNumber = (line: number) =>
      page.locator('.cm-lineNumbers').getByText(String(line), { exact: true })
    await findLineNumber(5).click()
    await page.waitForURL(/#L5$/)
    // The highlighted lines follow the hash of the URL.
    await assertBecomes(() => marked.count(), 1)
    await findLineNumber(7).click({ modifiers: ['Shift'] })
    await page.waitForURL(/#L5-L7$/)
    await assertBecomes(() => marked.count(), 3)
    await page.getByLabel('Go to line').fill('60')
    await page.keyboard.press('Enter')
    await page.waitForURL(/#L60$/)
    await assertBecomes(() => marked.count(), 1)
    // The link also works for a line far down that was not rendered before.
    await openPath(href.code(projectId, { path: 'package-lock.json' }, 'L700'))
    await page.locator('.cm-shown-line').waitFor()
    await page.locator('h1').focus()
    await page.keyboard.press('f')
    await page.keyboard.type('web pots')
    await page.getByText(/^1 of \d+ files$/).waitFor()
    for (const key of ['ArrowDown', 'End', 'Enter']) await page.keyboard.press(key)
    await page.waitForURL(/path=web%2Fpages%2FPots\.tsx/)
    await page.getByRole('textbox', { name: 'Code of web/pages/Pots.tsx' }).waitFor()
    await findButton('Search in this file').click()
    await page.keyboard.type('RecordForm')
    await page.locator('.cm-searchMatch').first().waitFor()
    world.assertQuiet()
  })

  test('the page of an earlier version shows its own files without later changes', async () => {
    const oldest = (await callProject<Version[]>('GET /versions')).at(-1)?.sha ?? ''
    await openPath(href.code(projectId, { sha: oldest.slice(0, 7), path: 'web/pages/Pots.tsx' }))
    await page.getByText('web/pages/Pots.tsx is not in this version').waitFor()
    await page.getByText(`As it was in version ${oldest.slice(0, 7)}.`).waitFor()
    await page.getByRole('link', { name: 'Go to the newest' }).click()
    await page.getByRole('textbox', { name: 'Code of web/pages/Pots.tsx' }).waitFor()
    world.assertQuiet()
  })

  test("the downloaded archive of an app's source contains every file", async () => {
    await openPath(href.code(projectId))
    const [download] = await Promise.all([page.waitForEvent('download'), findButton('Download zip').click()])
    const bytes = await readFile(await download.path())
    const { paths } = await callProject<{ paths: string[] }>('GET /files')
    const slug = download.suggestedFilename().replace(/\.zip$/, '')
    const missing = paths.filter((path) => !bytes.includes(`${slug}/${path}`))
    assert.ok(paths.length > 10)
    assert.deepEqual(missing, [])
    world.assertQuiet()
  })

  test('a project can be renamed, but its address cannot be changed after the first build', async () => {
    await openPath(href.projectSettings(projectId))
    await page.getByLabel('Name', { exact: true }).fill(' ')
    await findButton('Save name').click()
    await page.getByText('Enter a name.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Office plants')
    await findButton('Save name').click()
    await page.getByText('Name saved.').first().waitFor()
    assert.equal((await callProject<{ name: string }>('GET ')).name, 'Office plants')
    assert.equal(await page.getByLabel('Address', { exact: true }).isEditable(), false)
    world.assertQuiet()
  })

  test('before the first build, the code and versions pages say what they will show', async () => {
    const { id: empty } = await world.person.call<{ id: string }>('POST /projects', { name: 'Empty' })
    await openPath(href.code(empty))
    await page.getByRole('heading', { name: 'Nothing is built yet' }).waitFor()
    await openPath(href.versions(empty))
    await page.getByRole('heading', { name: 'No version yet' }).waitFor()
    world.assertQuiet()
  })
})

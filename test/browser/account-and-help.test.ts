import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { run } from '../../scripts/lib.ts'
import { assertSoundThemes } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

/** A picture of one transparent pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('help from the operator, and the deletion of an account', () => {
  let world: BrowserWorld
  const folder = mkdtempSync(join(tmpdir(), 'slipway-help-'))
  before(async () => {
    world = await openBrowserWorld({ page: { viewport: { width: 1280, height: 850 } } })
  })
  after(async () => {
    await world?.close()
    rmSync(folder, { recursive: true })
  })

  const runHelpCommand = (...args: string[]) =>
    run(process.execPath, ['scripts/admin.ts', 'help', ...args], { env: world.service.env })
  async function assertSound(page: Page, name: string) {
    await assertSoundThemes(page, name, 1280)
    await page.setViewportSize({ width: 390, height: 800 })
    await assertSoundThemes(page, name, 390)
    await page.setViewportSize({ width: 1280, height: 850 })
  }

  test('a help request with a screenshot is answered by the operator, and reopened by a reply of the user', async () => {
    const { page } = world
    const { id } = await world.person.call<{ id: string }>('POST /projects', { name: 'Plants' })
    await page.goto(world.url + href.project(id))
    // The workspace shows the button as an icon. Press it by keyboard.
    await page.getByRole('button', { name: 'Ask for help' }).first().press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Ask for help' })
    await dialog.getByLabel('What is it about?').fill('The build stops')
    await dialog.getByLabel('What happened?').fill('I press Build.\nIt stops.')
    await dialog
      .getByLabel('Add a screenshot')
      .first()
      .setInputFiles({ name: 'what I see.png', mimeType: 'image/png', buffer: PNG })
    await dialog.getByText('what I see.png').waitFor()
    await dialog.getByText('What is sent').click()
    await dialog.getByText('1280x850').waitFor()
    await assertSound(page, 'help-dialog')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'The build stops' }).waitFor()
    await page.getByText('About Plants').waitFor()
    const picture = page.getByRole('img', { name: 'Screenshot: what I see.png' })
    await picture.waitFor()
    const image = `document.querySelector('main ol img')`
    assert.equal(await page.evaluate<number>(`${image}.decode().then(() => ${image}.naturalWidth)`), 1)
    const threadId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    const own = join(folder, 'here.png')
    writeFileSync(own, PNG)
    const answered = await runHelpCommand(
      'reply',
      threadId,
      '--text',
      'Connect a model first.',
      '--pictures',
      own,
    )
    assert.equal(answered.code, 0, answered.output)
    const saved = await runHelpCommand('pictures', threadId, '--to', join(folder, 'shots'))
    assert.equal(saved.code, 0, saved.output)
    const shots = readdirSync(join(folder, 'shots'))
    assert.equal(shots.length, 2)
    for (const shot of shots) assert.deepEqual(readFileSync(join(folder, 'shots', shot)), PNG)
    const shown = await runHelpCommand('show', threadId, '--json')
    assert.match(shown.output, /"viewport": "1280x850"/)
    await page.reload()
    await page.getByText('Connect a model first.').waitFor()
    await page.getByRole('img', { name: 'Screenshot: here.png' }).waitFor()
    await assertSound(page, 'help-conversation')
    await page.getByLabel('Your message').fill('That was it.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Waiting for an answer').waitFor()
    await page.getByRole('link', { name: 'All questions' }).click()
    await page.getByRole('link', { name: 'The build stops' }).waitFor()
    await assertSound(page, 'help')
    world.assertQuiet()
  })

  test("the organization that is configured as operator gets all users' help requests in its console and replies there", async () => {
    const { page, person, service } = world
    const { organization } = await person.call<{ organization: { id: string } }>('GET /me')
    // Leave the page, because its streams would report errors while the service is stopped.
    await page.goto('about:blank')
    await service.stop()
    service.env['SLIPWAY_OPERATOR_ORGANIZATION'] = organization.id
    await service.restart()
    await page.goto(world.url + href.help())
    await page.getByRole('link', { name: 'Help desk: 1 question waits' }).click()
    await page.getByRole('link', { name: 'The build stops' }).waitFor()
    await assertSound(page, 'desk')
    await page.getByRole('link', { name: 'The build stops' }).click()
    await page.getByText('What their console says').click()
    await page.getByText('"viewport": "1280x850"').waitFor()
    await page.getByLabel('Your answer').fill('Good to hear.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Good to hear.').waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByText('Closed').waitFor()
    await assertSound(page, 'desk-conversation')
    world.assertQuiet()
  })

  test('an account with an undeletable cloud resource is deleted after the user agrees to leave the resource behind', async () => {
    const { page, email, person } = await world.enter('Dora Done')
    const { id } = await person.call<{ id: string }>('POST /projects', { name: 'Doomed' })
    await person.call('POST /projects', { name: 'Second' })
    await world.service.query(
      `insert into resources (id, org_id, project_id, tier, kind, name, account_id, state, updated_at, created_at)
       select 'res_stuck', org_id, id, 'production', 'worker', 'doomed', 'an-account-that-is-gone', 'ok', now(), now()
       from projects where id = $1`,
      [id],
    )
    await page.goto(world.url + href.account())
    await page.getByRole('link', { name: 'See what would be deleted' }).click()
    await page.getByText('Its 2 projects go too').waitFor()
    await page.getByText('Removed first from your cloud account').click()
    await assertSound(page, 'account-deletion')
    await page.getByLabel('Type your e-mail address to confirm').fill(email)
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByRole('alert').getByText('One resource could not be removed').waitFor()
    await assertSound(page, 'account-deletion-stuck')
    await page.getByRole('button', { name: 'Leave them and finish' }).click()
    await page.getByRole('heading', { name: 'Your account is deleted' }).waitFor()
    await page.getByText('an-account-that-is-gone').waitFor()
    await assertSound(page, 'account-deletion-done')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    assert.equal((await person.request('GET /me')).status, 401)
  })
})

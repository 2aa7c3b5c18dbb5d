import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Download, Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { assertSoundThemes } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

const EXPORT = '**/api/v1/account/export'

describe('the export of an organization', () => {
  let world: BrowserWorld
  let page: Page
  before(async () => {
    world = await openBrowserWorld({ page: { viewport: { width: 1280, height: 850 } } })
    page = world.page
  })
  after(() => world?.close())

  const exportSection = () => page.getByRole('region', { name: 'Export' })
  const pressInSection = (name: string) => exportSection().getByRole('button', { name }).click()

  test('the export of an empty organization is saved, and the console says that it contains no projects', async () => {
    await page.goto(world.url + href.organization())
    const download = page.waitForEvent('download')
    await pressInSection('Export everything')
    await download
    await exportSection()
      .getByText(/^Saved: [\d.]+ k?B, complete\.$/)
      .first()
      .waitFor()
    await exportSection().getByText('There are no projects in it yet.').waitFor()
  })

  test('the export of an organization is a file with all of its data, and the console shows how many entries of each kind it has', async () => {
    const { id } = await world.person.call<{ id: string }>('POST /projects', { name: 'Office plants' })
    for (const title of ['Water "them"', 'Repot them'])
      await world.person.call(`POST /projects/${id}/tickets`, { title })
    const downloading = page.waitForEvent('download')
    await pressInSection('Export again')
    const download = await downloading
    assert.match(download.suggestedFilename(), /^[a-z0-9-]+-\d{4}-\d{2}-\d{2}\.ndjson$/)
    const lines = await linesOf(download)
    assert.equal(lines[0]?.['kind'], 'export')
    assert.deepEqual(
      lines.filter(({ kind }) => kind === 'ticket').map(({ title }) => title),
      ['Water "them"', 'Repot them'],
    )
    assert.equal(lines.at(-1)?.['kind'], 'end')
    const held = exportSection().getByLabel('What the file holds')
    assert.equal(await held.getByText('Tickets').locator('xpath=following-sibling::dd').innerText(), '2')
    await assertSoundThemes(page, 'account-export', 1280)
    await page.setViewportSize({ width: 390, height: 800 })
    await exportSection().scrollIntoViewIfNeeded()
    await assertSoundThemes(page, 'account-export', 390)
    await page.setViewportSize({ width: 1280, height: 850 })
    world.assertQuiet()
  })

  test('an export whose response lacks its last line is not saved, and the console says that it is incomplete', async () => {
    await page.route(EXPORT, (route) =>
      route.fulfill({ contentType: 'application/x-ndjson', body: '{"kind":"export"}\n{"kind":"project"}\n' }),
    )
    let saved = 0
    const countDownload = () => void (saved += 1)
    page.on('download', countDownload)
    await pressInSection('Export again')
    await exportSection().getByRole('alert').getByText('This file is incomplete').waitFor()
    await page.unroute(EXPORT)
    page.off('download', countDownload)
    assert.equal(saved, 0)
  })

  test('a running export of an organization can be cancelled', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(EXPORT, async (route) => {
      await held
      await route.abort().catch(() => {})
    })
    await page.reload()
    await pressInSection('Export everything')
    await exportSection().getByText('Waiting for the first lines.').first().waitFor()
    await pressInSection('Stop')
    await exportSection().getByRole('button', { name: 'Export everything' }).waitFor()
    assert.equal(await exportSection().getByRole('alert').count(), 0)
    release()
    await page.unroute(EXPORT)
  })

  test('the fourth export of an organization within a minute is refused with the time to wait', async () => {
    for (let n = 0; n < 3; n++) await (await world.person.request('GET /account/export')).body?.cancel()
    await pressInSection('Export everything')
    await exportSection().getByRole('alert').getByText('Nothing was saved').waitFor()
    await exportSection()
      .getByRole('button', { name: /^Trying again in \d+ s$/ })
      .waitFor()
    await assertSoundThemes(page, 'account-export-refused', 1280)
  })

  test('a member cannot export the organization, and the console says so', async () => {
    const member = await world.enter('Bob Builder')
    const { id } = await world.person
      .call<{ organization: { id: string } }>('GET /me')
      .then((me) => me.organization)
    const invited = await fetch(`${world.url}/api/auth/organization/invite-member`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: world.url,
        cookie: world.person.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
      },
      body: JSON.stringify({ email: member.email, role: 'member', organizationId: id }),
    })
    assert.equal(invited.status, 200)
    await member.person.accept(((await invited.json()) as { id: string }).id)
    await member.page.goto(world.url + href.organization())
    const own = member.page.getByRole('region', { name: 'Export' })
    await own.getByText('Owners and admins can export it.').waitFor()
    assert.equal(
      await own.getByRole('button', { name: 'Export everything' }).getAttribute('aria-disabled'),
      'true',
    )
  })
})

async function linesOf(download: Download): Promise<Record<string, unknown>[]> {
  const text = await readFile(await download.path(), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { assertBecomes, assertSoundSizes, assertSoundThemes } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

describe('the pages of a project', () => {
  let world: BrowserWorld
  let page: Page
  let projectId: string
  let subdomain: string

  before(async () => {
    world = await openBrowserWorld({ page: { viewport: { width: 1280, height: 850 } } })
    page = world.page
    projectId = (await world.build('Track the plants in my office: name, room, last watered date')).projectId
    const connections = await world.person.call<{ cloudflare: { account: { subdomain: string } } }>(
      'GET /connections',
    )
    subdomain = connections.cloudflare.account.subdomain
  })
  after(() => world?.close())

  const openPath = (path: string) => page.goto(world.url + path)
  const findButton = (name: string | RegExp) => page.getByRole('button', { name })
  const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name })
  const findHeading = (name: string | RegExp) => page.getByRole('heading', { name })

  test('the console shows what a capability uses before it is enabled, and validates and saves its settings', async () => {
    await openPath(href.capabilities(projectId))
    await findHeading('Assets').getByRole('link').click()
    await findButton('Turn on').click()
    await page.getByRole('dialog').getByText('The storage of files', { exact: false }).waitFor()
    await inDialog('Turn on').click()
    await page.getByText('Changes are live after the next ship.').waitFor()
    await page.getByLabel('Seconds a browser keeps it').fill('-1')
    await findButton('Save settings').click()
    await page.getByText('At least 0.').waitFor()
    await page.getByLabel('Seconds a browser keeps it').fill('60')
    await page.getByText('At least 0.').waitFor({ state: 'detached' })
    const isSaved = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok())
    await Promise.all([isSaved, findButton('Save settings').click()])
    await page.reload()
    assert.equal(await page.getByLabel('Seconds a browser keeps it').inputValue(), '60')
    world.assertQuiet()
  })

  test('unsaved settings of a capability survive a visit to another page, and are shown beside the values that others saved', async () => {
    const seconds = page.getByLabel('Seconds a browser keeps it')
    await openPath(href.capability(projectId, 'assets'))
    await seconds.fill('300')
    await page.getByText('1 unsaved change.').waitFor()
    await page.getByRole('link', { name: 'Capabilities' }).first().click()
    await findHeading('Assets').waitFor()
    await world.person.call(`PUT /projects/${projectId}/capabilities/assets`, {
      enabled: true,
      settings: { cacheSeconds: 90 },
    })
    await findHeading('Assets').getByRole('link').click()
    await page.getByText('was saved with another value').waitFor()
    assert.equal(await seconds.inputValue(), '300')
    await assertSoundSizes(page, 'capability-unsaved')
    await findButton('Discard changes').click()
    await assertBecomes(() => seconds.inputValue(), '90')
    await page.reload()
    assert.equal(await seconds.inputValue(), '90')
    world.assertQuiet()
  })

  test('the page of a capability names the capabilities that are disabled with it, before and after it is disabled', async () => {
    // No capability currently depends on another, so the test adds a dependency to the responses.
    const path = `/api/v1/projects/${projectId}/capabilities`
    const isList = (url: URL) => url.pathname === path
    const isData = (url: URL) => url.pathname === `${path}/data`
    await page.route(isList, async (route) => {
      const answer = await route.fetch()
      const { data } = (await answer.json()) as { data: { key: string; enabled: boolean }[] }
      const withHook = data.map((one) => (one.key === 'hook' ? { ...one, enabled: true } : one))
      await route.fulfill({ response: answer, json: { data: withHook } })
    })
    await page.route(isData, async (route) => {
      const answer = await route.fetch({ method: 'GET' })
      const { data } = (await answer.json()) as { data: object }
      const isWrite = route.request().method() === 'PUT'
      const changed = isWrite ? { enabled: false, alsoOff: ['hook'] } : {}
      await route.fulfill({ response: answer, json: { data: { ...data, ...changed } } })
    })
    await openPath(href.capability(projectId, 'data'))
    await findButton('Turn off').click()
    await page.getByText('This also turns off Incoming webhooks, which cannot work without it.').waitFor()
    await assertSoundThemes(page, 'capability-off', 1280)
    await inDialog('Turn off').click()
    await page.getByText('Data and live updates turned off, and with it Incoming webhooks').first().waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    world.assertQuiet()
  })

  test('records of the live app are searched, edited by form and JSON, and deleted', async () => {
    await openPath(href.capability(projectId, 'data', { tab: 'live' }))
    await findHeading('Ship once to see it').waitFor()
    world.assertQuiet(/404/)
    const { url } = await world.person.call<{ url: string }>(`POST /projects/${projectId}/deploy`)
    await addPlant(url, 'Monstera')
    await openPath(href.capability(projectId, 'data', { tab: 'live' }))
    await findHeading('Plants').getByRole('link').click()
    await findButton('Open record Monstera').click()
    await page.getByRole('dialog').getByLabel('Room').fill('Hall')
    await inDialog('JSON').click()
    assert.match(await page.getByLabel('Record as JSON').inputValue(), /"room": "Hall"/)
    await inDialog('Save record').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'Hall' }).waitFor()
    await findButton('Open record Monstera').click()
    await inDialog('Delete record').click()
    await findHeading('Delete this record?').waitFor()
    await inDialog('Delete record').click()
    await findHeading('No records yet').waitFor()
    world.assertQuiet()
  })

  test('an asset file of an app is uploaded, linked to its URL, can get an access rule, and is deleted', async () => {
    await openPath(href.assets(projectId))
    await findHeading('No assets yet').waitFor()
    await page.getByLabel('Folder').fill('img')
    await page.getByLabel('Choose files').setInputFiles([
      { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
      { name: 'nothing.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
    ])
    await page.getByText('nothing.txt is empty').waitFor()
    const link = page.getByRole('link', { name: 'Open img/logo.svg' })
    await link.waitFor()
    assert.match((await link.getAttribute('href')) ?? '', /\/_app\/assets\/img\/logo\.svg$/)
    await findButton(/^Everyone: change/).click()
    await page.getByRole('radio', { name: /^Members/ }).check()
    await inDialog('Save access').click()
    await page.getByRole('dialog').getByText('capability auth', { exact: false }).waitFor()
    await page.keyboard.press('Escape')
    await findButton('Delete img/logo.svg').click()
    await inDialog('Delete asset').click()
    await findHeading('No assets yet').waitFor()
    world.assertQuiet(/400/)
  })

  test('a custom domain is attached, gets a certificate, and is removed after its name is typed', async () => {
    const hostname = `app.${subdomain}-demo.localhost`
    await openPath(href.domain(projectId))
    await findButton('Set domain').click()
    await page.getByText('Enter a host name, like').waitFor()
    await page.getByLabel('Host name').fill(`http://${hostname}/`)
    await page.keyboard.press('Enter')
    await findHeading('Ready to attach').waitFor()
    await findButton('Attach domain').click()
    await findHeading(/Ordering the certificate|Your domain is live/).waitFor()
    await findButton('Check again').click()
    await findButton(/^Check again in \d+ s$/).waitFor()
    // The page polls only every 30 s. This request makes the service check now, and the page then shows the new result.
    const checkDomain = () =>
      world.person.call<{ state: string }>(`GET /projects/${projectId}/domain/status?fresh=1`)
    await assertBecomes(async () => (await checkDomain()).state, 'active')
    await page.reload()
    await findHeading('Your domain is live').waitFor()
    await findButton('Remove domain').click()
    assert.ok(await inDialog('Remove domain').isDisabled())
    await page.getByLabel(`Type ${hostname} to confirm`).fill(hostname)
    await inDialog('Remove domain').click()
    await findHeading('No domain yet').waitFor()
    world.assertQuiet()
  })

  test('the activity log lists changes, has its filter in the URL, and is saved as CSV', async () => {
    await openPath(href.activity({ project: projectId }))
    await page.getByText('domain.removed', { exact: false }).first().waitFor()
    const saved = page.waitForEvent('download')
    await findButton('Export CSV').click()
    const csv = readFileSync(await (await saved).path(), 'utf8')
    assert.match(csv, /^when,provider,actor,action,target,status,project,detail\n/)
    await openPath(href.activity({ from: '1999-01-01', to: '1999-01-02' }))
    await findHeading('No change matches these filters').waitFor()
    await findButton('Clear filters').first().click()
    await page.getByText('connection.connected').first().waitFor()
    assert.equal(new URL(page.url()).search, '')
    world.assertQuiet()
  })

  async function addPlant(url: string, name: string): Promise<void> {
    const app = await world.context.newPage()
    await app.goto(url)
    await app.getByRole('button', { name: 'Add plant', exact: true }).first().click()
    await app.getByLabel(/^Name/).fill(name)
    await app.getByLabel(/^Room/).fill('Kitchen')
    await app.getByRole('dialog').getByRole('button', { name: 'Add plant' }).click()
    await app.getByText(name).first().waitFor()
    await app.close()
  }
})

import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { verifyWebhook } from '../../sdk/webhook.ts'
import { Person } from '../support/client.ts'
import { assertBecomes, assertSoundThemes, PASSWORD } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

describe('the settings of an organization', () => {
  let world: BrowserWorld
  let page: Page
  let projectId: string

  before(async () => {
    world = await openBrowserWorld({
      page: { viewport: { width: 1280, height: 850 }, permissions: ['clipboard-read', 'clipboard-write'] },
    })
    page = world.page
    projectId = (await world.person.call<{ id: string }>('POST /projects', { name: 'Office plants' })).id
  })
  after(() => world?.close())

  const openPath = (path: string) => page.goto(world.url + path)
  const findButton = (name: string | RegExp) => page.getByRole('button', { name })
  const findDialog = () => page.getByRole('dialog')
  const inDialog = (name: string) => findDialog().getByRole('button', { name })

  test('the link of an invitation can be copied again, and the invitation can be resent and cancelled', async () => {
    await openPath(href.members())
    await page.getByText('The only owner. Make another member an owner first.').waitFor()
    await findButton('Invite member').click()
    await findDialog().getByLabel('E-mail').fill('ada@example.test')
    await inDialog('Create invitation').click()
    await findDialog().getByText('This address already belongs to a member.').waitFor()
    await findDialog().getByLabel('E-mail').fill('grace@example.test')
    await findDialog().getByLabel('Role').selectOption('admin')
    await inDialog('Create invitation').click()
    const link = await findDialog()
      .getByText(/\/invite\//)
      .innerText()
    await inDialog('Done').click()
    await findButton('Copy link for grace@example.test').click()
    await assertBecomes(() => page.evaluate<string>('navigator.clipboard.readText()'), link)
    const { role, status } = await world.person.call<{ role: string; status: string }>(
      `GET /invitations/${link.split('/').at(-1)}`,
    )
    assert.deepEqual([role, status], ['admin', 'pending'])
    await findButton('Resend').click()
    await page.getByText('The invitation for grace@example.test works for 7 more days.').first().waitFor()
    await findButton('Cancel invitation').click()
    await inDialog('Cancel invitation').click()
    await page.getByText('No open invitations.').waitFor()
    world.assertQuiet(/400/)
  })

  test("a member's role is changed and the member is removed, each after the consequence was shown", async () => {
    await findButton('Invite member').click()
    await findDialog().getByLabel('E-mail').fill('bob@example.test')
    await inDialog('Create invitation').click()
    const link = await findDialog()
      .getByText(/\/invite\//)
      .innerText()
    await inDialog('Done').click()
    const bob = await Person.signUp(world.url, 'bob@example.test', 'Bob')
    await bob.accept(link.split('/').at(-1) ?? '')
    await page.reload()
    await page.getByLabel('Role of Bob').selectOption('admin')
    await findDialog().getByText('Admins also change members').waitFor()
    await inDialog('Change role').click()
    await findDialog().waitFor({ state: 'detached' })
    await assertBecomes(() => page.getByLabel('Role of Bob').inputValue(), 'admin')
    const key = await bob.request('POST /keys', { name: 'Build machine' })
    const hook = { url: 'https://example.com/hook', events: ['*'] }
    assert.deepEqual([key.status, (await bob.request('POST /webhooks', hook)).status], [200, 200])
    await findButton('Remove Bob').click()
    await findDialog().getByText('Their next request is refused.').waitFor()
    await findDialog()
      .getByText(/Build machine \(svk_/)
      .waitFor()
    await findDialog().getByText('example.com').waitFor()
    await findDialog().getByLabel('Their API keys').selectOption('hand_over')
    await findDialog().getByText('A handed-over key keeps working').waitFor()
    await findDialog().getByLabel('Their webhooks').selectOption('remove')
    await assertSoundThemes(page, 'members-remove', 1280)
    await page.setViewportSize({ width: 390, height: 800 })
    await assertSoundThemes(page, 'members-remove', 390)
    await page.setViewportSize({ width: 1280, height: 850 })
    await inDialog('Remove member').click()
    await page.getByText('bob@example.test').waitFor({ state: 'detached' })
    assert.equal((await bob.request('GET /projects')).status, 403)
    const listRoute = (route: string) => world.person.call<{ url?: string }[]>(route)
    assert.equal((await listRoute('GET /keys')).length, 1)
    assert.deepEqual(await listRoute('GET /webhooks'), [])
    world.assertQuiet()
  })

  test('a webhook receiver gets an event with a valid signature, which the signature checker confirms', async () => {
    const receiver = await openReceiver()
    try {
      await openPath(href.webhooks())
      await findButton('Add webhook').click()
      await findDialog().getByLabel('Address').fill('http://10.0.0.1/hook')
      await inDialog('Add webhook').click()
      await findDialog()
        .getByText(/SLIPWAY_OUTBOUND_ALLOW if Slipway may connect to it/)
        .waitFor()
      await findDialog().getByLabel('Address').fill(receiver.url)
      await findDialog().getByText('Choose events').click()
      await inDialog('Add webhook').click()
      await findDialog().getByText('Choose at least one event.').waitFor()
      await findDialog().getByLabel('A ticket is opened').check()
      await inDialog('Add webhook').click()
      const secret = await findDialog()
        .getByText(/^whsec_/)
        .innerText()
      // Neither Escape nor a click outside closes the dialog that shows the secret.
      await page.keyboard.press('Escape')
      await inDialog('I have saved it').click()
      await page.getByText('nothing delivered yet').waitFor()
      await assertBecomes(() => page.getByText(secret).count(), 0)

      await page.getByText('Make a real event').click()
      await findButton('Create test ticket').click()
      await page.getByText(`Delivered to ${receiver.url}.`).waitFor()
      await page.getByText(/last success/).waitFor()
      const { header, body } = await receiver.delivery
      const event = await verifyWebhook({ payload: body, header, secret })
      assert.deepEqual([event.type, event.data['title']], ['ticket.created', 'Webhook test'])

      await page.getByText('Check a signature').click()
      await page.getByLabel('Signing secret').fill(secret)
      await page.getByLabel('Service-Signature').fill(header)
      await page.getByLabel('Raw body').fill(body)
      await findButton('Check signature').click()
      await page.getByText('The signature is right: a ticket.created event.').waitFor()
      await page.getByLabel('Raw body').fill(`${body} `)
      await findButton('Check signature').click()
      await page.getByText(/^Wrong secret, or changed bytes/).waitFor()

      await findButton(`Delete ${receiver.url}`).click()
      await inDialog('Delete webhook').click()
      await page.getByText('No webhooks yet').waitFor()
      world.assertQuiet(/400/)
    } finally {
      receiver.server.close()
    }
  })

  test('an idea posted from the console becomes a ticket, and an ingest source (an address that takes ideas) can be removed', async () => {
    await openPath(href.ingest())
    await findButton('Add source').click()
    await inDialog('Add source').click()
    await findDialog().getByLabel('Idea', { exact: true }).fill('Water the ferns twice')
    await inDialog('Post idea').click()
    await findDialog().getByText('Accepted.').waitFor()
    const searchFerns = async () => {
      const path = `/projects/${projectId}/tickets/search?q=ferns`
      const { items } = await world.person.call<{ items: Ticket[] }>(`GET ${path}`)
      return items.map(({ title, source }) => [title, source])
    }
    await assertBecomes(searchFerns, [['Water the ferns twice', 'ingest']])
    await inDialog('I have saved it').click()
    await findButton('Remove the source of Office plants').click()
    await findDialog().getByText('Its address then returns 404.').waitFor()
    await inDialog('Remove source').click()
    await page.getByText('No ingest sources yet').waitFor()
    world.assertQuiet()
  })

  test('unsaved security settings are kept in the form when the IP address of the user changes meanwhile', async () => {
    const { page, context, assertQuiet } = await world.open('Ada')
    await page.clock.install()
    await page.goto(world.url + href.security())
    const list = page.getByLabel('Allowed addresses')
    await list.fill('192.0.2.7')
    await page.route('**/api/v1/security', async (route) => {
      const answer = await route.fetch()
      const { data } = (await answer.json()) as { data: object }
      await route.fulfill({ response: answer, json: { data: { ...data, callerAddress: '203.0.113.9' } } })
    })
    // When the window gets the focus, data older than a minute is fetched again.
    await page.clock.fastForward(60_000)
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
    await page.getByText('203.0.113.9').waitFor()
    assert.equal(await list.inputValue(), '192.0.2.7')
    assertQuiet()
    await context.close()
  })

  test("an IP list without the user's address is refused at its field, and a shorter session duration signs everyone out", async () => {
    await openPath(href.security())
    const list = page.getByLabel('Allowed addresses')
    await list.fill('192.0.2.7')
    await findButton('Save settings').click()
    await inDialog('Save settings').click()
    await page.getByText(/^Must contain the address you are calling from/).waitFor()
    await findButton('Add it').click()
    await findButton('Save settings').click()
    await inDialog('Save settings').click()
    await page.getByText('Security settings saved.').first().waitFor()
    // After saving, the form shows the stored values and its button is disabled.
    await findButton('Save settings').and(page.locator('[aria-disabled=true]')).waitFor()
    assert.match(await list.inputValue(), /^192\.0\.2\.7\n/)

    await page.getByLabel('Sessions end').selectOption('7')
    await findButton('Save settings').click()
    await findDialog().getByText('Every member is signed out, you too').waitFor()
    await inDialog('Save and sign everyone out').click()
    await page.waitForURL(/\/sign-in\?next=%2Fsettings%2Fsecurity/)
    world.assertQuiet(/400|401/)
    await page.getByLabel('E-mail').fill('ada@example.test')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(/\/settings\/security/)
    await assertBecomes(() => page.getByLabel('Sessions end').inputValue(), '7')
    world.assertQuiet(/401/)
  })
})

interface Ticket {
  title: string
  source: string
}

/** Opens a webhook receiver that accepts one delivery. */
async function openReceiver(): Promise<{
  url: string
  server: Server
  delivery: Promise<{ header: string; body: string }>
}> {
  const { promise: delivery, resolve } = Promise.withResolvers<{ header: string; body: string }>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.writeHead(204).end()
      resolve({
        header: String(request.headers['service-signature']),
        body: Buffer.concat(chunks).toString(),
      })
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}/slipway`, server, delivery }
}

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { assertBecomes, assertSoundThemes, sidewaysOf } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

interface Status {
  sending: Record<string, unknown>
}

const PHONE = { width: 390, height: 844 }
const DESK = { width: 1280, height: 850 }

/** The mail of an app is set up from nothing; the tests continue each other. */
describe('setting up the mail of an app, in the browser', () => {
  let world: BrowserWorld
  let page: Page
  let projectId: string
  const open = () => page.goto(world.url + href.capability(projectId, 'email', { tab: 'live' }))

  before(async () => {
    world = await openBrowserWorld({ page: { viewport: DESK } })
    page = world.page
    const { person } = world
    ;({ id: projectId } = await person.call<{ id: string }>('POST /projects', { name: 'Cake shop' }))
    const path = `/projects/${projectId}/capabilities/email`
    await person.call(`PUT ${path}`, { enabled: true })
    const state = async () =>
      (await person.call<{ provision: { state: string } }>(`GET ${path}`)).provision.state
    await assertBecomes(state, 'idle')
  })
  after(() => world?.close())

  async function assertSound(name: string, shown?: string): Promise<void> {
    for (const size of [DESK, PHONE]) {
      await page.setViewportSize(size)
      if (shown !== undefined) await page.getByText(shown).scrollIntoViewIfNeeded()
      await assertSoundThemes(page, name, size.width)
      assert.equal(await sidewaysOf(page), 0, `${name} at ${size.width}`)
    }
    await page.setViewportSize(DESK)
  }

  test('before a domain is chosen, mail stays on the machine and mailboxes wait for a domain', async () => {
    await open()
    await page.getByRole('heading', { name: 'Mail stays on this machine' }).waitFor()
    await page.getByText('Set up a domain first.').waitFor()
    await assertSound('mail-none')
  })

  test('a domain is set up, and checked until mail is sent from it', async () => {
    await page.getByRole('textbox', { name: 'Sender' }).fill('hello')
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByRole('heading', { name: 'Waiting for the domain' }).waitFor()
    await assertSound('mail-pending')
    // The local cloud has seen the records after three seconds.
    await page.waitForTimeout(3_000)
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByRole('heading', { name: 'Mail is sent' }).waitFor()
    await page.getByText(/^hello@/).waitFor()
    await page.getByText(/declares no collection for mail/).waitFor()
    await assertSound('mail-verified')
    // The app is not live yet, so it has no list of mail.
    world.assertQuiet(/404 .*\/email\/mails\?/)
  })

  test('records that are missing are listed with what has to be copied, and mail that does not arrive is named', async () => {
    await page.route('**/email/status', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { data: Status }
      const dns = (body.data.sending['dns'] as object[]).map((one, at) => ({ ...one, present: at > 1 }))
      body.data.sending = { ...body.data.sending, state: 'pending', from: null, dns }
      const address = `orders@${String(body.data.sending['domain'])}`
      const mailboxes = [{ localPart: 'orders', address, collection: 'letters', notify: true }]
      Object.assign(body.data, { routing: 'misconfigured', mailboxes, collections: ['letters'] })
      await route.fulfill({ response: answer, json: body })
    })
    await open()
    await page.getByRole('heading', { name: 'DNS records are missing' }).waitFor()
    assert.equal(await page.getByRole('button', { name: /^Copy the value of/ }).count(), 2)
    await page.getByText(/^Mail does not arrive/).waitFor()
    await assertSound('mail-missing')
  })

  test('mail of the live app is listed with its state, and with the reason why it was not sent', async () => {
    const at = new Date().toISOString()
    const mail = { kind: 'app', subject: 'Your order is on its way', attempts: 1, error: null, createdAt: at }
    const long = `${'a-very-long-name'.repeat(4)}@example.com`
    const error = `The recipient ${long} does not exist.`
    const mails = [
      { ...mail, id: 'mail_4', to: ['ann@example.com'], state: 'waiting', attempts: 0, sentAt: null },
      { ...mail, id: 'mail_3', to: ['bob@example.com'], subject: null, state: 'sent', sentAt: at },
      { ...mail, id: 'mail_2', to: [long], state: 'failed', attempts: 7, error, sentAt: null },
      { ...mail, id: 'mail_1', to: ['ann@example.com', 'bob@example.com'], state: 'sent', sentAt: at },
    ]
    await page.route('**/email/mails?*', (route) => route.fulfill({ json: { data: mails } }))
    await open()
    await page.getByText(/^given up/).waitFor()
    await page.getByText('Code or link to sign in').waitFor()
    await assertSound('mail-list', 'ann@example.com, bob@example.com')
  })
})

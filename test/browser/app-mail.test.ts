import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { finish, type ScriptedStep, write } from '../support/scripted-model.ts'
import { assertSoundThemes, sidewaysOf } from './browser.ts'
import { chooseScriptedModel } from './scripted-project.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Cake shop',
  uses: ['data', 'email'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Letters' }],
  collections: {
    letters: {
      partition: 'app',
      read: 'staff',
      write: 'nobody',
      fields: { from: { type: 'text' }, subject: { type: 'text' }, text: { type: 'text', as: 'long' } },
    },
  },
  mailboxes: [{ collection: 'letters' }],
}
const HOME = `import { Page } from '@slipway/app/react'

export default () => <Page title="Letters">Write to us.</Page>
`
const STEPS: ScriptedStep[] = [
  {
    toolCalls: [
      { name: 'enable_capability', args: { key: 'data' } },
      { name: 'enable_capability', args: { key: 'email' } },
      write('app.json', JSON.stringify(MANIFEST)),
      write('web/pages/Home.tsx', HOME),
    ],
  },
  { toolCalls: [finish('Letters are kept.')], repeat: true },
]
const PHONE = { width: 390, height: 844 }
const DESK = { width: 1280, height: 850 }

/** The mail of an app is set up from nothing to a mailbox; the tests continue each other. */
describe('setting up the mail of an app, in the browser', () => {
  let world: BrowserWorld
  let page: Page
  let projectId: string
  const open = () => page.goto(world.url + href.capability(projectId, 'email', { tab: 'live' }))

  before(async () => {
    world = await openBrowserWorld({ page: { viewport: DESK } })
    page = world.page
    const { person, model } = world
    ;({ id: projectId } = await person.call<{ id: string }>('POST /projects', { name: 'Cake shop' }))
    await chooseScriptedModel({ person, model }, { projectId, steps: STEPS })
    const tickets = `/projects/${projectId}/tickets`
    const { id } = await person.call<{ id: string }>(`POST ${tickets}`, { title: 'Letters are kept' })
    const built = await person.call<{ status: string }>(`POST ${tickets}/${id}/build`, {})
    assert.equal(built.status, 'built')
  })
  after(() => world?.close())

  async function assertSound(name: string): Promise<void> {
    for (const size of [DESK, PHONE]) {
      await page.setViewportSize(size)
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
    await page.getByLabel('Sender').fill('hello')
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByRole('heading', { name: 'Waiting for the domain' }).waitFor()
    await assertSound('mail-pending')
    const verified = page.getByRole('heading', { name: 'Mail is sent' })
    const check = page.getByRole('button', { name: 'Check again' })
    for (let tries = 0; tries < 20 && !(await verified.isVisible()); tries++) {
      if (await check.isVisible()) await check.click()
      await page.waitForTimeout(1000)
    }
    await verified.waitFor()
    await page.getByText(/^hello@/).waitFor()
  })

  test('a mailbox is added and its mail arrives', async () => {
    await page.getByLabel('Address').fill('orders')
    await page.getByLabel('Send a notice of new mail').check()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'orders@' })
      .getByText('letters · with notice')
      .waitFor()
    await page.getByText('Mail arrives.').waitFor()
    await assertSound('mail-verified')
    world.assertQuiet()
  })

  test('records that are missing are listed with what has to be copied', async () => {
    await page.route('**/email/status', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { data: { sending: Record<string, unknown>; routing: string } }
      const dns = (body.data.sending['dns'] as object[]).map((one, at) => ({ ...one, present: at > 1 }))
      body.data.sending = { ...body.data.sending, state: 'pending', from: null, dns }
      body.data.routing = 'misconfigured'
      await route.fulfill({ response: answer, json: body })
    })
    await open()
    await page.getByRole('heading', { name: 'DNS records are missing' }).waitFor()
    assert.equal(await page.getByRole('button', { name: /^Copy the value of/ }).count(), 2)
    await assertSound('mail-missing')
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../../console/routes.ts'
import { type MailServer, openMailServer, readMail } from '../../../server/testing/providers/mail-server.ts'
import { finish, type ScriptedStep, write } from '../../support/scripted-model.ts'
import { press, signUpInApp } from './visitors.ts'
import { assertBecomes, assertSoundThemes, horizontalOverflowPx } from '../browser.ts'
import { chooseScriptedModel } from '../scripted-project.ts'
import { type BrowserWorld, openBrowserWorld } from '../world.ts'

interface Status {
  sending: Record<string, unknown>
}

const PHONE = { width: 390, height: 844 }
const DESK = { width: 1280, height: 850 }

const MANIFEST = {
  slipway: 1,
  name: 'Cake shop',
  uses: ['auth', 'data', 'email'],
  pages: [
    { path: '/', file: 'Home.tsx', title: 'Cake news' },
    { path: '/write', file: 'Write.tsx', title: 'Write', access: 'staff' },
    { path: '/leave', file: 'Leave.tsx', title: 'Leave' },
  ],
  collections: {
    readers: {
      partition: 'app',
      read: 'staff',
      write: 'nobody',
      fields: { email: { type: 'text', required: true, unique: true } },
    },
    letters: {
      partition: 'app',
      read: 'staff',
      write: 'nobody',
      fields: { from: { type: 'text' }, subject: { type: 'text' }, text: { type: 'text', as: 'long' } },
    },
  },
  mailboxes: [{ collection: 'letters' }],
}
const HOME = `import { useState } from 'react'
import { api, Button, Notice, Page, TextField } from '@slipway/app/react'

export default () => {
  const [email, setEmail] = useState('')
  const [done, setDone] = useState(false)
  const join = () => api.post('/api/readers', { email }).then(() => setDone(true))
  return (
    <Page title="Cake news">
      <TextField label="Your email" value={email} onChange={setEmail} />
      <Button onClick={() => void join()}>Subscribe</Button>
      {done && <Notice>You get the next letter.</Notice>}
    </Page>
  )
}
`
const WRITE = `import { useState } from 'react'
import { api, Button, Notice, Page, RecordList, TextField } from '@slipway/app/react'

export default () => {
  const [text, setText] = useState('')
  const [sent, setSent] = useState<number | null>(null)
  const send = () => api.post<{ readers: number }>('/api/issues', { text }).then(({ readers }) => setSent(readers))
  return (
    <Page title="Write">
      <TextField label="This week" value={text} onChange={setText} />
      <Button onClick={() => void send()}>Send to all</Button>
      {sent !== null && <Notice>Sent to {sent}.</Notice>}
      <RecordList collection="letters" />
    </Page>
  )
}
`
const LEAVE = `import { useState } from 'react'
import { api, Button, Notice, Page } from '@slipway/app/react'

export default () => {
  const [done, setDone] = useState(false)
  const reader = new URLSearchParams(location.search).get('reader')
  const leave = () => api.post('/api/leave', { reader }).then(() => setDone(true))
  return (
    <Page title="Leave">
      <Button onClick={() => void leave()}>Unsubscribe</Button>
      {done && <Notice>You get no more letters.</Notice>}
    </Page>
  )
}
`
const ROUTES = `import { auth, data, email } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/readers', async (c) => {
  const { email } = await c.req.json<{ email: string }>()
  await data.system.upsert('readers', 'email', { email })
  return c.json({})
})
routes.post('/issues', async (c) => {
  await auth.require(c.req.raw, { role: 'staff' })
  const { text } = await c.req.json<{ text: string }>()
  const origin = new URL(c.req.url).origin
  let readers = 0
  for await (const { id, email: to } of data.system.all('readers')) {
    await email.send({ to, subject: 'Cake news', text: text + '\\n\\nNo more letters: ' + origin + '/leave?reader=' + id })
    readers += 1
  }
  return c.json({ readers })
})
routes.post('/leave', async (c) => {
  const { reader } = await c.req.json<{ reader: string }>()
  await data.system.remove('readers', reader)
  return c.json({})
})
`
const TEST = `import { app, expect, test } from '@slipway/app/testing'

test('a subscriber gets the newsletter, and the unsubscribe link in it removes the subscriber from the list', async () => {
  await app.post('/api/readers', { email: 'ann@example.com' })
  const editor = await app.signUp('Eve', { role: 'staff' })
  await editor.post('/api/issues', { text: 'Plum cake.' })
  const [mail] = await app.mail()
  expect(mail.to).toEqual(['ann@example.com'])
  await app.post('/api/leave', { reader: mail.links[0].split('=')[1] })
  expect((await app.system.list('readers')).items.length).toBe(0)
})
`
const STEPS: ScriptedStep[] = [
  {
    toolCalls: [
      ...['auth', 'data', 'email'].map((key) => ({ name: 'enable_capability', args: { key } })),
      write('app.json', JSON.stringify(MANIFEST)),
      write('web/pages/Home.tsx', HOME),
      write('web/pages/Write.tsx', WRITE),
      write('web/pages/Leave.tsx', LEAVE),
      write('server/routes.ts', ROUTES),
      write('tests/news.test.ts', TEST),
    ],
  },
  { toolCalls: [finish('Readers get a letter.')], repeat: true },
]

/** Mail is set up, sent and replied to. Each test depends on the tests before it. */
describe('mail of an app, from its set-up to an answer, in the browser', () => {
  let world: BrowserWorld
  let sink: MailServer
  let page: Page
  let projectId: string
  const openLiveTab = () => page.goto(world.url + href.capability(projectId, 'email', { tab: 'live' }))

  before(async () => {
    sink = await openMailServer()
    world = await openBrowserWorld({ page: { viewport: DESK }, env: { SLIPWAY_LOCAL_SMTP_URL: sink.url } })
    page = world.page
    const { person } = world
    ;({ id: projectId } = await person.call<{ id: string }>('POST /projects', { name: 'Cake shop' }))
    const path = `/projects/${projectId}/capabilities/email`
    await person.call(`PUT ${path}`, { enabled: true })
    const readState = async () =>
      (await person.call<{ provision: { state: string } }>(`GET ${path}`)).provision.state
    await assertBecomes(readState, 'idle')
  })
  after(async () => {
    await world?.close()
    await sink?.close()
  })

  async function assertSound(name: string, shown?: string): Promise<void> {
    for (const size of [DESK, PHONE]) {
      await page.setViewportSize(size)
      if (shown !== undefined) await page.getByText(shown).scrollIntoViewIfNeeded()
      await assertSoundThemes(page, name, size.width)
      assert.equal(await horizontalOverflowPx(page), 0, `${name} at ${size.width}`)
    }
    await page.setViewportSize(DESK)
  }

  test("without a mail domain the console says that an app's mail does not leave this machine and that mailboxes need a domain", async () => {
    await openLiveTab()
    await page.getByRole('heading', { name: 'Mail stays on this machine' }).waitFor()
    await page.getByText('Set up a domain first.').waitFor()
    await assertSound('mail-none')
  })

  test('a mail domain of an app is set up in the console, and checked until mail can be sent from it', async () => {
    await page.getByRole('textbox', { name: 'Sender' }).fill('hello')
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByRole('heading', { name: 'Waiting for the domain' }).waitFor()
    await assertSound('mail-pending')
    // The local cloud accepts the DNS records after three seconds.
    await page.waitForTimeout(3_000)
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByRole('heading', { name: 'Mail is sent' }).waitFor()
    await page.getByText(/^hello@/).waitFor()
    await page.getByText(/declares no collection for mail/).waitFor()
    await assertSound('mail-verified')
    // The list of mail is a 404, because the app is not live yet.
    world.assertQuiet(/404 .*\/email\/mails\?/)
  })

  test('a visitor subscribes to a newsletter, gets it over SMTP, replies to it, and unsubscribes with the link in it', async () => {
    const { person, model } = world
    await chooseScriptedModel({ person, model }, { projectId, steps: STEPS })
    const tickets = `/projects/${projectId}/tickets`
    const { id } = await person.call<{ id: string }>(`POST ${tickets}`, { title: 'A newsletter' })
    const built = await person.call<{ status: string }>(`POST ${tickets}/${id}/build`, {})
    assert.equal(built.status, 'built')
    const { url } = await person.call<{ url: string }>(`POST /projects/${projectId}/deploy`)
    const reader = await world.open('nobody', { viewport: PHONE })
    await reader.page.goto(url)
    await reader.page.getByLabel('Your email').fill('ann@example.com')
    await press(reader.page, 'Subscribe')
    await reader.page.getByText('You get the next letter.').waitFor()

    const editor = (await world.open('nobody', { viewport: DESK })).page
    await editor.goto(`${url}/write`)
    await signUpInApp(editor, 'Eve')
    const people = `/projects/${projectId}/capabilities/auth/users`
    await assertBecomes(async () => (await person.call<object[]>(`GET ${people}`)).length, 1)
    const [eve] = await person.call<{ id: string }[]>(`GET ${people}`)
    await person.call(`POST ${people}/${eve?.id}/role`, { role: 'staff' })
    await editor.goto(`${url}/write`)
    await editor.getByLabel('This week').fill('Plum cake on Friday.')
    await press(editor, 'Send to all')
    await editor.getByText('Sent to 1.').waitFor()

    await assertBecomes(async () => sink.received.length, 1)
    assert.deepEqual(sink.received[0]?.to, ['ann@example.com'])
    const mail = await readMail(sink, 0)
    assert.deepEqual([mail.subject, mail.from?.name], ['Cake news', 'Cake shop'])
    assert.match(mail.from?.address ?? '', /^hello@/)
    assert.match(mail.text ?? '', /Plum cake on Friday\./)

    await openLiveTab()
    await page.getByLabel('Address').fill('hello')
    await press(page, 'Add')
    await page
      .getByText(mail.from?.address ?? '')
      .first()
      .waitFor()
    await page.getByText('Mail arrives').waitFor()
    const answer = {
      from: 'ann@example.com',
      to: mail.from?.address,
      subject: 'Re: Cake news',
      text: 'Two pieces!',
    }
    const posted = await fetch(`${world.service.localUrl}/mail/inbound`, {
      method: 'POST',
      body: JSON.stringify(answer),
    })
    assert.partialDeepStrictEqual(await posted.json(), { received: [{ status: 'delivered' }] })
    await editor.goto(`${url}/write`)
    await editor.getByText('Re: Cake news').waitFor()

    const [link] = /https?:\S+/.exec(mail.text ?? '') ?? []
    await reader.page.goto(link ?? '')
    await press(reader.page, 'Unsubscribe')
    await reader.page.getByText('You get no more letters.').waitFor()
    await press(editor, 'Send to all')
    await editor.getByText('Sent to 0.').waitFor()
    reader.assertQuiet()
  })

  test('missing DNS records of a mail domain are listed with their values, and a note says that mailboxes get no mail', async () => {
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
    await openLiveTab()
    await page.getByRole('heading', { name: 'DNS records are missing' }).waitFor()
    assert.equal(await page.getByRole('button', { name: /^Copy the value of/ }).count(), 2)
    await page.getByText(/^Mail does not arrive/).waitFor()
    await assertSound('mail-missing')
  })

  test('the console lists each mail of the live app with its state, and with the reason when it was not sent', async () => {
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
    await openLiveTab()
    await page.getByText(/^failed/).waitFor()
    await page.getByText('Code or link to sign in').waitFor()
    await assertSound('mail-list', 'ann@example.com, bob@example.com')
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '../../../releases/testing.ts'
import { readManifest } from '../../source/manifest.ts'
import { starterTree } from '../../source/tree.ts'
import { compileApp } from '../../source/typegen.ts'
import { Browser } from '../../testing/browser.ts'
import { type RunningApp, startApp } from '../../testing/bundle.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Crews',
  uses: ['auth', 'data', 'email', 'team'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    mails: {
      partition: 'app',
      read: 'staff',
      write: 'nobody',
      fields: { from: { type: 'text' }, subject: { type: 'text' }, text: { type: 'text' } },
    },
  },
  mailboxes: [{ collection: 'mails', handler: 'on-mail' }],
}
const HANDLER = `import { email, type MailEvent } from '@slipway/app/server'

export default async ({ from, subject, isAutomatic }: MailEvent) => {
  if (!isAutomatic) await email.send({ to: from, subject: 'Re: ' + subject, text: 'It came.' })
}
`
const ROUTES = `import { email } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/send', async (c) => c.json(await email.send(await c.req.json())))
`
const TEST = `import { app, expect, test } from '@slipway/app/testing'

test('the app replies to mail that is not automatic, and the link in a password reset mail returns a page', async () => {
  const { id } = await app.postMail('mails', { from: 'ada@example.test', subject: 'Question', text: 'Hello' })
  expect((await app.system.get('mails', id)).subject).toBe('Question')
  await app.postMail('mails', { from: 'bot@example.test', subject: 'Away', text: '', isAutomatic: true })
  const ada = await app.signUp('Ada')
  await app.post('/_app/auth/reset', { email: ada.user.email })
  const [answer, reset, ...others] = await app.mail()
  expect(answer.to).toEqual(['ada@example.test'])
  expect(answer.subject).toBe('Re: Question')
  expect(reset.to).toEqual([ada.user.email])
  expect(reset.links.length).toBe(1)
  expect((await app.get(reset.links[0])).status).toBe(200)
  expect(others).toHaveLength(0)
})
`
const TREE = new Map([
  ...starterTree('Crews'),
  ['app.json', JSON.stringify(MANIFEST)],
  ['server/routes.ts', ROUTES],
  ['server/jobs/on-mail.ts', HANDLER],
  ['tests/mail.test.ts', TEST],
])
const ENABLED = ['auth', 'data', 'email', 'team']
const LIMITS = { EMAIL_MAX_PER_HOUR: '200', EMAIL_PER_RECIPIENT_PER_DAY: '20', AUTH_EMAIL_CODE: 'on' }
const SENDER = { ...LIMITS, EMAIL_FROM: 'shop@mail.test' }

interface Sent {
  to: string[]
  subject: string
  text: string
  html: string
}

describe('mail to the people of an app', () => {
  let app: RunningApp
  const sent: Sent[] = []
  before(async () => {
    app = await startApp(TREE, {
      enabled: ENABLED,
      mail: true,
      variables: { ...SENDER, AUTH_CODE_KEY: 'key' },
    })
    const read = readManifest(JSON.stringify(MANIFEST))
    assert.ok(read.ok, JSON.stringify(read))
    const { hash, manifest } = compileApp(read.manifest)
    await app.operate('activate', 'production', hash, manifest)
  })
  after(() => app.stop())

  const mailTo = async (to: string) => {
    const find = () => sent.filter((mail) => mail.to.includes(to))
    const known = find().length
    await until(async () => {
      sent.push(...((await app.sentMail()) as unknown as Sent[]))
      return find().length > known
    })
    return find().at(-1) as Sent
  }

  test('an app accepts the sign-in code, the address confirmation code and the password reset link that it mails', async () => {
    const [browser, other] = [new Browser(app), new Browser(app)]
    await browser.call('POST', '/_app/auth/code', { email: 'ada@example.test' })
    const mail = await mailTo('ada@example.test')
    assert.match(mail.subject, /^Your code to sign in: \d{6}$/)
    assert.match(mail.text, /\n\nCrews$/)
    assert.match(mail.html, /<p>Your code to sign in is \d{6}/)
    const code = /\d{6}/.exec(mail.text)?.[0] ?? ''
    assert.equal((await browser.confirm('ada@example.test', code)).error, undefined)
    assert.equal((await browser.me())?.emailVerified, true)

    await other.signUp('bob')
    await other.call('POST', '/_app/auth/verify')
    const proof = /\d{6}/.exec((await mailTo('bob@example.test')).text)?.[0]
    assert.equal((await other.call('POST', '/_app/auth/verify/confirm', { code: proof })).error, undefined)

    await other.call('POST', '/_app/auth/reset', { email: 'bob@example.test' })
    const link = /https?:\S+#([0-9a-f]{64})/.exec((await mailTo('bob@example.test')).html)
    const reset = { token: link?.[1], password: 'another password' }
    assert.equal((await other.call('POST', '/_app/auth/reset/confirm', reset)).error, undefined)
  })

  test('requesting a password reset link for an unknown address gets the same response as for a known address, but no mail', async () => {
    const browser = new Browser(app)
    const ask = (email: string) => browser.call('POST', '/_app/auth/reset', { email })
    await browser.signUp('known')
    const [unknown, known] = [await ask('unknown@example.test'), await ask('known@example.test')]
    assert.deepEqual(unknown, known)
    await mailTo('known@example.test')
    assert.ok(sent.every(({ to }) => !to.includes('unknown@example.test')))
  })

  test('an invitation mail leaves out a team name that looks like a link', async () => {
    const owner = new Browser(app)
    await owner.signUp('owner')
    for (const [name, guest, subject] of [
      ['Red', 'guest-one', 'You are invited to the team "Red"'],
      ['evil.example/win', 'guest-two', 'You are invited to a team'],
    ] as const) {
      const { data: team } = await owner.call('POST', '/_app/team', { name })
      const { id } = team as { id: string }
      const { data } = await owner.call('POST', `/_app/team/${id}/invites`, {
        email: `${guest}@example.test`,
      })
      const mail = await mailTo(`${guest}@example.test`)
      assert.equal(mail.subject, subject)
      assert.ok(mail.text.includes((data as { url: string }).url))
      assert.ok(!mail.text.includes('evil'))
    }
  })

  test('the tests inside a generated app can read sent mail, follow links in the mail and deliver mail to the app', async () => {
    const one = await startApp(TREE, { enabled: ENABLED, variables: LIMITS })
    try {
      const results = (await (await one.ask('tests', '/run')).json()) as {
        ok: boolean
        error: string | null
      }[]
      assert.deepEqual(
        results.map(({ ok, error }) => [ok, error]),
        [[true, null]],
      )
    } finally {
      await one.stop()
    }
  })
})

describe('mail that waits for a verified domain', () => {
  let app: RunningApp
  before(async () => {
    app = await startApp(TREE, { enabled: ENABLED, variables: { ...LIMITS, AUTH_CODE_KEY: 'key' } })
  })
  after(() => app.stop())
  const outbox = () => app.operate<{ to: string; text: string }[]>('outbox', 'production', 100)
  const send = (to: string[], text: string) =>
    app.fetch('/api/send', { method: 'POST', body: JSON.stringify({ to, subject: 'Hello', text }) })

  test("without a sending domain, an address can be confirmed with the code in the operator's list of unsent mail", async () => {
    const browser = new Browser(app)
    await browser.signUp('early')
    await browser.call('POST', '/_app/auth/verify')
    const [mail] = await outbox()
    assert.equal(mail?.to, 'early@example.test')
    const code = /\d{6}/.exec(mail.text)?.[0]
    assert.equal((await browser.call('POST', '/_app/auth/verify/confirm', { code })).error, undefined)
  })

  test("a project's move to another Cloudflare account copies unsent mail once, even if the copy is repeated", async () => {
    assert.equal((await send(['moved@example.test'], 'take me along')).status, 200)
    const mails = await app.operate<object[]>('movedMails', 'production', 0)
    for (let times = 0; times < 2; times++) await app.operate('takeMails', 'preview', mails)
    const there = await app.operate<{ to: string; text: string }[]>('outbox', 'preview', 100)
    assert.equal(there.filter(({ text }) => text === 'take me along').length, 1)
  })

  test('erasing a person removes all unsent mail to the person and keeps mail to other people', async () => {
    const browser = new Browser(app)
    const { id, email } = await browser.signUp('canary')
    await send([email], 'only for you')
    await send([email, 'other@example.test'], 'for both')
    await browser.call('POST', '/_app/auth/reset', { email })
    const report = await app.operate<{ removed: { messages: number } }>('erase', 'production', id)
    assert.equal(report.removed.messages, 3)
    const left = JSON.stringify([await outbox(), await app.operate('mails', 'production', 200)])
    assert.ok(!left.includes(email))
    assert.ok(!left.includes('only for you'))
    assert.ok(left.includes('for both'))
  })
})

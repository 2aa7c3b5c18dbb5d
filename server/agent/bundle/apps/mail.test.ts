import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '../../../releases/testing.ts'
import { readManifest } from '../../source/manifest.ts'
import { starterTree } from '../../source/tree.ts'
import { compileApp } from '../../source/typegen.ts'
import { type RunningApp, startApp } from '../../testing/bundle.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Shop',
  uses: ['data', 'email', 'files'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    mails: {
      partition: 'app',
      read: 'public',
      write: 'nobody',
      fields: {
        mailbox: { type: 'text', required: true, index: true },
        from: { type: 'text' },
        to: { type: 'list' },
        subject: { type: 'text', max: 40 },
        text: { type: 'text', max: 20_000 },
        html: { type: 'text', max: 20_000 },
        messageId: { type: 'text' },
        receivedAt: { type: 'text' },
        attachments: { type: 'json' },
      },
    },
    done: { partition: 'app', read: 'public', write: 'nobody', fields: { what: { type: 'text' } } },
  },
  mailboxes: [{ collection: 'mails', handler: 'on-mail' }],
}
const HANDLER = `import { data, type MailEvent } from '@slipway/app/server'

export default async (mail: MailEvent, { attempt }: { attempt: number }) => {
  if (mail.subject === 'Fails' && attempt === 1) throw new Error('not yet')
  await data.system.create('done', { what: [mail.messageId, mail.isAutomatic, mail.text.trim()].join(' ') })
}
`
const ROUTES = `import { email, files } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/send', async (c) => c.json(await email.send(await c.req.json())))
routes.get('/file/:id', async (c) => (await files.get(c.req.param('id'))) ?? c.notFound())
`
const TREE = new Map([
  ...starterTree('Shop'),
  ['app.json', JSON.stringify(MANIFEST)],
  ['server/routes.ts', ROUTES],
  ['server/jobs/on-mail.ts', HANDLER],
])
const mailbox = (localPart: string, notify: boolean) => ({
  localPart,
  address: `${localPart}@mail.test`,
  collection: 'mails',
  notify,
})
const VARIABLES = {
  EMAIL_FROM: 'shop@mail.test',
  EMAIL_NOTIFY_TO: 'boss@example.test',
  EMAIL_MAX_PER_HOUR: '60',
  EMAIL_PER_RECIPIENT_PER_DAY: '50',
  EMAIL_MAILBOXES: JSON.stringify([
    mailbox('help', true),
    mailbox('quiet', false),
    { ...mailbox('lost', false), collection: 'nothing' },
  ]),
}

const raw = (headers: Record<string, string>, body = 'Hello shop.') =>
  [
    ...Object.entries({ From: 'Ada <ada@example.test>', To: 'help@mail.test', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    '',
    body,
  ].join('\r\n')

interface StoredMail {
  mailbox: string
  from: string
  to: string[]
  subject: string
  text: string
  html: string | null
  messageId: string
  attachments: { name: string; type: string; size: number; fileId?: string }[]
}

async function startShop(options: Parameters<typeof startApp>[1] = {}): Promise<RunningApp> {
  const app = await startApp(TREE, {
    enabled: ['data', 'email', 'files'],
    mail: true,
    variables: VARIABLES,
    ...options,
  })
  const read = readManifest(JSON.stringify(MANIFEST))
  assert.ok(read.ok, JSON.stringify(read))
  const { hash, manifest } = compileApp(read.manifest)
  await app.operate('activate', options.tier ?? 'production', hash, manifest)
  // The first request to an app installs the manifest in the Durable Object with the records.
  await app.fetch('/_app/data/mails')
  return app
}

async function send(app: RunningApp, mail: object) {
  const answer = await app.fetch('/api/send', { method: 'POST', body: JSON.stringify(mail) })
  const body = (await answer.json()) as {
    id?: string
    preview?: { mail: object[] }
    error?: { code: string; field?: string; message: string }
  }
  return { status: answer.status, ...body }
}
const LETTER = { to: 'ada@example.test', subject: 'Hello', text: 'There.' }

describe('mail of a running app', () => {
  let app: RunningApp
  before(async () => {
    app = await startShop()
  })
  after(() => app.stop())

  const sent: Record<string, unknown>[] = []
  const takeSent = async () => {
    sent.push(...(await app.sentMail()))
    return sent
  }
  const sentTo = async (to: string) =>
    (await takeSent()).filter((mail) => (mail['to'] as string[]).includes(to))
  const listOf = async (collection: string) =>
    (
      (await (await app.fetch(`/_app/data/${collection}?limit=200`)).json()) as {
        data: { items: StoredMail[] }
      }
    ).data.items
  const mailOf = async (id: string) => (await listOf('mails')).filter(({ messageId }) => messageId === id)
  const done = async () => (await listOf('done')).map((one) => (one as unknown as { what: string }).what)

  test("mail from server code is sent from the app's own address, with its attachment", async () => {
    const attachments = [{ name: 'a.txt', type: 'text/plain', content: 'hello' }]
    const mail = { ...LETTER, to: ['Ada@Example.test'], html: '<p>There.</p>', attachments }
    const { id, status } = await send(app, mail)
    assert.equal(status, 200)
    await until(async () => (await sentTo('ada@example.test')).length === 1)
    const [first] = await sentTo('ada@example.test')
    assert.deepEqual(first, {
      from: { email: 'shop@mail.test', name: 'Shop' },
      to: ['ada@example.test'],
      subject: 'Hello',
      text: 'There.',
      html: '<p>There.</p>',
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Slipway-Mail': id },
      attachments: [{ filename: 'a.txt', type: 'text/plain', disposition: 'attachment', size: 5 }],
    })
  })

  test('a mail with a forged header, too many recipients or an invalid attachment is refused with the name of the field', async () => {
    const refusals: [object, string][] = [
      [{ ...LETTER, subject: 'Hi\r\nBcc: all@example.test' }, 'subject'],
      [{ ...LETTER, to: 'ada@example.test\r\nBcc: all@example.test' }, 'to'],
      [{ ...LETTER, to: 'ada@example.test, eve@example.test' }, 'to'],
      [{ ...LETTER, replyTo: 'Eve <eve@example.test>' }, 'replyTo'],
      [{ ...LETTER, to: Array.from({ length: 51 }, (_, i) => `p${i}@example.test`) }, 'to'],
      [{ ...LETTER, to: [] }, 'to'],
      [{ ...LETTER, text: 7 }, 'text'],
      [{ ...LETTER, attachments: [{ name: 'a\n.txt', type: 'text/plain', content: 'x' }] }, 'attachments'],
    ]
    for (const [mail, field] of refusals) {
      const { status, error } = await send(app, mail)
      assert.deepEqual([status, error?.code, error?.field], [400, 'invalid_request', field])
    }
  })

  test("a from address set by server code or in a header does not replace the app's own sender", async () => {
    await send(app, {
      ...LETTER,
      to: 'from@example.test',
      from: 'ceo@bank.test',
      headers: { From: 'ceo@bank.test' },
    })
    await until(async () => (await sentTo('from@example.test')).length === 1)
    assert.deepEqual((await sentTo('from@example.test'))[0]?.['from'], {
      email: 'shop@mail.test',
      name: 'Shop',
    })
  })

  test('exactly one of 51 concurrent mails to an address with a limit of 50 is refused with 429', async () => {
    const to = 'many@example.test'
    const answers = await Promise.all(Array.from({ length: 51 }, () => send(app, { ...LETTER, to })))
    assert.deepEqual(answers.filter(({ status }) => status === 429).length, 1)
    await until(async () => (await sentTo(to)).length === 50)
  })

  test('mail to a mailbox becomes one record, its attachments become files, and the handler runs', async () => {
    const parts = [
      ['text/plain; charset=utf-8', '', 'Gr\u00fc\u00dfe'],
      ['text/html', '', '<p>Hi</p>'],
      ['text/csv', 'attachment; filename="../prices.csv"', 'a,b'],
    ]
    const body = `${parts
      .map(([type, disposition, text]) =>
        [
          '--x',
          `Content-Type: ${type}`,
          ...(disposition ? [`Content-Disposition: ${disposition}`] : []),
          '',
          text,
        ].join('\r\n'),
      )
      .join('\r\n')}\r\n--x--\r\n`
    const headers = {
      Subject: `A question ${'x'.repeat(100)}`,
      'Message-ID': '<one@example.test>',
      'Content-Type': 'multipart/mixed; boundary=x',
    }
    for (let times = 0; times < 2; times++)
      assert.equal(await app.postMail('ada@example.test', 'Help@mail.test', raw(headers, body)), null)
    const stored = await mailOf('<one@example.test>')
    assert.equal(stored.length, 1)
    const [mail] = stored
    assert.ok(mail)
    assert.deepEqual(
      [mail.mailbox, mail.from, mail.to, mail.subject.length],
      ['help@mail.test', 'ada@example.test', ['help@mail.test'], 40],
    )
    assert.match(mail.text, /^Gr\u00fc\u00dfe/)
    const [file] = mail.attachments
    assert.deepEqual([file?.name, file?.type], ['.._prices.csv', 'text/csv'])
    assert.equal((await (await app.fetch(`/api/file/${file?.fileId}`)).text()).trim(), 'a,b')
    await until(async () =>
      (await done()).some((what) => what.startsWith('<one@example.test> false Gr\u00fc\u00dfe')),
    )
    assert.equal((await done()).length, 1)
  })

  test('the operator is notified of incoming mail only for mailboxes with notifications, and never of automatic mail', async () => {
    const before = (await sentTo('boss@example.test')).length
    const automatic: Record<string, string>[] = [
      { 'Auto-Submitted': 'auto-replied' },
      { Precedence: 'bulk' },
      { 'List-Id': '<news.example.test>' },
      { 'Auto-Submitted': 'no\r\nAuto-Submitted: auto-generated' },
      { From: 'shop@mail.test' },
    ]
    for (const [i, headers] of automatic.entries()) {
      const id = `<auto-${i}@example.test>`
      assert.equal(
        await app.postMail('bot@example.test', 'help@mail.test', raw({ ...headers, 'Message-ID': id })),
        null,
      )
      assert.equal((await mailOf(id)).length, 1)
    }
    const quiet = raw({ 'Message-ID': '<quiet@example.test>' })
    assert.equal(await app.postMail('ada@example.test', 'quiet@mail.test', quiet), null)
    const told = raw({ 'Message-ID': '<told@example.test>', Subject: 'Order', 'Auto-Submitted': 'no' })
    assert.equal(await app.postMail('ada@example.test', 'help@mail.test', told), null)
    await until(async () => (await sentTo('boss@example.test')).length > before)
    await until(async () => (await done()).some((what) => what.startsWith('<told@example.test> false')))
    const notices = (await sentTo('boss@example.test')).slice(before)
    assert.deepEqual(
      notices.map(({ subject }) => subject),
      ['New mail to help@mail.test: Order'],
    )
    assert.ok((await done()).some((what) => what.startsWith('<auto-3@example.test> true')))
  })

  test('mail to an unknown mailbox, or to a mailbox without a collection, is returned to the sender and not stored', async () => {
    const before = (await listOf('mails')).length
    for (const [to, reason] of [
      ['other@mail.test', /no such mailbox/i],
      ['lost@mail.test', /cannot take/i],
    ] as const)
      assert.match((await app.postMail('ada@example.test', to, raw({}))) ?? '', reason)
    assert.equal((await listOf('mails')).length, before)
  })

  test('mail with 10,000 MIME parts or 1,000 nested parts is refused, and mail without Message-ID is stored once', async () => {
    const part =
      '--x\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\n\r\n'
    const many = (parts: number) =>
      raw(
        { 'Message-ID': '<parts@example.test>', 'Content-Type': 'multipart/mixed; boundary=x' },
        `${part.repeat(parts)}--x--\r\n`,
      )
    const began = performance.now()
    assert.match(
      (await app.postMail('ada@example.test', 'quiet@mail.test', many(10_000))) ?? '',
      /cannot be read/,
    )
    assert.ok(performance.now() - began < 10_000)
    assert.equal(await app.postMail('ada@example.test', 'quiet@mail.test', many(1000)), null)
    assert.equal((await mailOf('<parts@example.test>'))[0]?.attachments.length, 100)
    const deep = Array.from(
      { length: 1000 },
      (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`,
    ).join('')
    assert.match(
      (await app.postMail('ada@example.test', 'quiet@mail.test', `From: a@example.test\r\n${deep}`)) ?? '',
      /cannot be read/,
    )
    const nameless = raw({ Subject: 'Nameless' })
    for (let times = 0; times < 2; times++)
      assert.equal(await app.postMail('ada@example.test', 'quiet@mail.test', nameless), null)
    assert.equal((await listOf('mails')).filter(({ subject }) => subject === 'Nameless').length, 1)
  })

  test('the text of an incoming mail is cut to fit into a record', async () => {
    const long = raw({ 'Message-ID': '<long@example.test>' }, 'x'.repeat(300_000))
    assert.equal(await app.postMail('ada@example.test', 'quiet@mail.test', long), null)
    assert.equal((await mailOf('<long@example.test>'))[0]?.text.length, 20_000)
  })

  test("the operator's list of sent mail does not contain the texts of the mails", async () => {
    await send(app, { ...LETTER, to: 'last@example.test', text: 'canary of a text' })
    await until(async () => (await sentTo('last@example.test')).length === 1)
    const list = () => app.operate<{ to: string[]; state: string }[]>('mails', 'production', 200)
    await until(async () => (await list())[0]?.state === 'sent')
    assert.deepEqual((await list())[0]?.to, ['last@example.test'])
    assert.ok(!JSON.stringify(await list()).includes('canary'))
  })
})

describe('mail while nothing can be sent', () => {
  test('the preview of an app sends no mail and returns it in the response of the request instead', async () => {
    const app = await startShop({ tier: 'preview' })
    try {
      const { preview } = await send(app, LETTER)
      assert.deepEqual(preview?.mail, [
        { ...LETTER, to: ['ada@example.test'], html: null, replyTo: null, attachments: [] },
      ])
      assert.deepEqual(await app.sentMail(), [])
    } finally {
      await app.stop()
    }
  })

  test('mail of an app without a mail binding is stored unsent and can be read by the operator', async () => {
    const { EMAIL_FROM: _from, ...variables } = VARIABLES
    const app = await startShop({ mail: false, variables })
    try {
      assert.equal((await send(app, LETTER)).status, 200)
      const outbox = await app.operate<{ to: string; text: string }[]>('outbox', 'production', 10)
      assert.deepEqual(
        outbox.map(({ to, text }) => [to, text]),
        [['ada@example.test', 'There.']],
      )
    } finally {
      await app.stop()
    }
  })
})

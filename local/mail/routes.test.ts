import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { createAccount } from '../cloudflare/accounts/accounts.ts'
import { insertMail, type StoredMail } from '../cloudflare/products/email/mails.ts'
import { openStore } from '../schema.ts'
import { HeldClock } from '../testing/held-clock.ts'
import type { Store } from '../world/store.ts'
import { mailRoutes } from './routes.ts'

const NOISE = '<script>alert("1")</script>'

describe('the page and API of the mail of local apps', () => {
  let store: Store
  let accountId: string
  let app: ReturnType<typeof mailRoutes>
  const clock = new HeldClock(Date.UTC(2027, 0, 1, 12, 34))
  beforeEach(() => {
    store = openStore(':memory:')
    accountId = createAccount(store, { name: 'demo', plan: 'paid', at: clock.now() }).id
    app = mailRoutes({ store, now: clock.now, timeScale: 1, deliver: async () => ({ outcome: 'ok' }) })
  })
  afterEach(() => store.close())

  const add = (change: Partial<StoredMail> = {}, at = clock.now()) =>
    insertMail(store, {
      accountId,
      direction: 'out',
      worker: 'shop',
      from: 'shop@mail.slipway.test',
      to: ['ada@example.test'],
      subject: 'Order 7',
      content: { text: 'Thank you', html: '<p>Thank you</p>', headers: {}, attachments: [], raw: null },
      status: 'delivered',
      detail: null,
      at,
      ...change,
    })
  const list = async (query = '') => {
    const answer = await app.request(`/messages${query}`)
    const { messages, error } = (await answer.json()) as { messages?: StoredMail[]; error?: string }
    return [answer.status, messages?.map(({ id }) => id) ?? typeof error]
  }
  const inbound = async (body: unknown, headers: Record<string, string> = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await app.request('/inbound', { method: 'POST', body: text, headers })
    return [answer.status, await answer.text()] as const
  }

  test('the list of mail returns the newest 200 mails as stored, newest first', async () => {
    const first = add()
    const { messages } = (await (await app.request('/messages')).json()) as { messages: StoredMail[] }
    assert.deepEqual(messages, [first])
    const rest = Array.from({ length: 200 }, (_, at) => add({}, clock.now() + at).id)
    assert.deepEqual(await list(), [200, rest.toReversed()])
  })

  test('the list of mail is filtered by recipient and time, and includes mail from exactly the time `since`', async () => {
    const [old, early, late] = [
      add({}, 1000),
      add({ to: ['bob@example.test', 'ada@example.test'] }, 2000),
      add({ to: ['bob@example.test'] }, 3000),
    ]
    assert.deepEqual(
      [
        await list('?to=ada@example.test'),
        await list('?to=bob@example.test'),
        await list('?to=ada'),
        await list('?since=2000'),
        await list('?since=2001'),
        await list('?since=2000&to=ada@example.test'),
        await list('?since='),
        await list('?since=yesterday'),
      ],
      [
        [200, [early.id, old.id]],
        [200, [late.id, early.id]],
        [200, []],
        [200, [late.id, early.id]],
        [200, [late.id]],
        [200, [early.id]],
        [200, [late.id, early.id, old.id]],
        [400, 'string'],
      ],
    )
  })

  test('the mail page lists each mail with direction and status, and escapes text of apps', async () => {
    const show = async () => (await app.request('/')).text()
    assert.match(await show(), /No app has sent or received mail yet\./)
    const { id } = add({ subject: NOISE, from: NOISE })
    add({ direction: 'in', status: 'rejected', subject: '' })
    const page = await show()
    const rows = [...page.matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row = '']) =>
      row
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    const noise = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;'
    assert.deepEqual(rows, [
      '2027-01-01 12:34 received, rejected shop@mail.slipway.test to ada@example.test No subject',
      `2027-01-01 12:34 sent, delivered ${noise} to ada@example.test ${noise}`,
    ])
    assert.ok(page.includes(`/mail/messages/${id}`))
  })

  test("the mail page shows a mail's text, else its raw source, else its HTML as text, with its attachments", async () => {
    const show = async (content: Partial<StoredMail['content']>, detail: string | null = null) => {
      const { id } = add({
        content: { text: null, html: null, headers: {}, attachments: [], raw: null, ...content },
        detail,
      })
      const page = await (await app.request(`/messages/${id}`)).text()
      return [
        /<pre[^>]*>([^]*?)<\/pre>/.exec(page)?.[1],
        [...page.matchAll(/<p>([^<]* bytes)<\/p>/g)].map(([, text]) => text),
        /(delivered[^<]*)<\/?/.exec(page)?.[1]?.trim(),
      ]
    }
    const attachments = [{ filename: 'a<b>.pdf', type: 'application/pdf', sizeBytes: 7 }]
    assert.deepEqual(
      [
        await show({ text: 'Hello', html: '<p>Hi</p>', raw: 'Raw', attachments }),
        await show({ html: '<p>Hi</p>', raw: 'Raw' }, 'sent later'),
        await show({ html: '<p>Hi</p>' }),
        await show({}),
      ],
      [
        ['Hello', ['a&lt;b&gt;.pdf, 7 bytes'], 'delivered'],
        ['Raw', [], 'delivered: sent later'],
        ['&lt;p&gt;Hi&lt;/p&gt;', [], 'delivered'],
        ['', [], 'delivered'],
      ],
    )
    const missing = await app.request('/messages/none')
    assert.deepEqual([missing.status, await missing.text()], [404, 'No such mail.'])
  })

  test('simulated inbound mail needs one sender, one recipient and a one-line subject, and no other site can send it', async () => {
    const mail = { from: 'ada@example.test', to: 'shop@shop.test', subject: 'Hi', text: 'Hello' }
    const statuses = []
    for (const body of [
      'no json',
      {},
      { ...mail, from: 'ada' },
      { ...mail, to: 'shop@shop.test, eve@shop.test' },
      { ...mail, from: 'ada@example.test\r\nBcc: eve@example.test' },
      { ...mail, subject: 'Hi\r\nBcc: eve@example.test' },
      { ...mail, subject: 'Hi\nX: y' },
    ])
      statuses.push((await inbound(body))[0])
    assert.deepEqual(statuses, Array<number>(7).fill(400))
    assert.equal((await inbound(mail, { 'sec-fetch-site': 'cross-site' }))[0], 403)
    assert.deepEqual(await list(), [200, []])
  })

  test("simulated inbound mail to an unknown domain is refused with the domain's name", async () => {
    const [status, text] = await inbound({ from: 'ada@example.test', to: 'shop@nowhere.test' })
    assert.deepEqual([status, text.includes('No account receives mail for nowhere.test.')], [404, true])
  })
})

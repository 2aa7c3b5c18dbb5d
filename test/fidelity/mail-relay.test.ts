import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { listMails } from '../../local/cloudflare/products/email/mails.ts'
import { OutgoingMail } from '../../local/cloudflare/products/email/outgoing.ts'
import type { RelayServer } from '../../local/cloudflare/products/email/relay.ts'
import { sendMail } from '../../local/cloudflare/products/email/send.ts'
import { type TestCloud, testCloud } from '../../local/testing/cloud.ts'
import { type MailServer, openMailServer, readMail } from '../../server/testing/providers/mail-server.ts'

const FROM = 'shop@mail.slipway.test'

/** Apps send mail through an SMTP server. Each test uses different recipients, because a bounced recipient gets no further mail. */
describe('mail of local apps over SMTP', () => {
  let cloud: TestCloud
  let sink: MailServer
  before(async () => {
    cloud = testCloud()
    sink = await openMailServer()
  })
  afterEach(() => {
    sink.refuse = () => null
    sink.settle = () => null
    sink.received.length = 0
  })
  after(async () => {
    await sink.close()
    cloud.close()
  })

  const relayMail = (
    id: string,
    to: string | string[],
    more: object = {},
    relay: RelayServer = { url: sink.url, from: null },
  ) => {
    const headers = { 'Auto-Submitted': 'auto-generated', 'X-Slipway-Mail': id }
    const mail = {
      from: { email: FROM, name: 'Shop' },
      to,
      subject: 'Nächste Woche',
      text: 'Plums.',
      headers,
    }
    const by = { accountId: cloud.accountId, worker: 'shop-live' }
    const { store, now, timeScale } = cloud
    return sendMail({ store, now, timeScale, relay }, by, OutgoingMail.parse({ ...mail, ...more }), null)
  }
  const readMailAt = (at: number) => readMail(sink, at)
  const problemOf = (sent: Awaited<ReturnType<typeof relayMail>>) =>
    'problem' in sent ? [sent.problem.code, sent.problem.message] : null

  test("a mail server gets an app's text, HTML, attachments and headers, and the mail is listed as delivered", async () => {
    const file = { filename: 'a.txt', type: 'text/plain', content: btoa('Seven plums') }
    const sent = await relayMail('mail_1', ['ann@example.com', 'bob@example.com'], {
      html: '<p>Plums.</p>',
      replyTo: 'owner@example.com',
      attachments: [file],
    })
    assert.deepEqual('problem' in sent ? sent : sent.delivered, ['ann@example.com', 'bob@example.com'])
    assert.deepEqual(sink.received[0]?.to, ['ann@example.com', 'bob@example.com'])
    const mail = await readMailAt(0)
    assert.deepEqual(
      [
        mail.subject,
        mail.from?.address,
        mail.from?.name,
        mail.text?.trim(),
        mail.html?.trim(),
        mail.messageId,
      ],
      ['Nächste Woche', FROM, 'Shop', 'Plums.', '<p>Plums.</p>', `<mail_1@mail.slipway.test>`],
    )
    assert.equal(mail.replyTo?.[0]?.address, 'owner@example.com')
    assert.equal(mail.headers.find(({ key }) => key === 'auto-submitted')?.value, 'auto-generated')
    const [attached] = mail.attachments
    assert.deepEqual(
      [attached?.filename, new TextDecoder().decode(attached?.content as ArrayBuffer)],
      ['a.txt', 'Seven plums'],
    )
    assert.equal(listMails(cloud.store, { to: 'ann@example.com' })[0]?.status, 'delivered')
  })

  test("with a fixed sender, all of an app's mail is sent from that address, and replies go to the app's address", async () => {
    await relayMail('mail_2', 'cy@example.com', {}, { url: sink.url, from: 'hello@shop.example' })
    const mail = await readMailAt(0)
    assert.deepEqual(
      [mail.from?.address, mail.from?.name, mail.replyTo?.[0]?.address],
      ['hello@shop.example', 'Shop', FROM],
    )
  })

  test('a recipient refused with 550 bounces and gets no further mail, and the other recipients of the mail get it', async () => {
    sink.refuse = (to) => (to === 'gone@example.com' ? { code: 550, message: 'No such user' } : null)
    const sent = await relayMail('mail_3', ['dan@example.com', 'gone@example.com'])
    assert.deepEqual('problem' in sent ? sent : [sent.delivered, sent.bounced], [
      ['dan@example.com'],
      ['gone@example.com'],
    ])
    const [listed] = listMails(cloud.store, { to: 'gone@example.com' })
    assert.deepEqual(
      [listed?.status, listed?.detail],
      ['bounced', 'It bounced from gone@example.com (550 No such user).'],
    )
    sink.refuse = () => null
    const [code] = problemOf(await relayMail('mail_4', 'gone@example.com')) ?? []
    assert.deepEqual([code, sink.received.length], ['E_RECIPIENT_SUPPRESSED', 1])
  })

  test('a recipient whose domain has capital or non-ASCII letters bounces like any other when it is refused with 550', async () => {
    sink.refuse = () => ({ code: 550, message: 'No such user' })
    for (const [at, to] of ['kim@Example.COM', 'lou@bücher.example', 'Max@MÜLLER.example'].entries()) {
      const id = `mail_20_${at}`
      const bounce = ['E_RECIPIENT_SUPPRESSED', `It bounced from ${to} (550 No such user).`]
      assert.deepEqual(problemOf(await relayMail(id, to)), bounce)
      const [listed] = listMails(cloud.store, { to })
      assert.equal(listed?.status, 'bounced')
      assert.equal(problemOf(await relayMail(`${id}_again`, to))?.[0], 'E_RECIPIENT_SUPPRESSED')
    }
  })

  test('two spellings of one mail address get one mail, and each of them bounces when it is refused with 550', async () => {
    const both = ['ned@example.com', 'ned@EXAMPLE.com']
    const sent = await relayMail('mail_21', both)
    assert.deepEqual('problem' in sent ? sent : sent.delivered, both)
    assert.deepEqual(sink.received[0]?.to, ['ned@example.com'])
    sink.refuse = () => ({ code: 550, message: 'No such user' })
    const code = problemOf(await relayMail('mail_22', both))?.[0]
    assert.deepEqual(
      [code, listMails(cloud.store, { to: both[1] })[0]?.status],
      ['E_RECIPIENT_SUPPRESSED', 'bounced'],
    )
  })

  test('a mail address that contains separators or comments is refused, so that no part of it gets the mail', async () => {
    for (const to of [
      'a,b@example.com',
      'ann@example.com,',
      'ann@example.com,eve.example',
      'ann@example.com;eve',
      'ann(x)@example.com',
      'ann:@example.com',
      'ann\\@example.com',
    ])
      assert.equal(
        problemOf(await relayMail('mail_23', ['ann@example.com', to]))?.[0],
        'E_VALIDATION_ERROR',
        to,
      )
    assert.deepEqual(sink.received, [])
  })

  test("a mail whose only recipient is refused with 550 fails permanently, and the error contains the server's reply", async () => {
    sink.refuse = () => ({ code: 550, message: 'No such user' })
    assert.deepEqual(problemOf(await relayMail('mail_5', 'eve@example.com')), [
      'E_RECIPIENT_SUPPRESSED',
      'It bounced from eve@example.com (550 No such user).',
    ])
  })

  test('after a 4xx reply a mail is sent again, but only to recipients that have not received it', async () => {
    sink.refuse = (to) => (to === 'slow@example.com' ? { code: 451, message: 'Greylisted' } : null)
    const both = ['fay@example.com', 'slow@example.com']
    assert.deepEqual(problemOf(await relayMail('mail_6', both)), [
      'E_DELIVERY_FAILED',
      'slow@example.com: 451 Greylisted',
    ])
    assert.deepEqual(listMails(cloud.store, { to: 'slow@example.com' }), [])
    sink.refuse = () => null
    sink.settle = () => ({ code: 452, message: 'Full' })
    assert.match(
      String(problemOf(await relayMail('mail_6', both))),
      /E_DELIVERY_FAILED,slow@example.com: 452 Full/,
    )
    sink.settle = () => null
    assert.equal(problemOf(await relayMail('mail_6', both)), null)
    assert.deepEqual(
      sink.received.map(({ to }) => to),
      [['fay@example.com'], ['slow@example.com']],
    )
  })

  test('a mail whose content is refused with 5xx fails permanently, and its recipients can get other mail', async () => {
    sink.settle = () => ({ code: 554, message: 'Spam' })
    assert.equal(problemOf(await relayMail('mail_7', 'gil@example.com'))?.[0], 'E_RECIPIENT_SUPPRESSED')
    sink.settle = () => null
    assert.equal(problemOf(await relayMail('mail_8', 'gil@example.com')), null)
  })

  test('an accepted mail is not relayed again when the app repeats it with the same id', async () => {
    for (let times = 0; times < 3; times++)
      assert.equal(problemOf(await relayMail('mail_9', 'hal@example.com')), null)
    assert.equal(sink.received.length, 1)
    assert.equal(listMails(cloud.store, { to: 'hal@example.com' }).length, 1)
  })

  test('after a connection lost before the last reply, the mail is sent again with the same Message-ID', async () => {
    sink.settle = () => 'lost'
    assert.equal(problemOf(await relayMail('mail_10', 'ida@example.com'))?.[0], 'E_DELIVERY_FAILED')
    sink.settle = () => null
    assert.equal(problemOf(await relayMail('mail_10', 'ida@example.com')), null)
    const ids = await Promise.all([readMailAt(0), readMailAt(1)])
    assert.deepEqual(
      ids.map(({ messageId }) => messageId),
      Array(2).fill('<mail_10@mail.slipway.test>'),
    )
  })

  test('no recipient is marked as bounced when the mail server cannot be reached or refuses the sign-in', async () => {
    const away = await openMailServer()
    await away.close()
    for (const url of [away.url, sink.url.replace('//', '//shop:wrong@')]) {
      const id = `mail_11 ${url}`
      assert.equal(
        problemOf(await relayMail(id, 'jo@example.com', {}, { url, from: null }))?.[0],
        'E_DELIVERY_FAILED',
      )
    }
    assert.equal(problemOf(await relayMail('mail_12', 'jo@example.com')), null)
  })

  for (const encryption of ['starttls', 'tls'] as const)
    test(`over ${encryption}, mail goes to a server with an untrusted certificate only if the server's URL allows that`, async () => {
      const secure = await openMailServer(encryption)
      try {
        const [code, message] =
          problemOf(
            await relayMail(`mail_13 ${encryption}`, 'kim@example.com', {}, { url: secure.url, from: null }),
          ) ?? []
        assert.equal(code, 'E_DELIVERY_FAILED')
        assert.match(message ?? '', /certificate/i)
        assert.equal(secure.received.length, 0)
        const url = `${secure.url}/?tls.rejectUnauthorized=false`
        assert.equal(
          problemOf(await relayMail(`mail_14 ${encryption}`, 'kim@example.com', {}, { url, from: null })),
          null,
        )
        assert.equal(secure.received.length, 1)
      } finally {
        await secure.close()
      }
    })
})

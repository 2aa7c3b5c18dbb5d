import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type MailServer, openMailServer, readMail } from '../testing/providers/mail-server.ts'
import { describeRefusal, isFinal, sendMessage } from './smtp.ts'

const MESSAGE = { subject: 'Join Acme', text: 'Hello\n', html: '<p>Hello</p>' }

describe('sending a mail', () => {
  let server: MailServer
  beforeEach(async () => {
    server = await openMailServer()
  })
  afterEach(() => server.close())
  const send = (to: string, from = 'slipway@acme.test', signal = new AbortController().signal) =>
    sendMessage({ smtpUrl: server.url, from }, { id: 'mail_1', to, message: MESSAGE }, signal)

  test("the message id of a mail is its row's id at the sender's domain, in each form of a sender", async () => {
    for (const [from, host] of [
      ['slipway@acme.test', 'acme.test'],
      ['Acme <slipway@acme.test>', 'acme.test'],
      ['"Slipway @ Acme" <slipway@mail.acme.test>', 'mail.acme.test'],
      ['"support@shop" <slipway@acme.test>', 'acme.test'],
      ['<slipway@acme.test> ', 'acme.test'],
    ] as const) {
      await send('ada@example.test', from)
      assert.equal((await readMail(server, server.received.length - 1)).messageId, `<mail_1@${host}>`, from)
    }
  })

  test('a mail has one recipient, also when the address contains characters that separate recipients', async () => {
    await send('"a,b"@example.test')
    assert.deepEqual(
      server.received.map(({ to }) => to),
      [['"a,b"@example.test']],
    )
    for (const several of ['ada@example.test, eve@evil.test', 'ada@example.test;eve@evil.test'])
      await send(several).catch(() => undefined)
    assert.ok(server.received.every(({ to }) => to.length === 1 && !to.includes('eve@evil.test')))
  })

  test('no mail is sent after the process begins to stop, and a sending in progress is cancelled', async () => {
    const stopped = AbortSignal.abort(new Error('stopping'))
    await assert.rejects(send('ada@example.test', undefined, stopped), /stopping/)
    assert.equal(server.received.length, 0)
    const stopping = new AbortController()
    server.refuse = () => {
      stopping.abort(new Error('stopping now'))
      return null
    }
    await assert.rejects(send('ada@example.test', undefined, stopping.signal), /stopping now/)
  })

  test('only a 5xx reply of the mail server is final: a 4xx reply, a lost reply and an unreachable server can be retried', async () => {
    const failureOf = async () => {
      const failure: unknown = await send('ada@example.test').then(
        () => null,
        (error: unknown) => error,
      )
      assert.ok(failure instanceof Error)
      return failure
    }
    for (const [code, final] of [
      [450, false],
      [499, false],
      [550, true],
      [599, true],
    ] as const) {
      server.refuse = () => ({ code, message: 'mailbox of ada' })
      const failure = await failureOf()
      assert.deepEqual([isFinal(failure), describeRefusal(failure)], [final, `${code} mailbox of ada`])
    }
    server.refuse = () => null
    server.settle = () => 'lost'
    assert.equal(isFinal(await failureOf()), false)
    await server.close()
    const gone = await failureOf()
    assert.equal(isFinal(gone), false)
    assert.match(describeRefusal(gone), /ECONNREFUSED/)
    server = await openMailServer()
  })

  test('the reason why a mail was refused has at most 500 characters, and exists for any thrown value', () => {
    assert.equal(describeRefusal(Object.assign(new Error('x'), { response: 'y'.repeat(900) })).length, 500)
    assert.equal(describeRefusal('just text'), 'just text')
    assert.equal(describeRefusal(undefined), 'undefined')
    for (const code of ['550', null, Number.NaN])
      assert.equal(isFinal(Object.assign(new Error('x'), { responseCode: code })), false)
  })
})

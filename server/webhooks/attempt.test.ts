import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newSigningSecret } from '../crypto/signature.ts'
import { openReceiver, type Receiver, type Reply } from '../testing/receiver.ts'
import { openSender, type WebhookSender } from './attempt.ts'

const at = new Date('2026-11-20T18:00:00.000Z')

describe('one delivery attempt', () => {
  let receiver: Receiver
  const senders: WebhookSender[] = []
  before(async () => {
    receiver = await openReceiver()
  })
  after(async () => {
    await Promise.all(senders.map((sender) => sender.close()))
    await receiver.close()
  })

  const testSender = (options: Parameters<typeof openSender>[0] = { allow: ['127.0.0.1'] }) => {
    const one = openSender(options)
    senders.push(one)
    return one
  }
  const postTo = (
    to: WebhookSender,
    url = receiver.url,
    reply: Reply = (res) => res.writeHead(204).end(),
  ) => {
    receiver.reply(reply)
    const delivery = {
      eventId: 'evt_1',
      type: 'project.created',
      body: '{}',
      url,
      secret: newSigningSecret(),
    }
    return to.send(delivery, at)
  }
  const resolvingTo = (...addresses: string[]) => ({
    allow: [],
    lookup: () => Promise.resolve(addresses.map((address) => ({ address, family: 4 }))),
  })

  test('a webhook delivery does not connect to a host that resolves to a private address, even if it was public when saved', async () => {
    const before = receiver.received.length
    const url = `http://hooks.example.test:${receiver.port}/in`
    assert.equal(await postTo(testSender(resolvingTo('127.0.0.1')), url), false)
    assert.equal(await postTo(testSender(resolvingTo('8.8.8.8', '127.0.0.1')), url), false)
    assert.equal(await postTo(testSender({ allow: [] }), receiver.url), false)
    assert.equal(
      await postTo(testSender({ allow: [] }), `http://[::ffff:127.0.0.1]:${receiver.port}/`),
      false,
    )
    assert.equal(receiver.received.length, before)
    const listed = { ...resolvingTo('127.0.0.1'), allow: ['hooks.example.test'] }
    assert.equal(await postTo(testSender(listed), url), true)
    assert.equal(receiver.received.length, before + 1)
  })

  test('a webhook delivery does not follow a redirect, even to an address that is allowed', async () => {
    const before = receiver.received.length
    const redirectReply: Reply = (res) => res.writeHead(307, { location: receiver.url }).end()
    assert.equal(await postTo(testSender(), receiver.url, redirectReply), false)
    assert.equal(receiver.received.length, before + 1)
  })

  test('a webhook delivery attempt fails when the receiver does not respond in time', async () => {
    const hasty = testSender({ allow: ['127.0.0.1'], answerMsMax: 50 })
    assert.equal(await postTo(hasty, receiver.url, () => {}), false)
    const processingReply: Reply = (res) => res.writeProcessing()
    assert.equal(await postTo(hasty, receiver.url, processingReply), false, 'a 102 is not an answer yet')
    const unendedReply: Reply = (res) => void res.writeHead(200).write('and then nothing more')
    const patient = testSender({ allow: ['127.0.0.1'], answerMsMax: 3000 })
    assert.equal(await postTo(patient, receiver.url, unendedReply), true, 'the status came in time')
  })

  test('a webhook delivery attempt fails without a connection, with an unresolvable name, or when the protocol is not HTTP', async () => {
    const unresolved = { allow: [], lookup: () => Promise.reject(new Error('ENOTFOUND')) }
    assert.equal(await postTo(testSender(), 'http://127.0.0.1:1/'), false)
    assert.equal(await postTo(testSender(unresolved), 'https://gone.example.test/'), false)
    assert.equal(
      await postTo(testSender(), `https://127.0.0.1:${receiver.port}/`),
      false,
      'TLS to a plain port',
    )
  })

  test('closing the webhook sender aborts delivery attempts in flight', async () => {
    const one = testSender()
    const pending = postTo(one, receiver.url, () => {})
    await receiver.until(receiver.received.length + 1)
    await one.close()
    assert.equal(await pending, false)
  })
})

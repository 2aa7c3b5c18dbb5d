import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import type { Objects } from '../kernel/objects/objects.ts'
import { importInWorkerd } from '../kernel/objects/workerd.test.fixture.ts'
import type { EndpointSettings } from './settings.ts'
import type { HookCalls, HookScheme, HookSpec } from './types.ts'

const NOW = Date.parse('2026-11-20T10:00:00Z')
const SECRET = 'secret of the sender'
const HASH = 'release-1'
const importRpc = () => importInWorkerd(() => import('./rpc.ts'))

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('webhook messages in the live worker', () => {
  let handleHook: Awaited<ReturnType<typeof importRpc>>['handleHook']
  let calls: { object: string; kind: string; given: unknown }[]
  let answer: unknown
  let env: Record<string, unknown>
  before(async () => {
    handleHook = (await importRpc()).handleHook
  })
  beforeEach(() => {
    mock.timers.reset()
    mock.timers.enable({ apis: ['Date'], now: NOW })
    calls = []
    answer = { ok: true, value: { id: 'r1', isNew: true } }
    env = { HOOK_PAY_SECRET: SECRET, HOOK_SEND_KEY: 'c2VjcmV0' }
  })
  after(() => mock.timers.reset())

  /** Removes the last call to the object and returns its input. */
  function lastGiven<Given>(): Given {
    const call = calls.pop()
    assert.ok(call !== undefined)
    return call.given as Given
  }
  /** Returns the result of a call: its value or its error. */
  async function ask<Kind extends keyof HookCalls>(kind: Kind, asked: HookCalls[Kind]['ask']) {
    const hook = async (object: string, call: string, given: unknown) => {
      calls.push({ object, kind: call, given })
      return answer
    }
    const objects = {
      getByName: (name: string) => ({ hook: (call: string, given: unknown) => hook(name, call, given) }),
    } as unknown as Objects
    const result = await handleHook({ objects, tier: 'production', env }, HASH, kind, asked)
    if (result.ok) return result.value
    return 'error' in result ? result.error : 'unprepared'
  }
  const specOf = (scheme: HookScheme, more: Partial<HookSpec> = {}): HookSpec => ({
    name: 'pay',
    scheme,
    collection: 'payments',
    handler: 'on-payment',
    ...more,
  })
  const setEndpoints = (endpoints: Record<string, EndpointSettings>) =>
    void (env['HOOK_ENDPOINTS'] = JSON.stringify(endpoints))
  const receive = (body: string, headers: Record<string, string>, spec: HookSpec | null, name = 'pay') => {
    const bytes = new TextEncoder().encode(body).buffer
    return ask('receive', { name, spec, message: { headers, bytes } })
  }
  const github = (body: string, more: Record<string, string> = {}) => {
    const signature = createHmac('sha256', SECRET).update(body).digest('hex')
    return receive(body, { 'x-hub-signature-256': `sha256=${signature}`, ...more }, specOf('github'))
  }
  const slack = (body: string, key = SECRET) => {
    const seconds = String(NOW / 1000)
    const signature = createHmac('sha256', key).update(`v0:${seconds}:${body}`).digest('hex')
    const headers = { 'x-slack-request-timestamp': seconds, 'x-slack-signature': `v0=${signature}` }
    return receive(body, headers, specOf('slack'))
  }
  const unauthorized = (message: string) => ({ code: 'unauthorized', message })

  test("a signed webhook message reaches the app's Durable Object with its describing headers but without its signature", async () => {
    const headers = {
      'x-github-event': 'push',
      'x-github-delivery': 'd1',
      authorization: 'Bearer x',
      cookie: 'a=b',
    }
    assert.deepEqual(await github('{"n":1}', headers), { id: 'r1', isNew: true })
    const delivery = {
      endpoint: 'pay',
      collection: 'payments',
      handler: 'on-payment',
      deliveryId: 'd1',
      headers: { 'x-github-event': 'push', 'x-github-delivery': 'd1' },
      body: { n: 1 },
    }
    assert.deepEqual(calls, [{ object: 'data:app', kind: 'take', given: { hash: HASH, delivery } }])
  })

  test('a webhook body that is not JSON is kept as text, and a message without an id is identified by the hash of its body', async () => {
    for (const [body, kept] of [
      ['a=1&b=2', 'a=1&b=2'],
      ['', ''],
      ['{"n":', '{"n":'],
      ['5', 5],
      ['null', null],
    ] as const) {
      calls = []
      await github(body)
      const { delivery } = lastGiven<{ delivery: { body: unknown; deliveryId: string } }>()
      assert.deepEqual([delivery.body, delivery.deliveryId], [kept, sha256(body)], body)
    }
  })

  test('a webhook message that is not signed with the secret of its endpoint reaches no Durable Object', async () => {
    const forged = createHmac('sha256', 'other').update('{}').digest('hex')
    const wrong = 'The signature was made with another secret or over other bytes.'
    const signed = (value: string) => receive('{}', { 'x-hub-signature-256': value }, specOf('github'))
    assert.deepEqual(await signed(`sha256=${forged}`), unauthorized(wrong))
    assert.deepEqual(await signed(''), unauthorized('The signature is missing.'))
    assert.deepEqual(await receive('{}', {}, specOf('github')), unauthorized('The signature is missing.'))
    const secretless = 'This endpoint has no secret yet, so it accepts nothing.'
    for (const given of [undefined, '', 5]) {
      env['HOOK_PAY_SECRET'] = given
      assert.deepEqual(await github('{}'), unauthorized(secretless))
    }
    assert.deepEqual(calls, [])
  })

  test('a webhook endpoint that neither the app nor the operator declares is reported as not found', async () => {
    setEndpoints({ other: { scheme: 'github' }, pay: { collection: 'payments' } })
    const missing = { code: 'not_found', message: 'There is no such endpoint.' }
    for (const name of ['pay', 'none', '', 'toString', '__proto__'])
      assert.deepEqual(await receive('{}', {}, null, name), missing, name)
    assert.deepEqual(calls, [])
  })

  test('a webhook message to an endpoint that only the operator declares is stored in its collection, and runs no handler', async () => {
    const signature = createHmac('sha256', SECRET).update('{}').digest('hex')
    const headers = { 'x-hub-signature-256': `sha256=${signature}` }
    const stored = async () => {
      await receive('{}', headers, null)
      const { delivery } = lastGiven<{ delivery: { collection: string; handler: string | null } }>()
      return [delivery.collection, delivery.handler]
    }
    setEndpoints({ pay: { scheme: 'github' } })
    assert.deepEqual(await stored(), ['hookEvents', null])
    setEndpoints({ pay: { scheme: 'github', collection: 'events' } })
    assert.deepEqual(await stored(), ['events', null])
  })

  test('the declaration of a webhook endpoint in the app has precedence over the settings of the operator', async () => {
    setEndpoints({ pay: { scheme: 'stripe', collection: 'events' } })
    await github('{}')
    const { delivery } = lastGiven<{ delivery: { collection: string } }>()
    assert.equal(delivery.collection, 'payments')
  })

  test('a signed handshake of Slack gets a response and is not stored', async () => {
    const body = JSON.stringify({ type: 'url_verification', challenge: 'c1' })
    assert.deepEqual(await slack(body), { challenge: 'c1' })
    assert.deepEqual(
      await slack(body, 'other'),
      unauthorized('The signature was made with another secret or over other bytes.'),
    )
    assert.deepEqual(calls, [])
    for (const other of [
      { type: 'url_verification', challenge: 5 },
      { type: 'event_callback', challenge: 'c1' },
    ])
      assert.deepEqual(await slack(JSON.stringify(other)), { id: 'r1', isNew: true })
    assert.deepEqual(await github(body), { id: 'r1', isNew: true })
  })

  test('a webhook body that is nested too deeply is refused', async () => {
    const deep = '['.repeat(200) + ']'.repeat(200)
    const refusal = { code: 'invalid_request', message: 'body: is nested too deeply', field: 'body' }
    assert.deepEqual([await github(deep), calls], [refusal, []])
  })

  test("receiving a webhook returns `unprepared` when the Durable Object does not know the release, or the object's error", async () => {
    answer = null
    assert.equal(await github('{}'), 'unprepared')
    const error = { code: 'invalid_request', message: 'customer: is required', field: 'customer' }
    answer = { ok: false, error }
    assert.deepEqual(await github('{}'), error)
  })

  test('an outgoing webhook message is stored for delivery only if its address is a public https address', async () => {
    answer = { ok: true, value: { id: 'm1' } }
    const send = (url: unknown) => ask('send', { url: url as string, type: 'order.made', data: { n: 1 } })
    assert.deepEqual(await send('https://shop.example.com/hook#top'), { id: 'm1' })
    assert.equal(calls[0]?.kind, 'send')
    const { id, url, body } = lastGiven<{ id: string; url: string; body: string }>()
    assert.match(id, /^msg_[\da-f]{32}$/)
    assert.deepEqual(
      [url, JSON.parse(body)],
      [
        'https://shop.example.com/hook',
        { type: 'order.made', timestamp: '2026-11-20T10:00:00.000Z', data: { n: 1 } },
      ],
    )
    for (const address of [
      'http://shop.example.com/',
      'https://127.0.0.1/',
      'https://localhost/',
      '',
      null,
    ]) {
      const refusal = await send(address)
      assert.deepEqual(
        [Reflect.get(refusal as object, 'code'), Reflect.get(refusal as object, 'field')],
        ['invalid_request', 'url'],
        String(address),
      )
    }
    delete env['HOOK_SEND_KEY']
    assert.deepEqual(await send('https://shop.example.com/'), {
      code: 'not_enabled',
      message: 'Give the capability hook a key to sign with before the app sends.',
    })
    assert.deepEqual(calls, [])
  })
})

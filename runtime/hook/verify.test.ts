import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { Stripe } from 'stripe'
import type { EndpointSettings } from './settings.ts'
import type { HookScheme } from './types.ts'
import { deliveryIdOf, standardSignature, verifyMessage } from './verify.ts'

const NOW_MS = Date.UTC(2026, 10, 24)
const NOW_S = NOW_MS / 1000
const BODY = '{"id":"evt_1","type":"invoice.paid"}'
const SECRET = 'a secret of the sender'
const STANDARD = `whsec_${Buffer.from('a standard key of 32 bytes length').toString('base64')}`

type Headers = Record<string, string>
const encodeUtf8 = (text: string) => new Uint8Array(Buffer.from(text)).buffer
const hmacOf = (text: string, encoding: 'hex' | 'base64', secret: string | Uint8Array = SECRET) =>
  createHmac('sha256', secret).update(text).digest(encoding)

interface Case {
  scheme: HookScheme
  secret?: string
  details?: Omit<EndpointSettings, 'scheme' | 'collection'>
  /** Returns the headers that the sender would send with `body`, signed at `seconds` (Unix time). */
  signed(body: string, seconds: number, secret: string): Headers
  isTimed: boolean
}

const CASES: Record<string, Case> = {
  standard: {
    scheme: 'standard',
    secret: STANDARD,
    isTimed: true,
    signed: (body, seconds, secret) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(seconds),
      // While a secret is being replaced, a message has two signatures. Here the first one is made with the other secret.
      'webhook-signature': `v1,bm8= v1,${hmacOf(`msg_1.${seconds}.${body}`, 'base64', Buffer.from(secret.slice(6), 'base64'))}`,
    }),
  },
  stripe: {
    scheme: 'stripe',
    isTimed: true,
    signed: (payload, timestamp, secret) => ({
      'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }),
    }),
  },
  slipway: {
    scheme: 'slipway',
    isTimed: true,
    signed: (payload, timestamp, secret) => ({
      'service-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }),
    }),
  },
  github: {
    scheme: 'github',
    isTimed: false,
    signed: (body, _at, secret) => ({ 'x-hub-signature-256': `sha256=${hmacOf(body, 'hex', secret)}` }),
  },
  shopify: {
    scheme: 'shopify',
    isTimed: false,
    signed: (body, _at, secret) => ({ 'x-shopify-hmac-sha256': hmacOf(body, 'base64', secret) }),
  },
  slack: {
    scheme: 'slack',
    isTimed: true,
    signed: (body, seconds, secret) => ({
      'x-slack-request-timestamp': String(seconds),
      'x-slack-signature': `v0=${hmacOf(`v0:${seconds}:${body}`, 'hex', secret)}`,
    }),
  },
  'token as a bearer': {
    scheme: 'token',
    isTimed: false,
    signed: (_body, _at, secret) => ({ authorization: `Bearer ${secret}` }),
  },
  'token in a header of its own': {
    scheme: 'token',
    details: { header: 'X-Gitlab-Token' },
    isTimed: false,
    signed: (_body, _at, secret) => ({ 'x-gitlab-token': secret }),
  },
  'hmac with a template': {
    scheme: 'hmac',
    details: { header: 'X-Sig', encoding: 'base64', prefix: 'v2=', signed: '{x-at}:{body}' },
    isTimed: false,
    signed: (body, _at, secret) => ({ 'x-at': '7', 'x-sig': `v2=${hmacOf(`7:${body}`, 'base64', secret)}` }),
  },
}

describe('the signature of a webhook message', () => {
  for (const [name, { scheme, secret = SECRET, details = {}, signed, isTimed }] of Object.entries(CASES)) {
    const check = (headers: Headers, body = BODY, nowMs = NOW_MS, key = secret) =>
      verifyMessage(scheme, { headers, bytes: encodeUtf8(body) }, { secret: key, details, nowMs })
    const refused = (run: () => void, why: string) => assert.throws(run, { code: 'unauthorized' }, why)

    test(`a webhook with the signature scheme "${name}" is accepted only with all its headers unchanged and the right secret`, () => {
      const good = signed(BODY, NOW_S, secret)
      check(good)
      const other =
        secret === STANDARD ? `whsec_${Buffer.from('x'.repeat(32)).toString('base64')}` : 'another secret'
      refused(() => check(good, BODY, NOW_MS, other), 'another secret')
      if (scheme !== 'token') refused(() => check(good, `${BODY} `), 'an altered body')
      for (const header of Object.keys(good)) {
        const { [header]: value = '', ...rest } = good
        refused(() => check(rest), `without ${header}`)
        refused(() => check({ ...good, [header]: '' }), `an empty ${header}`)
        refused(() => check({ ...good, [header]: `${value.slice(0, -1)}%` }), `a changed ${header}`)
        refused(() => check({ ...good, [header]: '0' }), `${header} 0`)
      }
    })

    if (isTimed)
      test(`a webhook with the signature scheme "${name}" is accepted only if its signed time is at most five minutes off`, () => {
        for (const off of [-300, 300]) check(signed(BODY, NOW_S + off, secret))
        for (const off of [-301, 301])
          refused(() => check(signed(BODY, NOW_S + off, secret)), `${off} seconds`)
      })
  }

  test("the example webhooks in the senders' own documentation pass verification", () => {
    const verify = (scheme: HookScheme, secret: string, headers: Headers, body: string, seconds = NOW_S) =>
      verifyMessage(
        scheme,
        { headers, bytes: encodeUtf8(body) },
        { secret, details: {}, nowMs: seconds * 1000 },
      )
    const github = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
    verify('github', "It's a Secret to Everybody", { 'x-hub-signature-256': github }, 'Hello, World!')
    verify(
      'slack',
      '8f742231b10e8888abcd99yyyzzz85a5',
      {
        'x-slack-request-timestamp': '1531420618',
        'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
      },
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
      1_531_420_618,
    )
    const ping = {
      id: 'msg_loFOjxBNrRLzqYUf',
      seconds: '1731705121',
      body: '{"event_type":"ping","data":{"success":true}}',
    }
    assert.equal(
      standardSignature('whsec_plJ3nmyCDGBKInavdOK15jsl', ping),
      'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
    )
  })
})

describe('the id of a webhook message', () => {
  const idOf = (scheme: HookScheme, headers: Headers, body: unknown = null) =>
    deliveryIdOf(scheme, { headers, bytes: encodeUtf8(BODY) }, body)

  test('a webhook message is identified by the id that its sender gives it, or else by a hash of its body', () => {
    assert.equal(idOf('github', { 'x-github-delivery': 'd-1' }), 'd-1')
    assert.equal(idOf('stripe', {}, { id: 'evt_1' }), 'evt_1')
    assert.equal(idOf('slipway', { 'service-delivery-id': 'evt_2' }), 'evt_2')
    const hash = idOf('hmac', {})
    assert.match(hash, /^[0-9a-f]{64}$/)
    for (const odd of [{ id: 7 }, { id: '' }, { id: 'x'.repeat(201) }, 'text', null])
      assert.equal(idOf('stripe', {}, odd), hash)
  })
})

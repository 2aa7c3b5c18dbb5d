import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { assert as assertProperty, asyncProperty, string, uint8Array } from 'fast-check'
import { Stripe } from 'stripe'
import { signWebhook, verifySignature, verifyWebhook, WebhookSignatureError } from './webhook.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw/+=='
const NOW = new Date('2026-11-21T07:00:00.700Z')
const TIMESTAMP = Math.floor(NOW.getTime() / 1000)
const EVENT = {
  id: 'evt_1',
  type: 'ticket.created',
  projectId: 'prj_1',
  createdAt: 1,
  data: { title: 'Ä 🌱' },
}
const BODY = JSON.stringify(EVENT)

/** Signs with Node's own HMAC, so that the tests do not verify the code with itself. */
const headerOf = (body: string | Uint8Array, t: number | string = TIMESTAMP, secret = SECRET) =>
  `t=${t},v1=${createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')}`

const verifyProblem = async (header: string | null, body: string | Uint8Array = BODY, now = NOW) => {
  try {
    await verifyWebhook({ payload: body, header, secret: SECRET, now })
    return null
  } catch (error) {
    return error instanceof WebhookSignatureError ? error.problem : 'threw'
  }
}

describe('verifyWebhook', () => {
  test('verifyWebhook returns the event of a correctly signed body, as text and as bytes', async () => {
    for (const payload of [BODY, new TextEncoder().encode(BODY)]) {
      const header = headerOf(BODY)
      assert.deepEqual(await verifyWebhook({ payload, header, secret: SECRET, now: NOW }), EVENT)
    }
  })

  test('a webhook signature with another secret, over other bytes or with another time is rejected as wrong', async () => {
    assert.equal(await verifyProblem(headerOf(BODY, TIMESTAMP, 'whsec_other')), 'wrong')
    assert.equal(await verifyProblem(headerOf(BODY), `${BODY} `), 'wrong')
    assert.equal(await verifyProblem(headerOf(BODY).replace(`t=${TIMESTAMP}`, `t=${TIMESTAMP - 1}`)), 'wrong')
  })

  test('a webhook signature is accepted up to 300 seconds before or after now, and refused from 301 seconds on', async () => {
    for (const [t, problem] of [
      [TIMESTAMP - 300, null],
      [TIMESTAMP + 300, null],
      [TIMESTAMP - 301, 'stale'],
      [TIMESTAMP + 301, 'stale'],
    ] as const)
      assert.equal(await verifyProblem(headerOf(BODY, t)), problem, String(t - TIMESTAMP))
    const header = headerOf(BODY, TIMESTAMP - 10)
    await assert.rejects(
      verifyWebhook({ payload: BODY, header, secret: SECRET, now: NOW, toleranceSeconds: 9 }),
      { problem: 'stale' },
    )
  })

  test('an old webhook signature is accepted with an infinite tolerance, but never when tolerance or time is not a number', async () => {
    const at = { payload: BODY, header: headerOf(BODY, 1), secret: SECRET }
    await verifySignature({ ...at, now: NOW, toleranceSeconds: Infinity })
    for (const wrong of [
      { toleranceSeconds: Number.NaN },
      { toleranceSeconds: -1 },
      { now: new Date('never') },
    ])
      await assert.rejects(verifySignature({ ...at, now: NOW, ...wrong }), { problem: 'stale' })
  })

  test('a webhook signature is never accepted with an empty secret, as when the setting for it is missing', async () => {
    const header = headerOf(BODY, TIMESTAMP, '')
    await assert.rejects(verifySignature({ payload: BODY, header, secret: '', now: NOW }), {
      name: 'DataError',
    })
    await assert.rejects(signWebhook({ payload: BODY, secret: '' }), { name: 'DataError' })
  })

  test('a webhook signature header that deviates in any way from its format is reported as malformed', async () => {
    const good = headerOf(BODY)
    for (const bad of [
      null,
      '',
      good.toUpperCase(),
      ` ${good}`,
      `${good} `,
      good.replace(',', ', '),
      good.slice(0, -1),
      `${good},v1=${'0'.repeat(64)}`,
      good.replace('v1', 'v0'),
      good.replace(`t=${TIMESTAMP}`, `t=0${TIMESTAMP}`),
      good.split(',').toReversed().join(','),
    ])
      assert.equal(await verifyProblem(bad), 'malformed', String(bad))
  })

  test('a correctly signed webhook body that is not an event is reported with the problem "body"', async () => {
    for (const body of ['', 'null', '[]', '{"id":1,"type":"x"}', '{'])
      assert.equal(await verifyProblem(headerOf(body), body), 'body', body)
  })
})

describe('signWebhook', () => {
  test('signWebhook creates a valid signature for any bytes and any secret', async () => {
    await assertProperty(
      asyncProperty(uint8Array(), string({ minLength: 1 }), async (payload, secret) => {
        const header = await signWebhook({ payload, secret, now: NOW })
        assert.equal(header, headerOf(payload, TIMESTAMP, secret))
        await verifySignature({ payload, header, secret, now: NOW })
      }),
      { numRuns: 50 },
    )
  })

  test('the Stripe library accepts a signature of signWebhook, because Stripe uses the same scheme', async () => {
    const header = await signWebhook({ payload: BODY, secret: SECRET })
    const { webhooks } = new Stripe('unused')
    assert.deepEqual(webhooks.constructEvent(BODY, header, SECRET), EVENT)
  })
})

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { changeEndpoint, createEndpoint, findEndpoint, listEndpoints, removeEndpoint } from './endpoints.ts'
import { errorResponse, okResponse, startStripe } from './testing.ts'

const URL = 'https://shop.test/hook'
const endpoint = (id: string, project?: string) => ({
  id,
  url: URL,
  status: 'enabled',
  metadata: project === undefined ? {} : { project },
  enabled_events: ['charge.refunded'],
})
const EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.paid',
  'invoice.payment_failed',
  'charge.refunded',
  'charge.dispute.closed',
]
const gone = errorResponse(404, { code: 'resource_missing', message: 'No such webhook endpoint' })

describe('webhook endpoints at Stripe', () => {
  let stripe: Awaited<ReturnType<typeof startStripe>>
  before(async () => {
    stripe = await startStripe()
  })
  afterEach(() => stripe.reset())
  after(() => stripe.close())
  /** The fields of the n-th request. A list is encoded as several fields. */
  const sent = (nth = 0) => Object.fromEntries(new URLSearchParams(stripe.received[nth]?.body))

  test('the Stripe webhook endpoints of a project are the endpoints with its id in their metadata, from all pages of the list', async () => {
    stripe.script(
      okResponse({ data: [endpoint('we_1', 'p2'), endpoint('we_2', 'p1')], has_more: true }),
      okResponse({ data: [endpoint('we_3'), endpoint('we_4', 'p1')], has_more: false }),
    )
    assert.deepEqual(await listEndpoints(stripe.access, 'p1'), [
      endpoint('we_2', 'p1'),
      endpoint('we_4', 'p1'),
    ])
    assert.deepEqual(stripe.calls(), [
      'GET /webhook_endpoints?limit=100',
      'GET /webhook_endpoints?limit=100&starting_after=we_2',
    ])
    assert.deepEqual(stripe.records, [])
  })

  test('a Stripe webhook endpoint is created for all payment events, and its secret is returned', async () => {
    stripe.script(okResponse({ ...endpoint('we_1', 'p1'), secret: 'whsec_1' }))
    const wish = { url: URL, projectId: 'p1', projectName: 'Shop' }
    assert.deepEqual(await createEndpoint(stripe.access, wish), {
      ...endpoint('we_1', 'p1'),
      secret: 'whsec_1',
    })
    const { api_version: version, ...fields } = sent()
    assert.match(version ?? '', /^20\d\d-\d\d-\d\d/)
    assert.deepEqual(fields, {
      url: URL,
      description: 'Slipway: Shop',
      'metadata[project]': 'p1',
      ...Object.fromEntries(EVENTS.map((event, n) => [`enabled_events[${n}]`, event])),
    })
    assert.deepEqual(stripe.records, [`webhook_endpoint.created ${URL} ok`])
  })

  test('creating a Stripe webhook endpoint throws when the response has no secret, and is recorded as failed', async () => {
    stripe.script(okResponse(endpoint('we_1', 'p1')))
    const wish = { url: URL, projectId: 'p1', projectName: 'Shop' }
    await assert.rejects(createEndpoint(stripe.access, wish), { name: 'StripeError' })
    assert.deepEqual(stripe.records, [`webhook_endpoint.created ${URL} failed`])
  })

  test('changing a Stripe webhook endpoint sends its URL and all events again, and is recorded as enabled or disabled', async () => {
    stripe.answer = okResponse(endpoint('we_1', 'p1'))
    for (const disabled of [true, false]) await changeEndpoint(stripe.access, 'we/1', { url: URL, disabled })
    assert.deepEqual(
      stripe.received.map(({ method, url }) => `${method} ${url}`),
      Array(2).fill('POST /webhook_endpoints/we%2F1'),
    )
    const events = Object.fromEntries(EVENTS.map((event, n) => [`enabled_events[${n}]`, event]))
    assert.deepEqual(
      [sent(0), sent(1)],
      [
        { url: URL, disabled: 'true', ...events },
        { url: URL, disabled: 'false', ...events },
      ],
    )
    assert.deepEqual(stripe.records, [
      `webhook_endpoint.disabled ${URL} ok`,
      `webhook_endpoint.enabled ${URL} ok`,
    ])
  })

  test('looking up a webhook endpoint that Stripe no longer has returns null, and removing it succeeds', async () => {
    stripe.answer = gone
    assert.equal(await findEndpoint(stripe.access, 'we/1'), null)
    await removeEndpoint(stripe.access, endpoint('we/1', 'p1'))
    assert.deepEqual(
      stripe.received.map(({ method, url }) => `${method} ${url}`),
      ['GET /webhook_endpoints/we%2F1', 'DELETE /webhook_endpoints/we%2F1'],
    )
    assert.deepEqual(stripe.records, [`webhook_endpoint.removed ${URL} ok`])
  })

  test('a webhook endpoint does not count as missing when Stripe refuses the key', async () => {
    stripe.answer = errorResponse(401, { message: 'Invalid API Key' })
    await assert.rejects(findEndpoint(stripe.access, 'we_1'), { fault: 'bad_secret' })
    await assert.rejects(removeEndpoint(stripe.access, endpoint('we_1')), { fault: 'bad_secret' })
    assert.deepEqual(stripe.records, [`webhook_endpoint.removed ${URL} failed`])
  })
})

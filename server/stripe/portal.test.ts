import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import { openPortal } from './portal.ts'
import { errorResponse, okResponse, startStripe } from './testing.ts'

const LIST = 'GET /billing_portal/configurations?active=true&limit=100'
const WISH = { customerId: 'cus_1', returnUrl: 'https://slipway.test/billing', priceIds: ['p1', 'p2', 'p3'] }
const MARK = createHash('sha256').update('p1 p2 p3').digest('hex').slice(0, 32)
const known = { id: 'bpc_1', metadata: { slipway_plans: MARK } }
const opened = okResponse({ url: 'https://portal.test/1' })

describe('the customer portal of Stripe', () => {
  let stripe: Awaited<ReturnType<typeof startStripe>>
  before(async () => {
    stripe = await startStripe()
  })
  afterEach(() => stripe.reset())
  after(() => stripe.close())

  test("the customer portal opens with the existing configuration for the prices, even on a later page of Stripe's list", async () => {
    const others = [
      { id: 'bpc_9', metadata: {} },
      { id: 'bpc_8', metadata: { slipway_plans: 'other' } },
    ]
    stripe.script(
      okResponse({ data: others, has_more: true }),
      okResponse({ data: [known], has_more: false }),
      opened,
    )
    assert.equal(await openPortal(stripe.access, WISH), 'https://portal.test/1')
    assert.deepEqual(stripe.calls(), [
      LIST,
      `${LIST}&starting_after=bpc_8`,
      'POST /billing_portal/sessions customer=cus_1&return_url=https://slipway.test/billing&configuration=bpc_1',
    ])
    assert.deepEqual(stripe.records, ['portal.opened cus_1 ok'])
  })

  test('a portal configuration is created if none exists for the prices, grouped by product', async () => {
    const products: Record<string, string> = { p1: 'prod_a', p2: 'prod_b', p3: 'prod_a' }
    stripe.answer = (res, nth) => {
      const { url = '' } = stripe.received[nth - 1] ?? {}
      const id = /^\/prices\/(.+)$/.exec(url)?.[1] ?? ''
      const answer = url.startsWith('/prices/')
        ? okResponse({ id, product: products[id] })
        : url.includes('sessions')
          ? opened
          : nth === 1
            ? okResponse({ data: [], has_more: false })
            : okResponse(known)
      answer(res, nth)
    }
    await openPortal(stripe.access, WISH)
    const calls = stripe.calls()
    assert.deepEqual(calls.slice(1, 4).toSorted(), ['GET /prices/p1', 'GET /prices/p2', 'GET /prices/p3'])
    const update = 'features[subscription_update]'
    assert.equal(
      calls[4],
      `POST /billing_portal/configurations metadata[slipway_plans]=${MARK}&features[invoice_history][enabled]=true&` +
        'features[payment_method_update][enabled]=true&features[subscription_cancel][enabled]=true&' +
        `features[subscription_cancel][mode]=at_period_end&${update}[enabled]=true&` +
        `${update}[default_allowed_updates][0]=price&${update}[proration_behavior]=create_prorations&` +
        `${update}[products][0][product]=prod_a&${update}[products][0][prices][0]=p1&${update}[products][0][prices][1]=p3&` +
        `${update}[products][1][product]=prod_b&${update}[products][1][prices][0]=p2`,
    )
    assert.deepEqual(stripe.records, [`portal.configured ${MARK} ok`, 'portal.opened cus_1 ok'])
  })

  test('changing the plan opens the portal page where the customer confirms the change, and then returns to the service', async () => {
    stripe.script(okResponse({ data: [known], has_more: false }), opened)
    const change = { subscriptionId: 'sub_1', itemId: 'si_1', priceId: 'p2' }
    await openPortal(stripe.access, { ...WISH, change })
    const confirm = 'flow_data[subscription_update_confirm]'
    assert.equal(
      stripe.calls()[1],
      'POST /billing_portal/sessions customer=cus_1&return_url=https://slipway.test/billing&configuration=bpc_1&' +
        `flow_data[type]=subscription_update_confirm&${confirm}[subscription]=sub_1&${confirm}[items][0][id]=si_1&` +
        `${confirm}[items][0][price]=p2&${confirm}[items][0][quantity]=1&flow_data[after_completion][type]=redirect&` +
        'flow_data[after_completion][redirect][return_url]=https://slipway.test/billing',
    )
  })

  test('opening the customer portal for a customer that Stripe no longer has throws', async () => {
    stripe.script(
      okResponse({ data: [known], has_more: false }),
      errorResponse(400, { code: 'resource_missing', message: "No such customer: 'cus_1'" }),
    )
    await assert.rejects(openPortal(stripe.access, WISH), {
      code: 'resource_missing',
      message: "Stripe refused to open the customer portal: No such customer: 'cus_1'",
    })
    assert.deepEqual(stripe.records, ['portal.opened cus_1 failed'])
  })
})

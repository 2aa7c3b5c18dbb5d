import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import {
  cancelSubscription,
  createCustomer,
  expireCheckouts,
  listSubscriptions,
  openCheckout,
  renameCustomer,
} from './subscriptions.ts'
import { errorResponse, okResponse, startStripe } from './testing.ts'

const noCustomer = errorResponse(400, {
  code: 'resource_missing',
  message: "No such customer: 'cus_1'",
  param: 'customer',
})
const page = (...data: object[]) => okResponse({ data, has_more: false })
const subscription = (id: string) => ({
  id,
  status: 'active',
  cancel_at: null,
  cancel_at_period_end: false,
  items: { data: [{ id: `si_${id}`, current_period_end: 100, price: { id: 'price_1' } }] },
})
const OPEN_CHECKOUTS = 'GET /checkout/sessions?customer=cus_1&status=open&limit=100'
const ENDED = errorResponse(400, {
  message: 'Only Checkout Sessions with a status in ["open"] can be expired.',
})
const WISH = {
  customerId: 'cus_1',
  priceId: 'price_1',
  metadata: { organization: 'org_1' },
  successUrl: 'https://slipway.test/done',
  cancelUrl: 'https://slipway.test/back',
}

describe('subscriptions at Stripe', () => {
  let stripe: Awaited<ReturnType<typeof startStripe>>
  before(async () => {
    stripe = await startStripe()
  })
  afterEach(() => stripe.reset())
  after(() => stripe.close())

  test("the list of a customer's Stripe subscriptions includes ended subscriptions, from all pages", async () => {
    stripe.script(okResponse({ data: [subscription('s1')], has_more: true }), page(subscription('s2')))
    assert.deepEqual(await listSubscriptions(stripe.access, 'cus_1'), [
      subscription('s1'),
      subscription('s2'),
    ])
    assert.deepEqual(stripe.calls(), [
      'GET /subscriptions?customer=cus_1&status=all&limit=100',
      'GET /subscriptions?customer=cus_1&status=all&limit=100&starting_after=s1',
    ])
  })

  test('a customer that was deleted at Stripe has no subscriptions and no open checkouts', async () => {
    stripe.script(noCustomer, noCustomer)
    assert.deepEqual(await listSubscriptions(stripe.access, 'cus_1'), [])
    await expireCheckouts(stripe.access, 'cus_1')
    assert.equal(stripe.received.length, 2)
  })

  test('listing subscriptions throws when Stripe refuses the request, so that no subscription seems to have ended', async () => {
    stripe.script(errorResponse(403, { message: "It needs 'rak_subscription_read'." }))
    await assert.rejects(listSubscriptions(stripe.access, 'cus_1'), {
      fault: 'missing_scope',
      permission: 'rak_subscription_read',
    })
    stripe.reset()
    stripe.script(page({ ...subscription('s1'), items: {} }))
    await assert.rejects(listSubscriptions(stripe.access, 'cus_1'), {
      message: 'Stripe gave an unexpected answer.',
    })
  })

  test('cancelling a Stripe subscription ends it at once, and succeeds when the subscription no longer exists', async () => {
    stripe.script(okResponse({ id: 's1' }), errorResponse(404, { code: 'resource_missing' }))
    await cancelSubscription(stripe.access, 's1')
    await cancelSubscription(stripe.access, 's1')
    assert.deepEqual(stripe.calls(), ['DELETE /subscriptions/s1', 'DELETE /subscriptions/s1'])
    stripe.reset()
    stripe.script(errorResponse(400, { message: 'It is incomplete.' }))
    await assert.rejects(cancelSubscription(stripe.access, 's1'), {
      message: 'Stripe refused to cancel subscriptions: It is incomplete.',
    })
  })

  test('a Stripe customer is created with the given idempotency key, which a retry sends again', async () => {
    stripe.script(errorResponse(500, {}), okResponse({ id: 'cus_1' }))
    const input = { metadata: { organization: 'org_1' }, once: 'customer-org_1' }
    assert.equal(await createCustomer(stripe.access, input), 'cus_1')
    assert.deepEqual(
      stripe.received.map(({ once }) => once),
      ['customer-org_1', 'customer-org_1'],
    )
    assert.deepEqual(stripe.calls(), Array(2).fill('POST /customers metadata[organization]=org_1'))
    assert.deepEqual(stripe.records, ['customer.created customer ok'])
  })

  test('renaming a Stripe customer returns whether the customer still exists, and keeps the e-mail address when none is given', async () => {
    stripe.script(okResponse({ id: 'cus_1' }), errorResponse(404, { code: 'resource_missing' }))
    assert.equal(await renameCustomer(stripe.access, 'cus_1', { name: 'A', email: 'a@a.test' }), true)
    assert.equal(await renameCustomer(stripe.access, 'cus_1', { name: 'B' }), false)
    assert.deepEqual(stripe.calls(), [
      'POST /customers/cus_1 name=A&email=a@a.test',
      'POST /customers/cus_1 name=B',
    ])
  })

  test('a Stripe checkout is opened only after every earlier open checkout of the customer has been expired', async () => {
    stripe.script(
      page({ id: 'cs_1' }, { id: 'cs_2' }),
      okResponse({ id: 'cs_1' }),
      okResponse({ id: 'cs_2' }),
      okResponse({ url: 'https://checkout.test/3' }),
    )
    assert.equal(await openCheckout(stripe.access, WISH), 'https://checkout.test/3')
    assert.deepEqual(stripe.calls(), [
      OPEN_CHECKOUTS,
      'POST /checkout/sessions/cs_1/expire',
      'POST /checkout/sessions/cs_2/expire',
      'POST /checkout/sessions mode=subscription&customer=cus_1&line_items[0][price]=price_1&line_items[0][quantity]=1&' +
        'allow_promotion_codes=true&metadata[organization]=org_1&subscription_data[metadata][organization]=org_1&' +
        'success_url=https://slipway.test/done&cancel_url=https://slipway.test/back',
    ])
    assert.deepEqual(stripe.records, [
      'checkout.expired cs_1 ok',
      'checkout.expired cs_2 ok',
      'checkout.opened cus_1 ok',
    ])
  })

  test('a new Stripe checkout is opened even when an earlier checkout expired after it was listed and before it could be ended', async () => {
    stripe.script(
      page({ id: 'cs_1' }),
      ENDED,
      okResponse({ status: 'expired' }),
      okResponse({ url: 'https://c.test' }),
    )
    assert.equal(await openCheckout(stripe.access, WISH), 'https://c.test')
    assert.equal(stripe.calls()[2], 'GET /checkout/sessions/cs_1')
  })

  test('no Stripe checkout is opened when an earlier one has just been paid or cannot be ended', async () => {
    stripe.script(page({ id: 'cs_1' }), ENDED, okResponse({ status: 'complete' }))
    await assert.rejects(openCheckout(stripe.access, WISH), {
      status: 400,
      message:
        'Stripe refused to end checkouts: Only Checkout Sessions with a status in ["open"] can be expired.',
    })
    assert.equal(stripe.received.length, 3)
    stripe.reset()
    stripe.script(page({ id: 'cs_1' }), errorResponse(403, { message: 'rak_checkout_session_write' }))
    await assert.rejects(openCheckout(stripe.access, WISH), { fault: 'missing_scope' })
    assert.equal(stripe.received.length, 2)
  })
})

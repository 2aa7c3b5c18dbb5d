import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { checkKey } from './check-key.ts'
import { sendJson, startStripe } from './testing.ts'

describe('the check of the permissions of a Stripe key', () => {
  let stripe: Awaited<ReturnType<typeof startStripe>>
  before(async () => {
    stripe = await startStripe()
  })
  afterEach(() => stripe.reset())
  after(() => stripe.close())

  /** Refuses these calls with the given status and message, lists nothing, and refuses every empty request that would create something. */
  const refuse = (refusals: Record<string, { status: number; message: string }>) => {
    stripe.answer = (res, nth) => {
      const { method = '', url = '' } = stripe.received[nth - 1] ?? {}
      const refusal = refusals[`${method} ${url.split('?')[0]}`]
      if (refusal !== undefined) sendJson(res, refusal.status, { error: { message: refusal.message } })
      else if (method === 'GET') sendJson(res, 200, { data: [] })
      else sendJson(res, url.includes('slipwayprobe') ? 404 : 400, { error: { message: 'Missing a field.' } })
    }
  }
  const lacking = (message: string) => ({ status: 403, message })

  test('checking a Stripe key with all permissions reports no missing permission, and creates and records nothing', async () => {
    refuse({})
    assert.deepEqual(await checkKey(stripe.access), [])
    const read = (path: string) => `GET ${path}?limit=1`
    const paths = [
      '/products',
      '/prices',
      '/coupons',
      '/promotion_codes',
      '/checkout/sessions',
      '/subscriptions',
      '/billing_portal/configurations',
      '/webhook_endpoints',
    ]
    assert.deepEqual(
      stripe.calls().toSorted(),
      [
        read('/products'),
        ...paths.flatMap((path) => [read(path), `POST ${path}`]),
        read('/customers'),
        'POST /customers/cus_slipwayprobe',
        read('/invoices'),
      ].toSorted(),
    )
    assert.deepEqual(stripe.records, [])
  })

  test("missing permissions of a Stripe key are returned with the name in Stripe's error, or otherwise with their usual name", async () => {
    refuse({
      'GET /invoices': lacking('No access.'),
      'POST /coupons': lacking("Having the 'rak_coupon_special_write' permission would allow this."),
      'POST /customers/cus_slipwayprobe': lacking('No access.'),
    })
    assert.deepEqual(await checkKey(stripe.access), [
      { mode: 'test', resource: 'Coupons', need: 'write', permission: 'rak_coupon_special_write' },
      { mode: 'test', resource: 'Customers', need: 'write', permission: 'rak_customer_write' },
      { mode: 'test', resource: 'Invoices', need: 'read', permission: 'rak_invoice_read' },
    ])
  })

  test('the permission check of a Stripe key continues when the key may not read products', async () => {
    refuse({ 'GET /products': lacking('No access.') })
    assert.deepEqual(await checkKey(stripe.access), [
      { mode: 'test', resource: 'Products', need: 'read', permission: 'rak_product_read' },
    ])
  })

  test('the check of a key unknown to Stripe fails after one request', async () => {
    refuse({ 'GET /products': { status: 401, message: 'Invalid API Key provided: sk_test_****cret' } })
    await assert.rejects(checkKey(stripe.access), { fault: 'bad_secret' })
    assert.equal(stripe.received.length, 1)
  })

  test('the check of a Stripe key fails when a response does not tell whether a permission is granted', async () => {
    refuse({ 'GET /coupons': { status: 402, message: 'The account is closed.' } })
    await assert.rejects(checkKey(stripe.access), {
      status: 402,
      message: 'Stripe refused to check the key: The account is closed.',
    })
  })
})

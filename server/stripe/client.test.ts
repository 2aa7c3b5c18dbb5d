import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import * as z from 'zod'
import { readConfig } from '../config.ts'
import { callStripe, encodeForm, findStripe, modeOfKey, stripeBase } from './client.ts'
import { recordSleeps } from '../testing/sleeps.ts'
import { StripeError } from './errors.ts'
import { sendJson, startStripe } from './testing.ts'

describe('calls to Stripe', () => {
  let stripe: Awaited<ReturnType<typeof startStripe>>
  before(async () => {
    stripe = await startStripe()
  })
  afterEach(() => stripe.reset())
  after(() => stripe.close())

  const createProduct = () =>
    callStripe(stripe.access, {
      method: 'POST',
      path: '/products',
      form: { name: 'Plant' },
      result: z.object({ id: z.string() }),
      doing: 'create products',
      write: { action: 'product.created', target: 'Plant' },
    })
  const refusalOf = async (status: number, error: object): Promise<StripeError> => {
    stripe.answer = (res) => sendJson(res, status, { error })
    const failure: unknown = await createProduct().catch((thrown: unknown) => thrown)
    assert.ok(failure instanceof StripeError)
    return failure
  }

  test('nested fields of a Stripe request are encoded with brackets, and undefined fields are left out', () => {
    const form = {
      id: 'a',
      none: undefined,
      metadata: { 'x y': '1&2' },
      expand: ['p', 'q'],
      deep: { er: { n: 0 } },
    }
    assert.equal(
      decodeURIComponent(encodeForm(form)),
      'id=a&metadata[x+y]=1&2&expand[0]=p&expand[1]=q&deep[er][n]=0',
    )
  })

  test('a Stripe change that fails temporarily is retried with one idempotency key, and recorded once', async () => {
    stripe.answer = (res, nth) => (nth < 3 ? sendJson(res, 500, {}) : sendJson(res, 200, { id: 'prod_1' }))
    assert.deepEqual(await createProduct(), { id: 'prod_1' })
    assert.equal(stripe.received.length, 3)
    assert.equal(new Set(stripe.received.map(({ once }) => once)).size, 1)
    assert.ok(stripe.received[0]?.once)
    assert.deepEqual(stripe.records, ['product.created Plant ok'])
  })

  test('the random wait before each retry of a Stripe call doubles and is at least as long as Stripe asks for', async (t) => {
    const waits = recordSleeps(t)
    let random = 0
    t.mock.method(Math, 'random', () => random)
    const waitsAt = async (next: number, status: number, headers: Record<string, string> = {}) => {
      random = next
      stripe.received.length = 0
      stripe.answer = (res, nth) =>
        nth < 3 ? sendJson(res, status, {}, headers) : sendJson(res, 200, { id: 'prod_1' })
      await createProduct()
      return waits.splice(0)
    }
    assert.deepEqual(await waitsAt(0, 503), [150, 300])
    assert.deepEqual(await waitsAt(0.5, 503), [225, 450])
    for (const status of [429, 503, 409])
      assert.deepEqual(await waitsAt(0, status, { 'retry-after': '3' }), [3000, 3000])
  })

  test('a change that Stripe refuses is not retried, and is recorded as failed', async () => {
    const { fault, param, providerMessage } = await refusalOf(400, {
      message: 'Invalid currency',
      param: 'currency',
    })
    assert.deepEqual([fault, param, providerMessage], ['upstream', 'currency', 'Invalid currency'])
    assert.equal(stripe.received.length, 1)
    assert.deepEqual(stripe.records, ['product.created Plant failed'])
  })

  test('an error from Stripe names its kind and the missing permission, and never contains a part of the key', async () => {
    const unknown = await refusalOf(401, { message: 'Invalid API Key provided: sk_test_****cret' })
    assert.equal(unknown.fault, 'bad_secret')
    const lacking = await refusalOf(403, {
      message:
        "The provided key 'rk_test_****cret' lacks it. Having the 'rak_product_write' permission helps.",
    })
    assert.deepEqual([lacking.fault, lacking.permission], ['missing_scope', 'rak_product_write'])
    const full = await refusalOf(400, {
      message: 'You have reached the maximum of 16 test webhook endpoints.',
    })
    assert.equal(full.fault, 'ceiling')
    for (const { message, providerMessage } of [unknown, lacking, full])
      assert.doesNotMatch(message + providerMessage, /cret/)
  })

  test('looking up an object that Stripe does not have returns null', async () => {
    stripe.answer = (res) => sendJson(res, 404, { error: { message: 'No such product' } })
    const look = { method: 'GET', path: '/products/x', result: z.unknown(), doing: 'read a product' } as const
    assert.equal(await findStripe(stripe.access, look), null)
    await assert.rejects(callStripe(stripe.access, look), { status: 404 })
  })

  test('removing an object that Stripe does not have is recorded as done, and changing such an object as failed', async () => {
    stripe.answer = (res) => sendJson(res, 404, { error: { message: 'No such product' } })
    const call = { path: '/products/x', result: z.unknown(), doing: 'change products' }
    const write = (action: string) => ({ action, target: 'x' })
    assert.equal(
      await findStripe(stripe.access, { ...call, method: 'DELETE', write: write('removed') }),
      null,
    )
    assert.equal(await findStripe(stripe.access, { ...call, method: 'POST', write: write('changed') }), null)
    assert.deepEqual(stripe.records, ['removed x ok', 'changed x failed'])
  })

  test('a Stripe response of an unexpected form throws an error that contains no part of the response', async () => {
    stripe.answer = (res) => sendJson(res, 200, { id: 7, secret: 'whsec_1' })
    await assert.rejects(createProduct(), { message: 'Stripe returned an unexpected response.' })
    stripe.answer = (res) => res.writeHead(200).end('<html>')
    await assert.rejects(createProduct(), { message: 'Stripe returned an unexpected response.' })
  })

  test('a Stripe request refused with 429 is retried after the time in Retry-After, or throws when that time is too long', async () => {
    stripe.answer = (res, nth) =>
      nth === 1 ? sendJson(res, 429, {}, { 'retry-after': '0' }) : sendJson(res, 200, { id: 'prod_1' })
    assert.deepEqual(await createProduct(), { id: 'prod_1' })
    for (const header of ['600', new Date(Date.now() + 600_000).toUTCString()]) {
      stripe.answer = (res) => sendJson(res, 429, {}, { 'retry-after': header })
      stripe.received.length = 0
      await assert.rejects(createProduct(), { answersWith: 'unavailable' })
      assert.equal(stripe.received.length, 1, header)
    }
  })

  test('an API key of the local Stripe emulator is sent only to the emulator, and any other key only to Stripe', () => {
    const { config } = readConfig({ SLIPWAY_LOCAL_WORLD: 'on', SLIPWAY_LOCAL_PORT: '4999' })
    assert.equal(stripeBase(config, 'sk_test_local_shop'), 'http://127.0.0.1:4999/v1')
    assert.equal(stripeBase(config, 'sk_test_abcdefgh'), 'https://api.stripe.com/v1')
    const off = readConfig({ SLIPWAY_LOCAL_WORLD: 'off' }).config
    assert.equal(stripeBase(off, 'sk_test_local_shop'), null)
    assert.deepEqual([modeOfKey('rk_live_1'), modeOfKey('sk_test_1')], ['live', 'test'])
  })
})

import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, describe, mock, test } from 'node:test'
import { replaceFetch, restoreFetch } from '../testing/fetch.test.fixture.ts'
import { passTimeUntil } from '../testing/time.test.fixture.ts'
import { callStripe, idOf, listOf, StripeError, textOrNull } from './stripe.ts'

const KEY = 'sk_live_secret'

type Answer = Response | Error | (() => Promise<Response>)
const refusal = (status: number, error: unknown = { message: 'No.' }) => Response.json({ error }, { status })

describe('calls to the API of Stripe', () => {
  let calls: { url: string; method: string; headers: Record<string, string>; body: unknown; atMs: number }[]
  let answers: Answer[]
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
    calls = []
    answers = []
    replaceFetch(async (url: string, init: RequestInit) => {
      const { method = '', body = null } = init
      const headers = Object.fromEntries(new Headers(init.headers))
      calls.push({ url, method, headers, body, atMs: Date.now() })
      const answer = answers.shift() ?? Response.json({})
      if (answer instanceof Error) throw answer
      return typeof answer === 'function' ? await answer() : answer
    })
  })
  afterEach(() => mock.timers.reset())
  after(restoreFetch)

  /** Returns the value of a call, or the properties of its error. */
  async function call(options: Parameters<typeof callStripe>[2] = {}) {
    try {
      return await passTimeUntil(callStripe(KEY, '/products', options))
    } catch (error) {
      assert.ok(error instanceof StripeError)
      const { message, status, code, param, isMissing } = error
      return { message, status, code, param, isMissing }
    }
  }
  const failure = (message: string, status: number, more: object = {}) => ({
    message,
    status,
    code: null,
    param: null,
    isMissing: false,
    ...more,
  })
  const ONCE = { method: 'POST', form: 'a=1', once: 'p1 ord_1' } as const

  test('a Stripe call sends the key and a fixed API version, and a POST also sends its form and its idempotency key', async () => {
    answers = [Response.json({ id: 'prod_1' })]
    assert.deepEqual(await call(), { id: 'prod_1' })
    await call(ONCE)
    const headers = { authorization: `Bearer ${KEY}`, 'stripe-version': '2026-10-28.endive' }
    const url = 'https://api.stripe.com/v1/products'
    assert.deepEqual(
      calls.map(({ url: address, method, headers: sent, body }) => ({
        url: address,
        method,
        headers: sent,
        body,
      })),
      [
        { url, method: 'GET', headers, body: null },
        {
          url,
          method: 'POST',
          headers: {
            ...headers,
            'content-type': 'application/x-www-form-urlencoded',
            'idempotency-key': 'p1 ord_1',
          },
          body: 'a=1',
        },
      ],
    )
  })

  test("the error of a refused Stripe call has Stripe's message, code and parameter, and says whether the object is missing", async () => {
    for (const [answer, expected] of [
      [
        refusal(400, { message: 'Bad price.', code: 'price_inactive', param: 'price' }),
        failure('Bad price.', 400, { code: 'price_inactive', param: 'price' }),
      ],
      [
        refusal(400, { message: 'None.', code: 'resource_missing', param: 'customer' }),
        failure('None.', 400, { code: 'resource_missing', param: 'customer', isMissing: true }),
      ],
      [refusal(404), failure('No.', 404, { isMissing: true })],
      [refusal(402, null), failure('Stripe responded with 402.', 402)],
      [refusal(402, 'text'), failure('Stripe responded with 402.', 402)],
      [refusal(402, { message: 5, code: {}, param: [] }), failure('Stripe responded with 402.', 402)],
      [Response.json(null, { status: 403 }), failure('Stripe responded with 403.', 403)],
    ] as const) {
      answers = [answer]
      assert.deepEqual(await call(), expected)
    }
  })

  test('the error about a wrong Stripe key does not contain the part of the key that Stripe repeats', async () => {
    answers = [refusal(401, { message: `Invalid API Key provided: ${KEY}` })]
    assert.deepEqual(await call(), failure('Stripe does not know the key.', 401))
  })

  test('a Stripe call without a response, or with a response that is not JSON, fails with a connection error', async () => {
    answers = [new TypeError('fetch failed'), new Response('<html>', { status: 502 }), new Response('')]
    assert.deepEqual(await call(), failure('Stripe cannot be reached: fetch failed', 0))
    for (let times = 0; times < 2; times++) {
      const { status, message } = (await call()) as { status: number; message: string }
      assert.deepEqual([status, message.startsWith('Stripe cannot be reached: ')], [0, true])
    }
  })

  test('a POST with an idempotency key is sent to Stripe up to three times while its outcome is unknown, with growing pauses', async () => {
    for (const open of [new TypeError('fetch failed'), refusal(500), refusal(503), refusal(409)]) {
      const again = () => (open instanceof Error ? open : () => Promise.resolve(open.clone()))
      calls.length = 0
      answers = [again(), again(), Response.json({ id: 'cs_1' })]
      assert.deepEqual(await call(ONCE), { id: 'cs_1' })
      const pauses = calls.slice(1).map(({ atMs }, i) => atMs - (calls[i]?.atMs ?? 0))
      assert.deepEqual(pauses, [300, 600])
      assert.deepEqual(new Set(calls.map(({ headers }) => headers['idempotency-key'])), new Set(['p1 ord_1']))
      calls.length = 0
      answers = [again(), again(), again()]
      assert.equal(((await call(ONCE)) as { status: number }).status, open instanceof Error ? 0 : open.status)
      assert.equal(calls.length, 3)
    }
  })

  test('a Stripe call is sent only once if it has no idempotency key, or if Stripe has refused it', async () => {
    answers = [refusal(500)]
    assert.deepEqual(await call({ method: 'POST', form: 'a=1' }), failure('No.', 500))
    for (const status of [400, 401, 402, 404, 429]) {
      answers = [refusal(status)]
      assert.equal(((await call(ONCE)) as { status: number }).status, status)
    }
    assert.equal(calls.length, 6)
  })
})

test('malformed values in a response of Stripe count as missing', () => {
  assert.deepEqual(['id', '', 5, null, undefined, {}, ['id']].map(textOrNull), [
    'id',
    '',
    null,
    null,
    null,
    null,
    null,
  ])
  assert.deepEqual(['id', { id: 'id' }, { id: 5 }, null, undefined, 5, {}].map(idOf), [
    'id',
    'id',
    null,
    null,
    null,
    null,
    null,
  ])
  assert.deepEqual([{ data: [{ id: 1 }, null, 'text'] }, { data: {} }, {}, null, 'text', []].map(listOf), [
    [{ id: 1 }, {}, {}],
    [],
    [],
    [],
    [],
    [],
  ])
})

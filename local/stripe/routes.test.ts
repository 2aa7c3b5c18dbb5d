import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { TEST_KEY, testStripe, type TestStripe } from '../testing/stripe.ts'

const DAY_MS = 86_400_000

describe('the API of the payment provider', () => {
  let world: TestStripe
  beforeEach(() => {
    world = testStripe()
  })
  afterEach(() => world.close())

  interface Call {
    method?: string
    body?: string
    key?: string | null
    headers?: Record<string, string>
  }
  const call = async (path: string, { method = 'GET', body, key = TEST_KEY, headers = {} }: Call = {}) => {
    const answer = await world.request(`/v1${path}`, {
      method,
      headers: { ...(key !== null && { authorization: `Bearer ${key}` }), ...headers },
      ...(body !== undefined && { body }),
    })
    const json = (await answer.json()) as Record<string, unknown> & {
      id?: string
      data?: { id: string; name: string }[]
      error?: { type: string; code?: string; param?: string; message: string }
    }
    return { status: answer.status, headers: answer.headers, json }
  }
  const post = (path: string, body: string, more: Call = {}) => call(path, { method: 'POST', body, ...more })
  const idempotent = (key: string) => ({ headers: { 'idempotency-key': key } })
  const failure = async (made: ReturnType<typeof call>) => {
    const { status, json } = await made
    return [status, json.error?.type, json.error?.code, json.error?.param]
  }
  const productNames = async (key = TEST_KEY) =>
    (await call('/products', { key })).json.data?.map(({ name }) => name)

  test('every Stripe response has a request id and the requested API version', async () => {
    const { headers } = await call('/products')
    const { headers: refused } = await call('/none', { key: null })
    const { headers: asked } = await call('/products', { headers: { 'stripe-version': '2024-01-01' } })
    for (const one of [headers, refused, asked])
      assert.match(one.get('request-id') ?? '', /^req_[0-9a-f]{14}$/)
    assert.notEqual(headers.get('request-id'), asked.get('request-id'))
    assert.deepEqual(
      [headers, refused, asked].map((one) => one.get('stripe-version')),
      ['2026-10-28.endive', '2026-10-28.endive', '2024-01-01'],
    )
  })

  test('a Stripe call without a valid key is refused before its path or body is checked', async () => {
    assert.deepEqual(
      [
        await failure(call('/products', { key: null })),
        await failure(post('/products', 'nonsense', { key: 'sk_test_other' })),
        await failure(call('/none', { key: null })),
      ],
      [
        [401, 'invalid_request_error', undefined, undefined],
        [401, 'invalid_request_error', 'api_key_invalid', undefined],
        [401, 'invalid_request_error', undefined, undefined],
      ],
    )
  })

  test('an unknown path of the Stripe API, or an unknown method of a path, returns 404', async () => {
    for (const [path, method] of [
      ['/none', 'GET'],
      ['/products', 'PUT'],
      ['/prices/price_1', 'DELETE'],
      ['/events', 'POST'],
    ] as const) {
      const { status, json } = await call(path, { method })
      const message = `Unrecognized request URL (${method}: /v1${path}).`
      assert.deepEqual([status, json], [404, { error: { type: 'invalid_request_error', message } }])
    }
  })

  test('a Stripe call merges the parameters of its query and its body', async () => {
    const { json } = await post('/products?name=Plant&metadata[a]=1', 'metadata[b]=2')
    assert.deepEqual([json['name'], json['metadata']], ['Plant', { a: '1', b: '2' }])
    const { json: listed } = await call('/products?limit=1&active=true')
    assert.equal(listed.data?.length, 1)
  })

  test('a Stripe call whose body is not a form is refused with the name of the first missing parameter', async () => {
    assert.deepEqual(
      [
        await failure(post('/products', '{"name":"Plant"}')),
        await failure(post('/products', '')),
        await failure(post('/products', '\0')),
        await productNames(),
      ],
      [
        [400, 'invalid_request_error', 'parameter_missing', 'name'],
        [400, 'invalid_request_error', 'parameter_missing', 'name'],
        [400, 'invalid_request_error', 'parameter_missing', 'name'],
        [],
      ],
    )
  })

  test('a repeated Stripe call with the same idempotency key returns the first response, marked as replayed', async () => {
    const first = await post('/products', 'name=Once', idempotent('k'))
    const second = await post('/products', 'name=Once', idempotent('k'))
    assert.deepEqual(second.json, first.json)
    assert.deepEqual(
      [first, second].map(({ headers }) => headers.get('idempotent-replayed')),
      [null, 'true'],
    )
    assert.deepEqual(await productNames(), ['Once'])
  })

  test('three simultaneous Stripe calls with one idempotency key create one object', async () => {
    const made = await Promise.all([1, 2, 3].map(() => post('/products', 'name=Once', idempotent('k'))))
    assert.deepEqual([new Set(made.map(({ json }) => json.id)).size, await productNames()], [1, ['Once']])
  })

  test('reusing an idempotency key with another body or path is refused, and accounts and modes have separate keys', async () => {
    await post('/products', 'name=Once', idempotent('k'))
    const refused = [400, 'idempotency_error', undefined, undefined]
    assert.deepEqual(
      [
        await failure(post('/products', 'name=Other', idempotent('k'))),
        await failure(post('/customers', 'name=Once', idempotent('k'))),
        (await post('/products', 'name=Once', { ...idempotent('k'), key: 'sk_live_local_shop' })).status,
        (await post('/products', 'name=Once', { ...idempotent('k'), key: 'sk_test_local_other' })).status,
        await productNames(),
      ],
      [refused, refused, 200, 200, ['Once']],
    )
  })

  test('a refused Stripe call does not use up its idempotency key, and a used key can be used again after a day', async () => {
    assert.equal((await post('/products', 'nam=Once', idempotent('k'))).status, 400)
    assert.equal((await post('/products', 'name=Once', idempotent('k'))).status, 200)
    world.clock.advance(DAY_MS)
    assert.equal(
      (await post('/products', 'name=Once', idempotent('k'))).headers.get('idempotent-replayed'),
      'true',
    )
    world.clock.advance(1)
    assert.equal((await post('/products', 'name=Twice', idempotent('k'))).status, 200)
    assert.deepEqual(await productNames(), ['Twice', 'Once'])
  })

  test('an idempotency key longer than 255 characters is refused', async () => {
    assert.deepEqual(
      [
        (await post('/products', 'name=a', idempotent('k'.repeat(255)))).status,
        await failure(post('/products', 'name=b', idempotent('k'.repeat(256)))),
      ],
      [200, [400, 'idempotency_error', undefined, undefined]],
    )
  })

  test('a Stripe call that fails after it has stored an object rolls the object back', async () => {
    const wrong = 'name=Half&default_price_data[currency]=usd&default_price_data[unit_amount]=-1'
    assert.equal((await post('/products', wrong, idempotent('k'))).status, 400)
    const unexpandable = await failure(post('/products', 'name=Half&expand[]=none'))
    assert.deepEqual(
      [unexpandable, await productNames()],
      [[400, 'invalid_request_error', 'property_cannot_be_expanded', 'expand'], []],
    )
  })

  test('`expand` replaces ids by their objects, even in lists and in expanded objects', async () => {
    const { json: product } = await post(
      '/products',
      'name=Plant&default_price_data[currency]=usd&default_price_data[unit_amount]=5',
    )
    const price = (await call(`/prices/${String(product['default_price'])}`)).json
    const expanded = { ...product, default_price: { ...price, product } }
    assert.deepEqual(
      [
        (await call(`/products/${product.id}?expand[]=default_price.product`)).json,
        (await call('/products?expand[]=data.default_price.product')).json.data,
        (await call(`/products/${product.id}?expand[]=name`)).json['name'],
      ],
      [expanded, [expanded], 'Plant'],
    )
  })

  test('expanding a property that every JavaScript object inherits, such as constructor, is refused', async () => {
    const { json } = await post('/products', 'name=Plant')
    for (const path of ['constructor', '__proto__', 'toString', '__proto__.constructor', 'metadata.valueOf'])
      assert.deepEqual(
        await failure(call(`/products/${json.id}?expand[]=${path}`)),
        [400, 'invalid_request_error', 'property_cannot_be_expanded', 'expand'],
        path,
      )
  })

  test('a product name can request a simulated Stripe error: 429 and 500 once, and 403 at each call', async () => {
    const outcomes = []
    for (const name of ['a-fail-429', 'a-fail-429', 'a-fail-500', 'a-fail-500', 'a-fail-403', 'a-fail-403']) {
      const { status, headers, json } = await post('/products', `name=${name}`)
      outcomes.push([status, json.error?.type, json.error?.code, headers.get('retry-after')])
    }
    const forbidden = [403, 'invalid_request_error', 'more_permissions_required', null]
    assert.deepEqual(outcomes, [
      [429, 'invalid_request_error', 'rate_limit', '1'],
      [200, undefined, undefined, null],
      [500, 'api_error', undefined, null],
      [200, undefined, undefined, null],
      forbidden,
      forbidden,
    ])
  })
})

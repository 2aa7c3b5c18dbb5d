import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { starterTree } from '../../agent/source/tree.ts'
import { setClock } from '../../attachments/testing.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import type { Client } from '../../testing/app.ts'
import { textAsset, uploadAsset } from '../assets/testing.ts'
import { leaves } from '../../testing/effects.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Shop',
  uses: ['assets', 'auth', 'pay'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
}
const HOME = `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`
const KEY = 'sk_test_local_orders'

interface Orders {
  items: { userId: string | null; productId: string; status: string; mode: string }[]
  rollup: { orders: number; paid: number; revenue: Record<string, number> }
}

/** The tests share one live app, which has only a Stripe test key, and depend on their order. */
describe('the sales of a live app', () => {
  let cloud: CloudApp
  let operator: Client
  let at: string
  let url: string
  let cookie: string
  let userId: string
  let product: string

  before(async () => {
    cloud = await openCloudApp()
    setClock(cloud)
    const made = await cloud.personWithProject('Shop')
    operator = made.person
    at = made.path
    for (const [key, more] of [
      ['auth', {}],
      ['assets', {}],
      ['pay', { secrets: { stripeTestKey: KEY } }],
    ] as const) {
      const { error } = await operator.call(`PUT ${at}/capabilities/${key}`, { enabled: true, ...more })
      assert.equal(error, undefined)
    }
    const catalog = await operator.call<{ id: string }>(`POST ${at}/pay/products`, {
      amount: 1200,
      name: 'Book',
    })
    assert.equal(catalog.error, undefined)
    product = catalog.data.id
    const tree = new Map([
      ...starterTree('Shop'),
      ['app.json', JSON.stringify(MANIFEST)],
      ['web/pages/Home.tsx', HOME],
    ])
    await cloud.build(made.project.id, tree)
    const shipped = await operator.call<{ url: string }>(`POST ${at}/deploy`)
    assert.equal(shipped.error, undefined)
    url = shipped.data.url
    const account = { email: 'ada@example.test', password: 'ada likes apples', name: 'Ada' }
    const signedUp = await cloudFetch(`${url}/_app/auth/sign-up`, {
      method: 'POST',
      body: JSON.stringify(account),
    })
    cookie = signedUp.headers.get('set-cookie')?.split(';')[0] ?? ''
    userId = ((await signedUp.json()) as { data: { user: { id: string } } }).data.user.id
  })
  after(() => cloud.close())

  const orders = async () => (await operator.call<Orders>(`GET ${at}/capabilities/pay/orders`)).data
  const entitlements = async () =>
    (await operator.call<{ userId: string; productId: string }[]>(`GET ${at}/capabilities/pay/entitlements`))
      .data
  const statusOf = async (path: string, headers: Record<string, string> = { cookie }) => {
    const answer = await cloudFetch(`${url}/_app/${path}`, { headers })
    await answer.body?.cancel()
    return answer.status
  }

  /** Buys a product on the provider's payment page. */
  async function buy(productId: string): Promise<void> {
    const body = JSON.stringify({ productId })
    const begun = await cloudFetch(`${url}/_app/pay/checkout`, { method: 'POST', headers: { cookie }, body })
    const { data } = (await begun.json()) as { data: { url: string } }
    const form = new URLSearchParams({ pay: 'yes', card: '4242 4242 4242 4242', email: 'ada@example.test' })
    const paid = await fetch(data.url, { method: 'POST', body: form, redirect: 'manual' })
    assert.equal(paid.status, 303)
  }

  test("a payment in Stripe's test mode creates an order and lets its buyer open the product's assets", async () => {
    leaves({ activity: { 'object.put': 1, 'object.stamp': 1 } })
    await uploadAsset(operator, at, textAsset('book.txt', 'Once upon a time'))
    const access = { kind: 'product', productId: product }
    assert.equal((await operator.call(`PATCH ${at}/assets/book.txt`, { access })).error, undefined)
    assert.equal(await statusOf('assets/book.txt'), 404, 'a member')
    await buy(product)
    await until(async () => (await statusOf('assets/book.txt')) === 200)
    for (const headers of [{}, { 'slipway-viewer': 'member', 'slipway-products': product }])
      assert.equal(await statusOf('assets/book.txt', headers), 404, JSON.stringify(headers))
    const { items, rollup } = await orders()
    assert.deepEqual(rollup, { orders: 1, paid: 1, revenue: { usd: 1200 } })
    assert.deepEqual(
      items.map((one) => [one.userId, one.productId, one.status, one.mode]),
      [[userId, product, 'paid', 'test']],
    )
    assert.deepEqual(
      (await entitlements()).map((one) => [one.userId, one.productId]),
      [[userId, product]],
    )
    const wrong = await operator.call(`GET ${at}/capabilities/pay/orders?limit=0`)
    assert.equal(wrong.error?.code, 'invalid_request')
  })

  test('erasing a buyer cancels their subscription, fails without the Stripe key, and removes their id from their orders', async () => {
    leaves({
      activity: {
        'app_user.erase': 1,
        'product.created': 1,
        'webhook_endpoint.created': 1,
        'webhook_endpoint.removed': 1,
        'worker.secrets': 'any',
      },
      jobs: { provision: 'any' },
    })
    const club = { amount: 500, name: 'Club', interval: 'month' }
    const { data: made } = await operator.call<{ id: string }>(`POST ${at}/pay/products`, club)
    await buy(made.id)
    await until(async () => (await entitlements()).length === 2)
    const erase = () =>
      operator.call<{ removed: Record<string, number>; kept: { paidOrders: number } }>(
        `DELETE ${at}/capabilities/auth/users/${userId}`,
      )
    const save = (stripeTestKey: string | null) =>
      operator.call(`PUT ${at}/capabilities/pay`, { enabled: true, secrets: { stripeTestKey } })
    assert.equal((await save(null)).error, undefined)
    await until(async () => (await statusOf('pay/products')) === 404)
    const refused = await erase()
    assert.deepEqual([refused.status, refused.error?.code], [409, 'conflict'])
    assert.match(refused.error?.message ?? '', /nothing was erased: the test key of Stripe is missing/)
    assert.equal((await entitlements()).length, 2)
    assert.equal((await save(KEY)).error, undefined)
    await until(async () => (await statusOf('pay/products')) === 200)
    const { data } = await erase()
    assert.deepEqual(
      [data.removed['entitlements'], data.removed['subscriptionsCancelled'], data.kept.paidOrders],
      [2, 1, 2],
    )
    assert.deepEqual(
      (await orders()).items.map((one) => [one.userId, one.status]),
      [
        [null, 'paid'],
        [null, 'paid'],
      ],
    )
    assert.deepEqual(await entitlements(), [])
  })

  test('no response contains a Stripe secret, and the app cannot take payments once the pay capability is off', async () => {
    leaves({
      activity: { 'webhook_endpoint.disabled': 1, 'worker.rebind': 'any', 'worker.upload': 'some' },
      jobs: { provision: 'any' },
    })
    const shown: string[] = []
    for (const path of ['/capabilities/pay', '/capabilities/pay/orders', '/pay/products', ''])
      shown.push(JSON.stringify(await operator.call(`GET ${at}${path}`)))
    for (const text of shown) assert.ok(!text.includes(KEY) && !text.includes('whsec_'), text.slice(0, 200))
    await operator.call(`PUT ${at}/capabilities/pay`, { enabled: false })
    await until(async () => (await statusOf('pay/products')) === 404)
    assert.equal((await operator.call(`GET ${at}/capabilities/pay/orders`)).error?.code, 'not_enabled')
    const access = { kind: 'product', productId: product }
    const { error } = await operator.call(`PATCH ${at}/assets/book.txt`, { access })
    assert.match(error?.message ?? '', /^access: .*pay/)
  })
})

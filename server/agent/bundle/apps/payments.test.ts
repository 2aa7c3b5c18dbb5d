import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Stripe } from 'stripe'
import { type LocalWorld, startLocalWorld } from '../../../process/local-world.ts'
import { until } from '../../../releases/testing.ts'
import { silentLog } from '../../../testing/database.ts'
import { readManifest } from '../../source/manifest.ts'
import { starterTree } from '../../source/tree.ts'
import { compileApp } from '../../source/typegen.ts'
import { Browser } from '../../testing/browser.ts'
import { type RunningApp, startApp } from '../../testing/bundle.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Shop',
  uses: ['auth', 'data', 'pay'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    sales: { partition: 'app', read: 'public', write: 'nobody', fields: { what: { type: 'text' } } },
  },
}
const ROUTES = `import { auth, pay } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/chapter', async (c) => {
  const { id } = await auth.require(c.req.raw)
  if (!(await pay.entitled(id, 'book'))) return c.json({ text: 'Buy it first.' }, 402)
  return c.json({ text: 'Once upon a time', mine: await pay.as(c.req.raw).entitled('book') })
})
`
const PAID = `import { data, type PaidEvent } from '@slipway/app/server'

export default async ({ productId, amount }: PaidEvent) => {
  await data.system.create('sales', { what: productId + ' ' + amount })
}
`
const HOME = `import { BuyButton, formatPrice, Page, useEntitled, useProducts } from '@slipway/app/react'

export default function Home() {
  const isOwned = useEntitled('book')
  return (
    <Page title="Shop">
      {(useProducts() ?? []).map((one) => <p key={one.id}>{one.name} {formatPrice(one)}</p>)}
      {isOwned === false && <BuyButton productId="book">Buy the book</BuyButton>}
    </Page>
  )
}
`
const KEY = 'sk_live_local_shop'

interface Listed {
  rollup: { orders: number; paid: number; revenue: Record<string, number> }
  items: { id: string; userId: string | null; status: string; amount: number }[]
}

/** The app sells through the local Stripe emulator. Each test continues with the state of the previous test. */
describe('an app that sells', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'slipway-pay-'))
  let world: LocalWorld
  let app: RunningApp
  let stripe: Stripe
  let ada: Browser
  const variables: Record<string, string> = {
    STRIPE_KEY: KEY,
    PAY_PROJECT: 'prj_1',
    PAY_SUCCESS_PATH: '/thanks',
  }

  before(async () => {
    world = await startLocalWorld({
      dataDir,
      port: 0,
      appsPort: 0,
      control: true,
      timeScale: 0.05,
      log: silentLog,
    })
    stripe = new Stripe(KEY, { host: '127.0.0.1', port: new URL(world.restUrl).port, protocol: 'http' })
    for (const [id, recurring] of [['book'], ['club', { interval: 'month' }]] as const) {
      const product = await stripe.products.create({ id, name: `The ${id}`, metadata: { project: 'prj_1' } })
      const price = { product: product.id, unit_amount: 1200, currency: 'usd' }
      const made = await stripe.prices.create({ ...price, ...(recurring && { recurring }) })
      await stripe.products.update(id, { default_price: made.id })
    }
    const port = 20_000 + (process.pid % 10_000)
    // The port is chosen before the app starts, because the app gets the secret of this webhook endpoint as a variable.
    const { secret } = await stripe.webhookEndpoints.create({
      url: `http://127.0.0.1:${port}/_app/pay/webhook`,
      enabled_events: ['*'],
    })
    variables['STRIPE_WEBHOOK_SECRET'] = secret ?? ''
    const tree = new Map([
      ...starterTree('Shop'),
      ['app.json', JSON.stringify(MANIFEST)],
      ['server/routes.ts', ROUTES],
      ['server/jobs/paid.ts', PAID],
      ['web/pages/Home.tsx', HOME],
    ])
    app = await startApp(tree, { enabled: MANIFEST.uses, variables, port, outbound })
    const read = readManifest(JSON.stringify(MANIFEST))
    assert.ok(read.ok, JSON.stringify(read))
    const { hash, manifest } = compileApp(read.manifest)
    await app.operate('activate', 'production', hash, manifest)
    ada = new Browser(app)
    await ada.signUp('ada')
  })
  after(async () => {
    await app?.stop()
    await world?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** Redirects requests for Stripe's API to the local emulator of Stripe, as the local cloud does for every app. */
  const outbound = ({
    url,
    method,
    headers,
    body,
  }: {
    url: string
    method: string
    headers: Headers
    body: string
  }) => {
    const { pathname, search, hostname } = new URL(url)
    assert.equal(hostname, 'api.stripe.com')
    return fetch(`${world.restUrl}${pathname}${search}`, { method, headers, ...(body !== '' && { body }) })
  }
  const get = (who: Browser, path: string) => who.call('GET', path)
  const post = (who: Browser, path: string, body: object = {}) => who.call('POST', path, body)
  const orders = () => app.operate<Listed>('orders', 'production', 100)
  const owned = async (who: Browser) =>
    ((await get(who, '/_app/pay/entitlements')).data as { productId: string }[]).map((one) => one.productId)

  /** Submits the provider's payment page as a person does. Returns the address to which the page redirects. */
  async function payAt(url: string, card = '4242 4242 4242 4242'): Promise<string> {
    const form = new URLSearchParams({ pay: 'yes', card, email: 'ada@example.test' })
    const answer = await fetch(url, { method: 'POST', body: form, redirect: 'manual' })
    return answer.headers.get('location') ?? ''
  }
  async function checkout(who: Browser, productId: string): Promise<string> {
    const { data, error } = await post(who, '/_app/pay/checkout', { productId })
    assert.equal(error, undefined)
    return (data as { url: string }).url
  }
  const sales = async () =>
    ((await get(ada, '/_app/data/sales')).data as { items: { what: string }[] }).items.map(({ what }) => what)

  test('visitors can see the products of an app, and only signed-in people can buy', async () => {
    const visitor = new Browser(app)
    assert.deepEqual(
      ((await get(visitor, '/_app/pay/products')).data as { name: string }[]).map(({ name }) => name),
      ['The book', 'The club'],
    )
    for (const [method, path] of [
      ['POST', 'checkout'],
      ['POST', 'portal'],
      ['GET', 'entitlements'],
    ] as const) {
      const { status } = await visitor.call(
        method,
        `/_app/pay/${path}`,
        method === 'POST' ? { productId: 'book' } : undefined,
      )
      assert.equal(status, 401, path)
    }
    assert.equal((await visitor.fetch('GET', '/_app/pay/return?order=ord_1')).headers.get('location'), '/')
    const elsewhere = await app.fetch('/_app/pay/checkout', {
      method: 'POST',
      headers: { origin: 'https://elsewhere.test' },
      body: '{}',
    })
    assert.equal(elsewhere.status, 403)
  })

  test("a person who pays on the provider's page has access to the product after returning to the app", async () => {
    assert.equal((await get(ada, '/api/chapter')).status, 402)
    const url = await checkout(ada, 'book')
    assert.equal(await checkout(ada, 'book'), url, 'a second click')
    assert.equal(await payAt(url, '4000 0000 0000 0002'), '', 'a card that is declined')
    assert.deepEqual(await owned(ada), [])
    const back = new URL(await payAt(url))
    const answer = await ada.fetch('GET', back.pathname + back.search)
    assert.deepEqual([answer.status, answer.headers.get('location')], [302, '/thanks?order=paid'])
    assert.deepEqual(await owned(ada), ['book'])
    const chapter = await (await ada.fetch('GET', '/api/chapter')).json()
    assert.deepEqual(chapter, { text: 'Once upon a time', mine: true })
    await until(async () => (await sales()).includes('book 1200'))
    const { items, rollup } = await orders()
    assert.deepEqual(rollup, { orders: 1, paid: 1, revenue: { usd: 1200 } })
    assert.equal(items[0]?.status, 'paid')
    assert.equal((await post(ada, '/_app/pay/checkout', { productId: 'book' })).status, 409)
  })

  test("a payment event signed by Stripe's library is accepted, and an event with a changed body is refused", async () => {
    const payload = JSON.stringify({ id: 'evt_1', type: 'customer.created', data: { object: {} } })
    const secret = variables['STRIPE_WEBHOOK_SECRET'] ?? ''
    const headers = { 'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret }) }
    const send = (body: string) => app.fetch('/_app/pay/webhook', { method: 'POST', headers, body })
    assert.equal((await send(payload)).status, 200)
    assert.equal((await send(`${payload} `)).status, 401)
    assert.equal((await send('x'.repeat(256 * 1024 + 1))).status, 400)
    assert.equal((await app.fetch('/_app/pay/webhook', { method: 'POST', body: payload })).status, 401)
  })

  test('a refund at the provider removes access to the product', async () => {
    const { data } = await stripe.charges.list()
    await stripe.refunds.create({ charge: data[0]?.id ?? '' })
    await until(async () => (await owned(ada)).length === 0)
    assert.deepEqual((await orders()).rollup, { orders: 1, paid: 0, revenue: { usd: 0 } })
  })

  test("a subscription is managed in the provider's portal, and is cancelled when the account is deleted", async () => {
    await payAt(await checkout(ada, 'club'))
    await until(async () => (await owned(ada)).includes('club'))
    const { data, error } = await post(ada, '/_app/pay/portal')
    assert.equal(error, undefined)
    assert.match(await (await fetch((data as { url: string }).url)).text(), /The club/)
    const [subscription] = (await stripe.subscriptions.list()).data
    assert.equal(subscription?.metadata['product'], 'club')
    const report = await app.operate<{ removed: Record<string, number>; kept: { paidOrders: number } }>(
      'erase',
      'production',
      ((await get(ada, '/_app/auth/me')).data as { id: string }).id,
    )
    assert.deepEqual(
      [report.removed['entitlements'], report.removed['subscriptionsCancelled'], report.kept.paidOrders],
      [1, 1, 2],
    )
    assert.equal((await stripe.subscriptions.retrieve(subscription?.id ?? '')).status, 'canceled')
    const left = await orders()
    assert.deepEqual([left.rollup.orders, left.items.map(({ userId }) => userId)], [2, [null, null]])
  })
})

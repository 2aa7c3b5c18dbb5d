import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { Stripe } from 'stripe'
import { href } from '../../../console/routes.ts'
import { finish, type ScriptedStep, write } from '../../support/scripted-model.ts'
import { assertSoundApp, signUpInApp } from './visitors.ts'
import { assertBecomes, assertSoundSizes, DESK } from '../browser.ts'
import { chooseScriptedModel } from '../scripted-project.ts'
import { type BrowserWorld, openBrowserWorld } from '../world.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Book shop',
  uses: ['auth', 'pay'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Books' }],
}
const HOME = `import { api, BuyButton, Button, Card, formatPrice, Page, pay, useEntitlements, useProducts } from '@slipway/app/react'
import { useState } from 'react'

export default function Home() {
  const products = useProducts()
  const owned = useEntitlements()
  const [text, setText] = useState('')
  const read = async () => setText((await api.get<{ text: string }>('/api/chapter')).text)
  return (
    <Page title="Books">
      {products?.map((one) => (
        <Card key={one.id}>
          <h2>{one.name}</h2>
          <p>{formatPrice(one)}</p>
          {owned?.some(({ productId }) => productId === one.id) ? (
            <Button onClick={() => void read()}>Read it</Button>
          ) : (
            <BuyButton productId={one.id}>Buy it</BuyButton>
          )}
        </Card>
      ))}
      <p>{text}</p>
      <Button kind="plain" onClick={() => void pay.portal().then(({ url }) => location.assign(url))}>
        My payments
      </Button>
    </Page>
  )
}
`
const ROUTES = `import { ApiError, pay } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/chapter', async (c) => {
  const [owned] = await pay.as(c.req.raw).entitlements()
  if (owned === undefined) throw new ApiError('forbidden', 'Buy the book first.')
  return c.json({ text: 'Once upon a time' })
})
`
const TEST = `import { app, expect, test } from '@slipway/app/testing'

test('only a person who has bought the book can read it, until the purchase is refunded', async () => {
  await app.pay.sell({ id: 'book', amount: 1200 })
  const ada = await app.signUp('Ada')
  expect((await ada.get('/api/chapter')).status).toBe(403)
  await app.pay.buy(ada, 'book')
  expect((await ada.get('/api/chapter')).body.text).toBe('Once upon a time')
  await app.pay.refund(ada, 'book')
  expect((await ada.get('/api/chapter')).status).toBe(403)
})
`
const STEPS: ScriptedStep[] = [
  {
    toolCalls: [
      { name: 'enable_capability', args: { key: 'auth' } },
      { name: 'enable_capability', args: { key: 'pay' } },
      write('app.json', JSON.stringify(MANIFEST)),
      write('web/pages/Home.tsx', HOME),
      write('server/routes.ts', ROUTES),
      write('tests/shop.test.ts', TEST),
    ],
  },
  { toolCalls: [finish('The book is for sale.')], repeat: true },
]
const KEY = 'sk_test_local_books'

/** The tests run a shop from its ticket to a refund. Each test depends on the tests before it. */
describe('an app that sells, in the browser', () => {
  let world: BrowserWorld
  let app: Page
  let projectId: string
  let address: string

  before(async () => {
    world = await openBrowserWorld({ page: { viewport: DESK } })
    const { person, model } = world
    ;({ id: projectId } = await person.call<{ id: string }>('POST /projects', { name: 'Book shop' }))
    await chooseScriptedModel({ person, model }, { projectId, steps: STEPS })
    const path = `/projects/${projectId}`
    const { id } = await person.call<{ id: string }>(`POST ${path}/tickets`, { title: 'Sell the book' })
    const built = await person.call<{ status: string }>(`POST ${path}/tickets/${id}/build`, {})
    assert.equal(built.status, 'built')
    await person.call(`PUT ${path}/capabilities/pay`, { enabled: true, secrets: { stripeTestKey: KEY } })
    await person.call(`POST ${path}/pay/products`, { name: 'The book', amount: 1200 })
    address = (await person.call<{ url: string }>(`POST ${path}/deploy`)).url
    ;({ page: app } = await world.open('nobody'))
  })
  after(() => world?.close())

  test("a visitor who signs up in an app buys a book on the payment provider's page, and reads it", async () => {
    await app.goto(address)
    await app.getByText('$12.00').waitFor()
    await app.goto(`${address}/sign-in`)
    await signUpInApp(app, 'Bob')
    await app.waitForURL(({ pathname }) => pathname === '/')
    await app.getByRole('button', { name: 'Buy it' }).click()
    await app.getByRole('heading', { name: 'Checkout' }).waitFor()
    await app.goBack()
    assert.equal(await app.getByRole('button', { name: 'Read it' }).count(), 0, 'nothing was paid')
    await app.getByRole('button', { name: 'Buy it' }).click()
    await app.getByRole('button', { name: 'Pay', exact: true }).click()
    await app.waitForURL(/\?order=paid$/)
    await app.getByRole('button', { name: 'Read it' }).click()
    await app.getByText('Once upon a time').waitFor()
    await assertSoundApp(app, 'shop-bought')
  })

  test("the operator sees an app's order, the revenue and who owns the book", async () => {
    const { page } = world
    await page.goto(world.url + href.capability(projectId, 'pay', { tab: 'live' }))
    await page.getByText('Revenue').waitFor()
    await page.getByRole('link', { name: 'Bob' }).first().waitFor()
    await page.getByText('1 of 1').waitFor()
    await assertSoundSizes(page, 'sales')
    world.assertQuiet()
  })

  test("the payment provider's customer portal opens from an app, and a refund ends the buyer's access to the book", async () => {
    await app.getByRole('button', { name: 'My payments' }).click()
    await app.getByRole('heading', { name: 'Your subscriptions' }).waitFor()
    const { port } = new URL(app.url())
    const stripe = new Stripe(KEY, { host: '127.0.0.1', port, protocol: 'http' })
    const [charge] = (await stripe.charges.list()).data
    await stripe.refunds.create({ charge: charge?.id ?? '' })
    await app.goto(address)
    await assertBecomes(async () => {
      await app.reload()
      await app.getByText('$12.00').waitFor()
      return app.getByRole('button', { name: 'Buy it' }).count()
    }, 1)
    await world.page.reload()
    await world.page.getByText('0 of 1').waitFor()
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import type { Product } from './query.ts'
import { field, isShown, press, Refusal, serve, show, untilSent, write } from '../../../testing/console.tsx'
import { Products } from './products.tsx'

const PRODUCTS = '/projects/prj_1/pay/products'
const vase: Product = {
  id: 'prod_1',
  name: 'Vase',
  amount: 1250,
  currency: 'eur',
  interval: null,
  priceId: 'price_1',
  active: true,
  createdAt: '2026-01-01T00:00:00Z',
}

async function renderProducts(products: Product[], part: Record<string, () => unknown> = {}) {
  const calls = serve({ [`GET ${PRODUCTS}`]: () => products, ...part })
  show(<Products projectId="prj_1" currency="eur" />)
  await waitFor(() => assert.ok(isShown(products[0]?.name ?? 'Nothing is for sale yet')))
  return calls
}
const bodiesOf = (calls: { body: unknown }[] | undefined) => (calls ?? []).map(({ body }) => body)

describe('the products of an app', () => {
  test('a product whose price is not a number is not sent, and its price field is marked as invalid', async () => {
    const calls = await renderProducts([], { [`POST ${PRODUCTS}`]: () => vase })
    write('Price', 'twelve')
    press('Add product')
    assert.equal(field('Price').getAttribute('aria-invalid'), 'true')
    assert.ok(isShown('Enter an amount above zero, like 12.50.'))
    await untilSent()
    assert.deepEqual(calls[`POST ${PRODUCTS}`], [])
  })

  test('a subscription product is sent with its interval and its price in the smallest unit of the currency', async () => {
    const calls = await renderProducts([], { [`POST ${PRODUCTS}`]: () => vase })
    write('Name', ' Vase ')
    write('Price', '12.50')
    write('Currency', 'CHF')
    write('Paid', 'month')
    press('Add product')
    const wanted = { name: 'Vase', amount: 1250, currency: 'chf', interval: 'month' }
    await waitFor(() => assert.deepEqual(bodiesOf(calls[`POST ${PRODUCTS}`]), [wanted]))
    await waitFor(() => assert.equal(calls[`GET ${PRODUCTS}`]?.length, 2, 'the list is read again'))
    assert.equal(field('Name').value, '')
  })

  test('a product name that is typed while another product is being added stays in its field', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const calls = await renderProducts([], { [`POST ${PRODUCTS}`]: () => promise })
    write('Name', 'Vase')
    write('Price', '12.50')
    press('Add product')
    await waitFor(() => assert.equal(calls[`POST ${PRODUCTS}`]?.length, 1))
    write('Name', 'Bowl')
    resolve(vase)
    await waitFor(() => assert.equal(field('Price').value, ''))
    assert.equal(field('Name').value, 'Bowl')
  })

  test('the price of a product in a currency without cents must be a whole number', async () => {
    const calls = await renderProducts([], { [`POST ${PRODUCTS}`]: () => vase })
    write('Currency', 'jpy')
    write('Price', '12.50')
    press('Add product')
    await untilSent()
    assert.deepEqual(calls[`POST ${PRODUCTS}`], [])
    write('Price', '1250')
    press('Add product')
    await waitFor(() =>
      assert.deepEqual(bodiesOf(calls[`POST ${PRODUCTS}`]), [{ amount: 1250, currency: 'jpy' }]),
    )
  })

  test('a product that Stripe refuses keeps the typed values and shows the reason', async () => {
    await renderProducts([], {
      [`POST ${PRODUCTS}`]: () => new Refusal(502, 'upstream_error', 'Stripe is away.'),
    })
    write('Name', 'Vase')
    write('Price', '12')
    press('Add product')
    assert.ok(await screen.findByText(/Stripe is away/))
    assert.deepEqual([field('Name').value, field('Price').value], ['Vase', '12'])
  })

  test("a product's new price is parsed in the currency of the product, not in that of the form for new products", async () => {
    const PRICE = `POST ${PRODUCTS}/prod_1/price`
    const calls = await renderProducts([{ ...vase, currency: 'jpy', amount: 1250 }], { [PRICE]: () => vase })
    press('New price of Vase')
    const form = within(screen.getByRole('form', { name: 'New price of Vase' }))
    const price = form.getByLabelText<HTMLInputElement>('Price (JPY)')
    assert.equal(price.value, '')
    write('Price (JPY)', '900')
    press('Set the price')
    await waitFor(() => assert.deepEqual(bodiesOf(calls[PRICE]), [{ amount: 900 }]))
    await waitFor(() => assert.ok(screen.queryByRole('form', { name: 'New price of Vase' }) === null))
  })

  test('a product is archived only after a confirmation, and an archived product has no price button', async () => {
    const ARCHIVE = `POST ${PRODUCTS}/prod_1/archive`
    const products = [vase]
    const archived = { ...vase, active: false }
    const calls = await renderProducts(products, {
      [ARCHIVE]: () => {
        products[0] = archived
        return archived
      },
    })
    press('Archive Vase')
    assert.ok(await screen.findByText('Stop selling Vase?'))
    await untilSent()
    assert.deepEqual(calls[ARCHIVE], [])
    press('Archive')
    await waitFor(() => assert.ok(isShown(/archived/)))
    assert.equal(calls[ARCHIVE]?.length, 1)
    assert.ok(screen.queryByRole('button', { name: 'New price of Vase' }) === null)
  })

  test('the form of a product that was not added is filled again after a reload, until the product is added', async () => {
    await renderProducts([], { [`POST ${PRODUCTS}`]: () => vase })
    write('Name', 'Vase')
    write('Price', '12.50')
    write('Paid', 'month')
    cleanup()
    const calls = await renderProducts([], { [`POST ${PRODUCTS}`]: () => vase })
    assert.ok(isShown('Your unsent text is back.'))
    press('Add product')
    const wanted = { name: 'Vase', amount: 1250, currency: 'eur', interval: 'month' }
    await waitFor(() => assert.deepEqual(bodiesOf(calls[`POST ${PRODUCTS}`]), [wanted]))
    await waitFor(() => assert.equal(localStorage.length, 0))
  })
})

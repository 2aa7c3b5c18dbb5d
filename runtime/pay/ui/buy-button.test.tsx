import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { act, press, RefusedResponse, render, screen, serveApp } from '../../testing/kit.test.fixture.tsx'
import { BuyButton } from './buy-button.tsx'

const CHECKOUT = 'POST /_app/pay/checkout'

describe('the button that buys a product', () => {
  const original = Object.getOwnPropertyDescriptor(location, 'assign')
  let opened: unknown[]
  beforeEach(() => {
    opened = []
    Object.defineProperty(location, 'assign', {
      configurable: true,
      value: (url: unknown) => opened.push(url),
    })
  })
  afterEach(() => {
    if (original === undefined) Reflect.deleteProperty(location, 'assign')
    else Object.defineProperty(location, 'assign', original)
  })
  const alerts = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)
  const pressAndWait = () => act(async () => press('Buy'))

  test('a click on the buy button opens the payment page of the product', async () => {
    const calls = serveApp({ [CHECKOUT]: () => ({ url: 'https://pay.example.test/1' }) })
    render(<BuyButton productId="book" />)
    await pressAndWait()
    assert.deepEqual(opened, ['https://pay.example.test/1'])
    assert.deepEqual(
      calls[CHECKOUT]?.map(({ body }) => body),
      [{ productId: 'book', code: null }],
    )
  })

  test('the buy button sends its discount code, and none when the code is empty', async () => {
    const calls = serveApp({ [CHECKOUT]: () => ({ url: 'https://pay.example.test/1' }) })
    const { rerender } = render(<BuyButton productId="book" code="SPRING" />)
    await pressAndWait()
    rerender(<BuyButton productId="book" code="" />)
    await pressAndWait()
    assert.deepEqual(
      calls[CHECKOUT]?.map(({ body }) => body),
      [
        { productId: 'book', code: 'SPRING' },
        { productId: 'book', code: null },
      ],
    )
  })

  test('a second click on the buy button before the payment page opens does not begin a second purchase', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const calls = serveApp({ [CHECKOUT]: () => promise })
    render(<BuyButton productId="book" />)
    await pressAndWait()
    await pressAndWait()
    assert.equal(screen.getByRole('button').getAttribute('aria-busy'), 'true')
    await act(async () => resolve({ url: 'https://pay.example.test/1' }))
    assert.deepEqual([calls[CHECKOUT]?.length, opened.length], [1, 1])
  })

  test('a purchase that is refused opens nothing, shows the reason as a sentence, and can be repeated', async () => {
    const answers: unknown[] = [
      new RefusedResponse('conflict', 'productId: was already bought', 'productId'),
      new RefusedResponse('unavailable', 'Payments do not work right now. Try again in a moment.'),
      { url: 'https://pay.example.test/1' },
    ]
    serveApp({ [CHECKOUT]: () => answers.shift() })
    render(<BuyButton productId="book" />)
    await pressAndWait()
    assert.deepEqual([alerts(), opened], [['This was already bought'], []])
    await pressAndWait()
    assert.deepEqual(alerts(), ['Payments do not work right now. Try again in a moment.'])
    await pressAndWait()
    assert.deepEqual([alerts(), opened.length], [[], 1])
  })
})

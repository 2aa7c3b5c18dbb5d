import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import { isShown, Refusal, serve, show } from '../../../testing/console.tsx'
import { Sales } from './sales.tsx'

const READ_CAPABILITIES = 'GET /projects/prj_1/capabilities'
const ADA = `u_${'a'.repeat(26)}`
const PAID_AT = '2026-11-20T10:00:00.000Z'
const order = {
  id: 'ord_1',
  userId: ADA,
  productId: 'prod_book',
  amount: 1200,
  currency: 'usd',
  status: 'paid',
  code: null,
  mode: 'live',
  createdAt: PAID_AT,
  paidAt: PAID_AT,
  refundedAmount: 0,
}
const ROLLUP = { orders: 7, paid: 5, revenue: { usd: 123_400, jpy: 500 } }
const shopResponses = (items: object[], rollup: object = ROLLUP, entitlements: object[] = []) => ({
  [`${READ_CAPABILITIES}/pay/orders`]: () => ({ items, rollup }),
  [`${READ_CAPABILITIES}/pay/entitlements`]: () => entitlements,
  [`${READ_CAPABILITIES}/auth/users`]: () => [{ id: ADA, name: 'Ada' }],
  'GET /projects/prj_1/pay/products': () => [{ id: 'prod_book', name: 'The book' }],
})
const listRows = () => screen.getAllByRole('listitem').map((row) => row.textContent ?? '')

describe('the sales of a live app', () => {
  test('the sales page shows the revenue of all orders in each currency', async () => {
    serve(shopResponses([order]))
    show(<Sales projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('$1,234.00')))
    assert.ok(isShown('¥500'))
    assert.ok(isShown('5 of 7'))
  })

  test('an order shows its product, buyer, discount code and refund', async () => {
    serve(
      shopResponses([
        { ...order, code: 'SPRING', refundedAmount: 200 },
        { ...order, id: 'ord_2', userId: null, status: 'refunded', refundedAmount: 1200 },
        { ...order, id: 'ord_3', productId: 'prod_gone', status: 'open', paidAt: null },
      ]),
    )
    show(<Sales projectId="prj_1" />)
    await waitFor(() => assert.match(listRows()[0] ?? '', /The book/))
    await waitFor(() => assert.equal(screen.getAllByRole('link', { name: 'Ada' }).length, 2))
    assert.match(listRows()[0] ?? '', /The book.*paid .* · Ada · with SPRING · \$2\.00 paid back.*\$12\.00/)
    assert.match(listRows()[1] ?? '', /paid back .* · an erased person/)
    assert.match(listRows()[2] ?? '', /prod_gone.*not paid yet/)
  })

  test('an entitlement of a buyer shows its product, whether it is a subscription, and when it ends', async () => {
    const owned = { userId: ADA, productId: 'prod_book', since: PAID_AT }
    serve(
      shopResponses([order], ROLLUP, [
        { ...owned, kind: 'once', until: null },
        { ...owned, productId: 'prod_club', kind: 'subscription', until: '2099-01-01T00:00:00.000Z' },
      ]),
    )
    show(<Sales projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('Who has what')))
    assert.match(listRows()[1] ?? '', /The book.*for good/)
    assert.match(listRows()[2] ?? '', /prod_club.*until in .* years.*subscription/)
  })

  test('the sales page marks payments with test cards', async () => {
    serve(shopResponses([{ ...order, mode: 'test' }]))
    show(<Sales projectId="prj_1" />)
    await waitFor(() =>
      assert.ok(isShown('These are payments with test cards. They count until there is a live key.')),
    )
  })

  test('the sales page of an app without orders says that nothing was sold', async () => {
    serve(shopResponses([], { orders: 0, paid: 0, revenue: {} }))
    show(<Sales projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('Nothing was sold yet')))
  })

  test('the sales page of an app that was never shipped asks the person to ship it', async () => {
    serve({
      ...shopResponses([]),
      [`${READ_CAPABILITIES}/pay/orders`]: () =>
        new Refusal(404, 'not_enabled', 'Payments is on, but not deployed yet.'),
    })
    show(<Sales projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('Ship once to see it')))
  })
})

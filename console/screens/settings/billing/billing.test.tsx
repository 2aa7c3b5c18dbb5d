import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  button,
  isShown,
  press,
  Refusal,
  serve,
  show,
  untilSent,
} from '../../../testing/console.tsx'
import { PlanAndUsage } from './billing.tsx'
import { type CheckoutReturn, readCheckoutReturn } from './checkout-return.ts'

const PLANS = [
  { plan: 'starter', projects: 50, liveProjects: 5, buildsPerHour: 300 },
  { plan: 'pro', projects: 200, liveProjects: 25, buildsPerHour: 1000 },
]
const FREE_STATE = {
  plan: 'free',
  managed: true,
  projects: { used: 4, limit: 10 },
  liveProjects: { used: 1, limit: 1 },
  builds: { used: 12, limit: 100 },
  buildsPerHour: 100,
  plans: PLANS,
  renewsAt: null,
  subscription: null,
}
const PRO_STATE = {
  ...FREE_STATE,
  plan: 'pro',
  liveProjects: { used: 3, limit: 25 },
  renewsAt: '2026-12-26T12:00:00.000Z',
  subscription: { plan: 'pro', endsAt: null, overdue: null },
}
const OVERDUE_SUBSCRIPTION = { ...PRO_STATE.subscription, overdue: { keptUntil: '2026-12-03T12:00:00.000Z' } }

interface BillingOptions {
  state?: object
  role?: string
  returned?: CheckoutReturn
  answers?: Record<string, () => unknown>
}

function renderBilling({ state = FREE_STATE, role = 'owner', returned, answers = {} }: BillingOptions = {}) {
  const left: string[] = []
  const calls = serve({
    'GET /billing': () => state,
    'GET /me': () => ({
      user: { id: 'u', name: 'Ada', email: 'ada@example.test' },
      organization: { id: 'o', name: 'Acme' },
      role,
      scopes: [],
      plan: 'free',
    }),
    'POST /billing/checkout': () => ({ url: 'https://pay.test/checkout' }),
    'POST /billing/portal': () => ({ url: 'https://pay.test/portal' }),
    ...answers,
  })
  const { container } = show(<PlanAndUsage returned={returned} go={(url) => left.push(url)} />)
  return { calls, left, buttons: () => container.querySelectorAll('button').length }
}

describe('the plan and its usage', () => {
  test('the billing page shows the used and remaining amounts of the plan, and choosing a larger plan opens the checkout', async () => {
    const { calls, left } = renderBilling()
    await waitFor(() => assert.ok(isShown('Free plan')))
    for (const line of ['4 of 10, 6 left', '1 of 1, 0 left', '12 of 100, 88 left'])
      assert.ok(isShown(line), line)
    assert.ok(isShown('200 projects, 25 live, 1,000 builds an hour, domains of your own'))
    assert.ok(screen.queryByRole('button', { name: /Invoices/ }) === null)
    press('Choose Pro')
    await waitFor(() => assert.deepEqual(left, ['https://pay.test/checkout']))
    assert.deepEqual(calls['POST /billing/checkout']?.[0]?.body, { plan: 'pro' })
  })

  test('the billing page of a paid plan shows when it renews and opens the customer portal for invoices', async () => {
    const { left } = renderBilling({ state: PRO_STATE })
    await waitFor(() => assert.ok(isShown('Renews on December 26, 2026.')))
    assert.ok(isShown('Current plan'))
    press(/Invoices/)
    await waitFor(() => assert.deepEqual(left, ['https://pay.test/portal']))
  })

  test('the billing page of a cancelled plan shows when it ends', async () => {
    const subscription = { ...PRO_STATE.subscription, endsAt: '2026-12-26T12:00:00.000Z' }
    renderBilling({ state: { ...PRO_STATE, renewsAt: null, subscription } })
    await waitFor(() => assert.ok(isShown(/^Cancelled\. It ends on December 26, 2026/)))
  })

  test('after a failed payment the billing page shows on which day the plan ends, and opens the customer portal to pay', async () => {
    const { left } = renderBilling({ state: { ...PRO_STATE, subscription: OVERDUE_SUBSCRIPTION } })
    await assertAlert(/last payment failed.*Pro stays until December 3, 2026/)
    assert.equal(button('Choose Starter').getAttribute('aria-description'), 'Pay the open invoice first.')
    press('Pay or change the card')
    await waitFor(() => assert.deepEqual(left, ['https://pay.test/portal']))
  })

  test('a plan that ended because of an unpaid invoice can be restored by paying it', async () => {
    renderBilling({ state: { ...FREE_STATE, subscription: OVERDUE_SUBSCRIPTION } })
    await assertAlert(/Pay the open invoice to have it back/)
  })

  test('when more projects are live than the plan allows, the billing page says that all of them keep running', async () => {
    renderBilling({ state: { ...FREE_STATE, liveProjects: { used: 3, limit: 1 } } })
    await waitFor(() => assert.ok(isShown('3 of 1, 0 left')))
    assert.ok(isShown(/All keep running/))
  })

  test('after a checkout the billing page waits until the payment is confirmed', async () => {
    renderBilling({ returned: 'pro' })
    await waitFor(() => assert.ok(isShown('Waiting for Stripe to confirm the payment')))
  })

  test('the billing page shows the new plan after a paid checkout, and says that nothing was paid after a cancelled one', async () => {
    renderBilling({ state: PRO_STATE, returned: 'pro' })
    await waitFor(() => assert.ok(isShown('The organization is on Pro')))
    renderBilling({ returned: 'cancelled' })
    await waitFor(() => assert.ok(isShown('Nothing was paid')))
    assert.deepEqual(
      [
        readCheckoutReturn({ checkout: 'pro' }),
        readCheckoutReturn({ checkout: '<b>' }),
        readCheckoutReturn({}),
      ],
      [{ checkout: 'pro' }, {}, {}],
    )
  })

  test('when no plans are on sale, the billing page shows the usage without limits and nothing can be bought', async () => {
    const none = { used: 3, limit: null }
    const state = { ...FREE_STATE, plan: 'enterprise', managed: false, plans: [] }
    const { buttons } = renderBilling({
      state: { ...state, projects: none, liveProjects: none, builds: none },
    })
    await waitFor(() => assert.ok(isShown('The plan is set by the operator')))
    assert.equal(screen.getAllByText('3, no limit').length, 3)
    assert.equal(buttons(), 0)
  })

  test('the Enterprise plan is described as managed by the operator, and no other plan is offered', async () => {
    const { buttons } = renderBilling({ state: { ...FREE_STATE, plan: 'enterprise' } })
    await waitFor(() => assert.ok(isShown('The operator of this service manages it.')))
    assert.equal(buttons(), 0)
  })

  test('a member sees the plan and who can change it, but cannot open a checkout', async () => {
    const { left } = renderBilling({ state: PRO_STATE, role: 'member' })
    await waitFor(() => assert.ok(isShown('Pro plan')))
    press('Choose Starter')
    assert.ok(isShown('Only owners and admins can change the plan.'))
    await untilSent()
    assert.deepEqual(left, [])
  })

  test('a checkout for a plan that cannot be opened shows the reason', async () => {
    const refused = () => new Refusal(502, 'upstream_error', 'Stripe cannot be reached right now. Try again.')
    renderBilling({ answers: { 'POST /billing/checkout': refused } })
    await waitFor(() => assert.ok(isShown('Free plan')))
    press('Choose Starter')
    await assertAlert(/could not be opened.*cannot be reached/)
  })
})

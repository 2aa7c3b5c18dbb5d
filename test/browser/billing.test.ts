import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { href } from '../../console/routes.ts'
import { BillingAccount } from '../../server/billing/testing.ts'
import { assertSoundSizes, DESK } from './browser.ts'
import { type BrowserWorld, openBrowserWorld, type Resident } from './world.ts'

/** An operator starts to sell plans, and an organization buys a plan. Each test depends on the tests before it. */
describe('plans that are sold, in the browser', () => {
  let world: BrowserWorld
  let grace: Resident
  before(async () => {
    world = await openBrowserWorld({ page: { viewport: DESK } })
  })
  after(() => world?.close())

  async function assertSound({ page }: Pick<Resident, 'page'>, name: string): Promise<void> {
    await assertSoundSizes(page, name)
  }

  test('on an installation that sells no plans, the plan page says that the operator sets the plan', async () => {
    await world.page.goto(world.url + href.billing())
    await world.page.getByRole('heading', { name: 'The plan is set by the operator' }).waitFor()
    await assertSound(world, 'billing-off')
    world.assertQuiet()
  })

  test("a plan bought on the payment provider's page is active after the return to the console", async () => {
    const { service } = world
    const account = await BillingAccount.open(service.localUrl)
    const { secret = '' } = await account.stripe.webhookEndpoints.create({
      url: `${service.url}/api/v1/billing/webhook`,
      enabled_events: ['customer.subscription.created', 'invoice.paid', 'checkout.session.completed'],
    })
    Object.assign(service.env, {
      SLIPWAY_STRIPE_SECRET_KEY: account.config.key,
      SLIPWAY_STRIPE_WEBHOOK_SECRET: secret,
      SLIPWAY_STRIPE_PRICE_STARTER: account.config.prices.starter[0],
      SLIPWAY_STRIPE_PRICE_PRO: account.config.prices.pro[0],
    })
    await service.stop()
    await service.restart()
    grace = await world.enter('Grace Hopper')
    const { page } = grace
    await page.goto(world.url + href.billing())
    await page.getByRole('heading', { name: 'Free plan' }).waitFor()
    await assertSound(grace, 'billing-free')
    await page.getByRole('button', { name: 'Choose Pro' }).click()
    await page.getByText('Slipway pro').waitFor()
    await page.getByLabel('Email').fill('grace@example.test')
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.getByText('The organization is on Pro').waitFor()
    await page.getByRole('heading', { name: 'Pro plan' }).waitFor()
    await page.getByText(/^Renews on/).waitFor()
    await assertSound(grace, 'billing-pro')
    const me = await grace.person.call<{ plan: string }>('GET /me')
    assert.equal(me.plan, 'pro')
    grace.assertQuiet()
  })

  test('the billing portal links back to the console, which shows how long the plan remains while a payment is overdue', async () => {
    const { page } = grace
    await page.getByRole('button', { name: /^Invoices/ }).click()
    await page.getByText('LOCAL-0001').waitFor()
    await page.route('**/api/v1/billing', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { data: { subscription: object } }
      body.data.subscription = {
        ...body.data.subscription,
        overdue: { keptUntil: '2026-12-03T12:00:00.000Z' },
      }
      await route.fulfill({ response: answer, json: body })
    })
    await page.getByRole('link', { name: 'Back to the app' }).click()
    await page
      .getByRole('alert')
      .getByText(/Pro stays until December 3, 2026/)
      .waitFor()
    await assertSound(grace, 'billing-overdue')
    grace.assertQuiet()
  })
})

import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../../console/routes.ts'
import { assertBecomes, assertSoundSizes, DESK } from '../browser.ts'
import { type BrowserWorld, openBrowserWorld } from '../world.ts'

/** The tests set up payments of an app from scratch. Each test depends on the tests before it. */
describe('setting up what an app sells, in the browser', () => {
  let world: BrowserWorld
  let page: Page
  let projectId: string
  const openCapability = (tab?: 'live') =>
    page.goto(world.url + href.capability(projectId, 'pay', tab === undefined ? {} : { tab }))

  const waitForProvision = async () => {
    const path = `/projects/${projectId}/capabilities/pay`
    const readState = async () =>
      (await world.person.call<{ provision: { state: string } }>(`GET ${path}`)).provision.state
    await assertBecomes(readState, 'idle')
  }
  before(async () => {
    world = await openBrowserWorld({ page: { viewport: DESK } })
    page = world.page
    ;({ id: projectId } = await world.person.call<{ id: string }>('POST /projects', { name: 'Plant shop' }))
    await world.person.call(`PUT /projects/${projectId}/capabilities/pay`, { enabled: true })
    await waitForProvision()
  })
  after(() => world?.close())

  test('without a Stripe key the payments page links to the settings, which refuse an invalid key and save a valid one', async () => {
    await openCapability('live')
    await page.getByRole('heading', { name: 'No Stripe key yet' }).waitFor()
    await assertSoundSizes(page, 'pay-no-key')
    await page.getByRole('link', { name: 'Open the settings' }).click()
    const key = page.getByLabel('Stripe test key')
    await key.fill('sk_live_local_plants')
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByText(/ust be a test key of Stripe/i).waitFor()
    await key.fill('sk_test_local_plants')
    await page.getByRole('button', { name: /^Save/ }).click()
    await assertBecomes(async () => {
      const path = `/projects/${projectId}/capabilities/pay`
      return (await world.person.call<{ hasStripeTestKey: boolean }>(`GET ${path}`)).hasStripeTestKey
    }, true)
    await waitForProvision()
  })

  test('a product is created, gets a new price and is archived, and a discount code is created and deactivated', async () => {
    await openCapability('live')
    await page.getByRole('heading', { name: 'The app sells in test mode' }).waitFor()
    await page.getByText('The keys have all permissions that payments need.').waitFor()
    await page.getByText('Nothing is for sale yet').waitFor()
    await page.getByLabel('Name').fill('A plant a month')
    await page.getByLabel('Price', { exact: true }).fill('12.50')
    await page.getByLabel('Paid').selectOption('month')
    await page.getByRole('button', { name: 'Add product' }).click()
    await page.getByText('$12.50 a month').waitFor()
    await page.getByRole('button', { name: 'New price of A plant a month' }).click()
    await page.getByLabel('Price (USD)').fill('15')
    await page.getByRole('button', { name: 'Set the price' }).click()
    await page.getByText('$15.00 a month').waitFor()
    await page.getByLabel('Code', { exact: true }).fill('spring')
    await page.getByLabel('Percent').fill('20')
    await page.getByRole('button', { name: 'Add code' }).click()
    await page.getByText('20% off · not redeemed yet').waitFor()
    await assertSoundSizes(page, 'pay-catalog')
    await page.getByRole('button', { name: 'End the code SPRING' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click()
    await page.getByText('No code is in force').waitFor()
    await page.getByRole('button', { name: 'Archive A plant a month' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Archive', exact: true }).click()
    await page.getByText('$15.00 a month · archived').waitFor()
    // The list of orders is a 404, because the app is not live yet.
    world.assertQuiet(/404 .*\/pay\/(?:orders|entitlements)|400 .*\/capabilities\/pay/)
  })

  test('the console names each permission that a Stripe key lacks', async () => {
    await page.route('**/capabilities/pay', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { data: { keyCheck: object } }
      const missing = ['coupon', 'webhook'].map((name) => ({
        mode: 'test',
        resource: name === 'coupon' ? 'Coupons' : 'Webhook endpoints',
        need: 'write',
        permission: `rak_${name}_write`,
      }))
      body.data.keyCheck = { ...body.data.keyCheck, ok: false, missing }
      await route.fulfill({ response: answer, json: body })
    })
    await openCapability('live')
    await page.getByText('rak_webhook_write (test key)').waitFor()
    await assertSoundSizes(page, 'pay-lacking')
  })
})

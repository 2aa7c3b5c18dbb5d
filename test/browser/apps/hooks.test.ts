import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Stripe } from 'stripe'
import type { Page } from 'playwright-core'
import { href } from '../../../console/routes.ts'
import { cloudFetch } from '../../../server/cloudflare/fetch.ts'
import { finish, type ScriptedStep, write } from '../../support/scripted-model.ts'
import { assertBecomes, assertSoundSizes, DESK } from '../browser.ts'
import { shipScriptedApp } from '../scripted-project.ts'
import { type BrowserWorld, openBrowserWorld } from '../world.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Cake shop',
  uses: ['data', 'hook'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Orders' }],
  collections: {
    orders: {
      partition: 'app',
      read: 'public',
      write: 'nobody',
      fields: { cake: { type: 'text', required: true }, paid: { type: 'integer', default: 0 } },
    },
    payments: {
      partition: 'app',
      read: 'staff',
      write: 'nobody',
      fields: {
        deliveryId: { type: 'text' },
        body: { type: 'json' },
        status: { type: 'enum', values: ['received', 'handled', 'failed'] },
        lastError: { type: 'text' },
      },
    },
  },
  hooks: [{ name: 'pay', scheme: 'stripe', collection: 'payments', handler: 'on-payment' }],
}
const HOME = `import { Page, RecordList } from '@slipway/app/react'

export default () => (
  <Page title="Orders">
    <RecordList collection="orders" />
  </Page>
)
`
const JOB = `import { data, type HookEvent } from '@slipway/app/server'

export default async ({ body }: HookEvent) => {
  const { cake } = body as { cake?: string }
  if (cake === undefined) throw new Error('There is no cake in this payment')
  const { items } = await data.system.list('orders')
  const order = items.find((one) => one.cake === cake) ?? (await data.system.create('orders', { cake }))
  await data.system.increment('orders', order.id, 'paid')
}
`
const TEST = `import { app, expect, test } from '@slipway/app/testing'

test('the handler for webhook messages of a payment service creates an order', async () => {
  await app.runJob('on-payment', { body: { cake: 'Carrot' } })
  expect((await app.data.list('orders')).items.length).toBe(1)
})
`
const STEPS: ScriptedStep[] = [
  {
    toolCalls: [
      { name: 'enable_capability', args: { key: 'data' } },
      { name: 'enable_capability', args: { key: 'hook' } },
      write('app.json', JSON.stringify(MANIFEST)),
      write('web/pages/Home.tsx', HOME),
      write('server/jobs/on-payment.ts', JOB),
      write('tests/payments.test.ts', TEST),
    ],
  },
  { toolCalls: [finish('Payments become orders.')], repeat: true },
]
const SECRET = 'whsec_of_the_payment_provider'

describe('webhook messages of another service, in the browser', () => {
  let world: BrowserWorld
  let page: Page
  let projectId: string
  let address: string

  before(async () => {
    world = await openBrowserWorld({ page: { viewport: DESK } })
    page = world.page
    ;({ projectId, address } = await shipScriptedApp(world, {
      name: 'Cake shop',
      title: 'Payments become orders',
      steps: STEPS,
    }))
  })
  after(() => world?.close())

  const openEndpoints = () => page.goto(world.url + href.capability(projectId, 'hook', { tab: 'live' }))

  async function postPaidEvent(event: object): Promise<number> {
    const payload = JSON.stringify(event)
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET })
    const answer = await cloudFetch(`${address}/_app/hook/pay`, {
      method: 'POST',
      headers: { 'stripe-signature': signature },
      body: payload,
    })
    return answer.status
  }

  test('a webhook endpoint of an app is created with the signing secret of the sending service, and the console shows its URL', async () => {
    await openEndpoints()
    await page.getByText('No endpoint yet').waitFor()
    await assertSoundSizes(page, 'endpoints-none')
    assert.equal(await postPaidEvent({ id: 'evt_0', cake: 'Carrot' }), 401)
    await page.getByLabel('Name').fill('pay')
    await page.getByLabel('Secret').fill(SECRET)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'pay' })
    await row.getByText('secret saved').waitFor()
    await row.getByText(`${address}/_app/hook/pay`).waitFor()
    await assertBecomes(() => page.getByLabel('Secret').inputValue(), '')
    await assertSoundSizes(page, 'endpoints')
    world.assertQuiet()
  })

  test('a signed payment event appears in the open app, and is processed again after an operator resets its status', async () => {
    const { page: app } = await world.open('nobody')
    await app.goto(address)
    await app.getByRole('heading', { name: 'Orders', exact: true }).waitFor()
    // Retry until the live app has the secret, which arrives a moment after saving.
    await assertBecomes(() => postPaidEvent({ id: 'evt_1', cake: 'Lemon' }), 202)
    await app.getByText('Lemon').first().waitFor()
    assert.equal(await postPaidEvent({ id: 'evt_1', cake: 'Lemon' }), 202)

    await page.goto(world.url + href.collection(projectId, 'payments'))
    await page.getByRole('cell', { name: 'handled' }).waitFor()
    await page.getByRole('button', { name: /^Open record/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Status').selectOption('received')
    await dialog.getByRole('button', { name: 'Save record' }).click()
    const listPaid = async () => {
      const orders = await world.person.call<{ cake: string; paid: number }[]>(
        `GET /projects/${projectId}/capabilities/data/records/orders`,
      )
      return orders.map(({ cake, paid: times }) => [cake, times])
    }
    await assertBecomes(listPaid, [['Lemon', 2]])
  })

  test('when an app cannot process a webhook message, its record shows the reason', async () => {
    assert.equal(await postPaidEvent({ id: 'evt_2' }), 202)
    await page.goto(world.url + href.collection(projectId, 'payments'))
    await page.getByRole('cell', { name: 'There is no cake in this payment' }).waitFor()
    await assertSoundSizes(page, 'messages')
    world.assertQuiet()
  })
})

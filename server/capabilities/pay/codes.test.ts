import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { newId } from '../../lib/ids.ts'
import { type CloudApp, openCloudApp } from '../../releases/testing.ts'
import { leaves } from '../../testing/effects.ts'
import { insertCode } from './store.ts'
import { addStripeFault, clearStripeFaults, Shop, type StripeObject } from './testing.ts'

interface Code {
  id: string
  code: string
}

describe('discount codes whose creation or archiving is repeated', () => {
  let cloud: CloudApp
  before(async () => {
    cloud = await openCloudApp()
  })
  afterEach(() => clearStripeFaults(cloud))
  after(() => cloud.close())

  const openTestShop = async (): Promise<Shop> => {
    const shop = await Shop.open(cloud)
    await shop.turnOn({ stripeTestKey: shop.keys.test })
    return shop
  }

  test('a discount code that Stripe created while its responses were lost stays listed, so that it can be archived', async () => {
    leaves({
      activity: {
        'code.archived': 1,
        'code.created failed': 1,
        'coupon.created': 1,
        'webhook_endpoint.created': 1,
        'webhook_endpoint.disabled': 1,
        'worker.address': 1,
        'worker.secrets': 1,
        'worker.upload': 2,
      },
      jobs: { provision: 1 },
    })
    const shop = await openTestShop()
    const path = '/promotion_codes'
    await addStripeFault(cloud, { method: 'POST', path, times: 3 }, { commitThenDrop: true })
    // The first call looks for the code before it is created. The later ones would deactivate it.
    await addStripeFault(cloud, { method: 'GET', path, nth: 2, times: 3 }, { status: 500 })
    const lost = await shop.call('POST codes', { code: 'LOST', percentOff: 5 })
    assert.equal(lost.error?.code, 'upstream_error')
    await clearStripeFaults(cloud)
    const [listed] = (await shop.call<Code[]>('GET codes')).data
    assert.equal(listed?.code, 'LOST')
    assert.equal((await shop.call(`POST codes/${listed.id}/archive`)).status, 200)
    assert.deepEqual(await shop.listed('promotion_codes?active=true', shop.keys.test), [])
  })

  test('a discount code that is created again after its process died before it called Stripe is created in the mode of a later key', async () => {
    leaves({
      activity: {
        'code.created': 2,
        'coupon.created': 2,
        'webhook_endpoint.created': 2,
        'webhook_endpoint.disabled': 2,
        'worker.address': 1,
        'worker.secrets': 3,
        'worker.upload': 2,
      },
      jobs: { provision: 2 },
    })
    const shop = await openTestShop()
    const project = { id: shop.project.id, org_id: shop.person.organizationId }
    const terms = {
      percentOff: 5,
      amountOff: null,
      currency: null,
      duration: 'once',
      maxRedemptions: null,
    } as const
    const { db, clock } = cloud.app.platform
    // The row that the process has stored.
    const died = { ...terms, id: newId('code'), projectId: project.id, code: 'AGAIN', active: true }
    await insertCode(db, project, died, clock.now())
    const made = (await shop.call<Code>('POST codes', { code: 'again', percentOff: 5 })).data
    const { provision } = await shop.turnOn({ stripeKey: shop.keys.live })
    assert.deepEqual(provision, { state: 'idle', error: null })
    for (const key of Object.values(shop.keys))
      assert.deepEqual(
        (await shop.listed('coupons', key)).map(({ id }) => id),
        [made.id],
      )
  })

  test('archiving a discount code again returns the same number of redemptions as the first time', async () => {
    leaves({
      activity: {
        'code.archived': 1,
        'code.created': 1,
        'coupon.created': 1,
        'product.created': 1,
        'webhook_endpoint.created': 1,
        'webhook_endpoint.disabled': 1,
        'worker.address': 1,
        'worker.secrets': 1,
        'worker.upload': 2,
      },
      jobs: { provision: 1 },
    })
    const shop = await Shop.open(cloud)
    const { test: key } = shop.keys
    await shop.turnOn({ stripeTestKey: key })
    const code = (await shop.call<StripeObject>('POST codes', { percentOff: 50 })).data
    await shop.call('POST products', { amount: 1000 })
    const [price] = await shop.listed('prices', key)
    const [promotion] = await shop.listed('promotion_codes', key)
    const session = await shop.stripe('checkout/sessions', key, {
      mode: 'payment',
      success_url: 'https://shop.example/bought',
      'discounts[0][promotion_code]': promotion?.id ?? '',
      'line_items[0][quantity]': '1',
      'line_items[0][price]': price?.id ?? '',
    })
    assert.equal(session['error'], undefined)
    const body = new URLSearchParams({ pay: 'yes', card: '4242 4242 4242 4242', email: 'ada@example.test' })
    const paid = await fetch(String(session['url']), { method: 'POST', body, redirect: 'manual' })
    assert.equal(paid.status, 303)
    const archive = async () => {
      const { data } = await shop.call<StripeObject>(`POST codes/${code.id}/archive`)
      return [data['active'], data['redeemed']]
    }
    assert.deepEqual(await archive(), [false, 1])
    assert.deepEqual(await archive(), [false, 1])
  })
})

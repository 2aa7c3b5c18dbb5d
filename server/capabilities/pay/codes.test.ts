import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CloudApp, openCloudApp } from '../../releases/testing.ts'
import { leaves } from '../../testing/effects.ts'
import { Shop, type StripeObject } from './testing.ts'

describe('discount codes', () => {
  let cloud: CloudApp
  before(async () => {
    cloud = await openCloudApp()
  })
  after(() => cloud.close())

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

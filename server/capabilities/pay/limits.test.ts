import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import { leaves } from '../../testing/effects.ts'
import { addStripeFault, clearStripeFaults, Shop } from './testing.ts'

describe('the limits of products and discount codes', () => {
  let cloud: CloudApp
  before(async () => {
    cloud = await openCloudApp()
  })
  afterEach(() => clearStripeFaults(cloud))
  after(() => cloud.close())

  test('the 101st product and the 101st discount code of a project are refused with a conflict, and fully redeemed codes do not count', async () => {
    leaves({
      activity: {
        'code.created': 2,
        'coupon.created': 2,
        'product.created': 1,
        'webhook_endpoint.created': 1,
        'webhook_endpoint.disabled': 1,
        'worker.address': 'some',
        'worker.secrets': 'any',
        'worker.upload': 'some',
      },
      jobs: { provision: 'any' },
    })
    const shop = await Shop.open(cloud)
    await shop.turnOn({ stripeTestKey: shop.keys.test })
    const { pool } = cloud.app.platform
    const owner = [shop.person.organizationId, shop.project.id]
    await pool.query(
      `insert into pay_products (org_id, project_id, id, name, amount, currency, active, created_at)
       select $1, $2, $2 || n, 'Plant', 1, 'usd', false, now() from generate_series(1, 100) n`,
      owner,
    )
    await pool.query(
      `insert into pay_codes (org_id, project_id, id, code, percent_hundredths, duration, active, created_at)
       select $1, $2, $2 || n, 'CODE' || n, 500, 'once', true, now() from generate_series(1, 100) n`,
      owner,
    )
    const product = await shop.call('POST products', { amount: 100 })
    assert.deepEqual([product.status, product.error?.code], [409, 'conflict'])
    await pool.query('delete from pay_products where project_id = $1 and id = $1 || 1', [shop.project.id])
    const both = await Promise.all([1, 2].map(() => shop.call('POST products', { amount: 100 })))
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409], 'two at the same moment')
    // Stripe has ended all 100 codes, as when they are used up.
    const promotions: string[] = []
    for (let n = 1; n <= 100; n++) {
      const id = `${shop.project.id}${n}`
      await shop.stripe('coupons', shop.keys.test, { id, percent_off: '5', duration: 'once' })
      const promotion = { 'promotion[type]': 'coupon', 'promotion[coupon]': id, code: `CODE${n}` }
      const metadata = { 'metadata[project]': shop.project.id, active: 'false' }
      promotions.push(
        (await shop.stripe('promotion_codes', shop.keys.test, { ...promotion, ...metadata })).id,
      )
    }
    assert.equal((await shop.call('POST codes', { percentOff: 5 })).status, 200)
    for (const id of promotions.slice(0, -1))
      await shop.stripe(`promotion_codes/${id}`, shop.keys.test, { active: 'true' })
    assert.equal((await shop.call<unknown[]>('GET codes')).data.length, 100)
    const code = await shop.call('POST codes', { percentOff: 5 })
    assert.deepEqual([code.status, code.error?.code], [409, 'conflict'])
    await pool.query('update pay_codes set active = false where project_id = $1 and id = $1 || 1', [
      shop.project.id,
    ])
    // The second request begins when the row of the first is stored, while Stripe has not created its code yet.
    await addStripeFault(cloud, { method: 'POST', path: '/coupons', times: 1 }, { delayMs: 1_000 })
    const first = shop.call('POST codes', { code: 'FIRST', percentOff: 5 })
    await until(async () => (await pool.query(`select from pay_codes where code = 'FIRST'`)).rowCount === 1)
    const second = await shop.call('POST codes', { percentOff: 5 })
    assert.deepEqual([(await first).status, second.status], [200, 409], 'two at the same moment')
  })
})

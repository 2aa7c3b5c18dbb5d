import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { openStore } from '../../schema.ts'
import { Journal } from '../../world/journal.ts'
import { silentLog } from '../../world/log.ts'
import type { Store } from '../../world/store.ts'
import type { Stripe } from '../context.ts'
import { createKey, readCaller, requirePermission, revokeKey } from './keys.ts'

const ACCOUNT = { name: 'shop', isLive: false }

describe('API keys of the payment provider', () => {
  let store: Store
  let stripe: Stripe
  beforeEach(() => {
    store = openStore(':memory:')
    const now = () => 1_800_000_000_000
    const deliveries = { check: () => {} }
    stripe = {
      store,
      journal: new Journal(store),
      faults: null,
      log: silentLog,
      now,
      pagesUrl: () => '',
      deliveries,
    }
  })
  afterEach(() => store.close())

  const outcome = <T>(work: () => T) => {
    try {
      return work()
    } catch (error) {
      const { status, message } = error as { status: number; message: string }
      return [status, message]
    }
  }
  const callerOf = (authorization: string | undefined) => outcome(() => readCaller(stripe, authorization))
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

  test('a Stripe secret key contains its account and mode, and has every permission', () => {
    const shop = { account: ACCOUNT, permissions: null }
    assert.deepEqual(
      [
        callerOf('Bearer sk_test_local_shop'),
        callerOf('bearer sk_test_local_shop'),
        callerOf(basic('sk_test_local_shop:')),
        callerOf(basic('sk_test_local_shop')),
        callerOf('Bearer sk_live_local_Shop2'),
        callerOf('Bearer sk_test_local_shop_second'),
      ],
      [shop, shop, shop, shop, { account: { name: 'Shop2', isLive: true }, permissions: null }, shop],
    )
  })

  test('a Stripe request without a key or with a malformed or unknown key is refused, and the error masks the key', () => {
    const none = [
      401,
      'You did not provide an API key. You need to provide your API key in the Authorization header.',
    ]
    const invalid = (shown: string) => [401, `Invalid API Key provided: ${shown}`]
    assert.deepEqual(
      [
        undefined,
        '',
        'Bearer',
        'Bearer ',
        'sk_test_local_shop',
        'Digest sk_test_local_shop',
        basic(':x'),
      ].map(callerOf),
      Array.from({ length: 7 }, () => none),
    )
    assert.deepEqual(
      [
        callerOf('Bearer sk_test_51NotOfThisStandIn'),
        callerOf('Bearer pk_test_local_shop'),
        callerOf(`Bearer sk_test_local_${'a'.repeat(41)}`),
        callerOf('Bearer sk_test_local_sh-op'),
        callerOf('Bearer rk_test_local_shop_unknown'),
        callerOf('Bearer sk_prod_local_shop'),
      ],
      [
        invalid('sk_test_********ndIn'),
        invalid('pk_test_********shop'),
        invalid('sk_test_********aaaa'),
        invalid('sk_test_********h-op'),
        invalid('rk_test_********nown'),
        invalid('sk_prod_********shop'),
      ],
    )
  })

  test('a restricted key has only the permissions from its creation, and is stored only as a digest', () => {
    const key = createKey(stripe, { name: 'shop', isLive: true }, { product: 'read', webhook: 'write' })
    assert.match(key, /^rk_live_local_shop_[0-9a-f]{24}$/)
    assert.deepEqual(callerOf(`Bearer ${key}`), {
      account: { name: 'shop', isLive: true },
      permissions: { product: 'read', webhook: 'write' },
    })
    assert.deepEqual(
      [
        JSON.stringify(store.all('SELECT * FROM stripe_keys')).includes(key),
        store.all<object>('SELECT ending, room FROM stripe_keys').map((row) => ({ ...row })),
      ],
      [false, [{ ending: key.slice(-4), room: 'shop/live' }]],
    )
  })

  test("a restricted key's write permission includes reading, but its read permission does not include writing", () => {
    const key = createKey(stripe, ACCOUNT, { product: 'read', coupon: 'write' })
    const caller = readCaller(stripe, `Bearer ${key}`)
    const check = (resource: 'product' | 'coupon' | 'webhook', need: 'read' | 'write') =>
      outcome(() => requirePermission(caller, resource, need, `Bearer ${key}`))
    const lacks = (permission: string) => [
      403,
      `The provided key 'rk_test_********${key.slice(-4)}' does not have the required permissions for this endpoint. Having the '${permission}' permission would allow this request to continue.`,
    ]
    assert.deepEqual(
      [
        check('product', 'read'),
        check('product', 'write'),
        check('coupon', 'read'),
        check('coupon', 'write'),
        check('webhook', 'read'),
        outcome(() =>
          requirePermission({ account: ACCOUNT, permissions: null }, 'webhook', 'write', undefined),
        ),
      ],
      [undefined, lacks('rak_product_write'), undefined, undefined, lacks('rak_webhook_read'), undefined],
    )
  })

  test('a revoked Stripe key is refused, and other keys of the account stay valid', () => {
    const [restricted, kept] = [createKey(stripe, ACCOUNT, {}), createKey(stripe, ACCOUNT, {})]
    for (const key of [
      restricted,
      restricted,
      'sk_test_local_shop',
      'rk_test_local_shop_never',
      'no key',
      '',
    ])
      revokeKey(stripe, key)
    const isRefused = (key: string) => Array.isArray(callerOf(`Bearer ${key}`))
    assert.deepEqual(
      [
        restricted,
        'sk_test_local_shop',
        kept,
        'sk_live_local_shop',
        'sk_test_local_other',
        'sk_test_local_shop_new',
      ].map(isRefused),
      [true, true, false, false, false, false],
    )
  })
})

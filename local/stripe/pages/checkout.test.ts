import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Stripe } from 'stripe'
import { testStripe, type TestStripe } from '../../testing/stripe.ts'

describe('the checkout page of the local payment provider', () => {
  let world: TestStripe
  let stripe: Stripe
  beforeEach(() => {
    world = testStripe()
    stripe = world.client()
  })
  afterEach(() => world.close())

  const createPrice = async (more: Partial<Stripe.PriceCreateParams> = {}, name = 'Plant') => {
    const { id: product } = await stripe.products.create({ name })
    return (await stripe.prices.create({ product, unit_amount: 1250, currency: 'usd', ...more })).id
  }
  const open = async (more: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
    stripe.checkout.sessions.create({
      mode: 'payment',
      ...(more.line_items === undefined && { line_items: [{ price: await createPrice() }] }),
      success_url: 'http://shop.test/thanks?a=1&session={CHECKOUT_SESSION_ID}&again={CHECKOUT_SESSION_ID}',
      ...more,
    })
  const show = async ({ url }: Stripe.Checkout.Session) => world.show(url ?? '')
  const cells = (page: string) =>
    [...page.matchAll(/<td>([^]*?)<\/td>/g)].map(([, cell = '']) => cell.replaceAll(/<[^>]+>/g, '').trim())
  const fields = (page: string) => [...page.matchAll(/<input[^>]* name="(\w+)"/g)].map(([, name]) => name)
  const post = async ({ url }: Stripe.Checkout.Session, form: Record<string, string>) => {
    const answer = await world.request(url ?? '', { method: 'POST', body: new URLSearchParams(form) })
    const text = await answer.text()
    return [
      answer.status,
      answer.headers.get('location') ??
        /<p role="alert">([^<]*)/.exec(text)?.[1] ??
        /<h1>([^<]*)/.exec(text)?.[1],
    ]
  }
  const form = { pay: 'yes', email: 'ada@example.test', card: '4242424242424242' }

  test('the checkout page lists each line with its amount, the discount and the total, and escapes markup in names', async () => {
    const { id: coupon } = await stripe.coupons.create({ amount_off: 500, currency: 'usd' })
    const session = await open({
      line_items: [
        { price: await createPrice({}, '<script>alert(1)</script>') },
        { price: await createPrice({ unit_amount: 5 }, 'Pot'), quantity: 3 },
      ],
      discounts: [{ coupon }],
    })
    assert.deepEqual(cells(await show(session)), [
      '&lt;script&gt;alert(1)&lt;/script&gt;',
      '$12.50',
      'Pot × 3',
      '$0.15',
      'Discount',
      '-$5.00',
      'Total',
      '$7.65',
    ])
  })

  test('the checkout page shows an amount in the unit of its currency, and a billing period in words', async () => {
    const shown = []
    for (const [more, mode] of [
      [{ currency: 'jpy' }, 'payment'],
      [{ currency: 'eur' }, 'payment'],
      [{ recurring: { interval: 'year' } }, 'subscription'],
      [{ recurring: { interval: 'month', interval_count: 3 } }, 'subscription'],
    ] as const)
      shown.push(cells(await show(await open({ mode, line_items: [{ price: await createPrice(more) }] })))[1])
    assert.deepEqual(shown, ['¥1,250', '€12.50', '$12.50 per year', '$12.50 every 3 months'])
  })

  test('the checkout page asks for an email only when the session has none, and for a code only when the session allows codes', async () => {
    assert.deepEqual(
      [
        fields(await show(await open())),
        fields(await show(await open({ allow_promotion_codes: true }))),
        fields(await show(await open({ customer_email: 'ada@example.test' }))),
      ],
      [['email', 'card'], ['email', 'card', 'code'], ['card']],
    )
  })

  test("a checkout uses its session's email, and ignores another email in the form", async () => {
    const session = await open({ customer_email: 'ada@example.test' })
    await post(session, { ...form, email: 'eve@example.test' })
    const { customer_details: details } = await stripe.checkout.sessions.retrieve(session.id)
    assert.equal(details?.email, 'ada@example.test')
  })

  test('paying a checkout redirects to success_url with the session id, and a second payment makes no charge', async () => {
    const session = await open()
    const back = `http://shop.test/thanks?a=1&session=${session.id}&again=${session.id}`
    assert.deepEqual(
      [await post(session, form), await post(session, form)],
      [
        [303, back],
        [303, back],
      ],
    )
    assert.match(await show(session), /This checkout is finished/)
    assert.equal((await stripe.charges.list()).data.length, 1)
  })

  test('the checkout page refuses a payment without a valid email or with a wrong card number', async () => {
    const session = await open()
    const { email: _email, ...noEmail } = form
    assert.deepEqual(
      [
        await post(session, {}),
        await post(session, noEmail),
        await post(session, { ...form, email: 'ada @example.test' }),
        await post(session, { ...form, card: '' }),
        await post(session, { ...form, card: '1234' }),
        await post(session, { ...form, email: '  ada@example.test ', card: ' 4242 4242 4242 4242 ' }),
      ].map(([status, said]) => [status, String(said).split('?')[0]]),
      [
        [400, 'Enter an email address.'],
        [400, 'Enter an email address.'],
        [400, 'Enter an email address.'],
        [400, 'Your card was declined.'],
        [400, 'Your card was declined.'],
        [303, 'http://shop.test/thanks'],
      ],
    )
  })

  test('a checkout session cannot be paid after its expiry time, even before its status is expired', async () => {
    const session = await open()
    const cancelled = await open()
    await stripe.checkout.sessions.expire(cancelled.id)
    world.clock.pass(session.expires_at * 1000 - world.clock.now())
    for (const one of [session, cancelled]) assert.match(await show(one), /This checkout has expired/)
    await post(session, form)
    await post(cancelled, form)
    assert.deepEqual((await stripe.charges.list()).data, [])
  })

  test('the page of an unknown checkout session returns 404', async () => {
    const url = 'http://stripe.test/stripe/checkout/cs_test_none'
    assert.deepEqual(
      [
        (await world.request(url)).status,
        (await world.request(url, { method: 'POST', body: new URLSearchParams(form) })).status,
      ],
      [404, 404],
    )
  })
})

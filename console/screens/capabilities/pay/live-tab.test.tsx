import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanup, waitFor } from '@testing-library/react'
import {
  assertAlert,
  button,
  field,
  isShown,
  press,
  Refusal,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { Payments } from './live-tab.tsx'

const PROJECT_PATH = '/projects/prj_1'
const CHECK = { ok: true, mode: 'live', checkedAt: '2026-11-24T03:00:00.000Z', missing: [] }
const CAPABILITY = {
  key: 'pay',
  title: 'Payments',
  enabled: true,
  provision: { state: 'idle', error: null },
  resource: null,
  settings: { currency: 'usd' },
  alsoOff: [],
  unchecked: [],
  keyCheck: CHECK,
  hasStripeKey: true,
  hasStripeTestKey: true,
}
const PLANT = {
  id: 'prod_1',
  name: 'Plant',
  amount: 1250,
  currency: 'usd',
  interval: 'month',
  priceId: 'price_1',
  active: true,
  createdAt: '2026-11-24T03:00:00.000Z',
}
const SPRING = {
  id: 'code_1',
  code: 'SPRING',
  percentOff: 20,
  amountOff: null,
  currency: null,
  duration: 'once',
  maxRedemptions: 10,
  redeemed: 3,
  active: true,
}

function renderPayments(capability: object = {}, answers: Record<string, () => unknown> = {}) {
  const calls = serve({
    [`GET ${PROJECT_PATH}/capabilities/pay`]: () => ({ ...CAPABILITY, ...capability }),
    [`GET ${PROJECT_PATH}/pay/products`]: () => [],
    [`GET ${PROJECT_PATH}/pay/codes`]: () => [],
    [`GET ${PROJECT_PATH}/capabilities/pay/orders`]: () =>
      new Refusal(404, 'not_enabled', 'Not deployed yet.'),
    ...answers,
  })
  show(<Payments projectId="prj_1" />)
  return (call: string) => calls[call]?.map(({ body }) => body)
}

describe('the Stripe keys of an app', () => {
  test('without a Stripe key the payments page links to the settings in which the key is entered, and requests no products', async () => {
    const sent = renderPayments({ hasStripeKey: false, hasStripeTestKey: false, keyCheck: null })
    await waitFor(() => assert.ok(isShown('No Stripe key yet')))
    assert.equal(document.querySelector('a')?.getAttribute('href'), '/projects/prj_1/capabilities/pay')
    await untilSent()
    assert.deepEqual(sent(`GET ${PROJECT_PATH}/pay/products`), [])
  })

  test('the payments page with only a Stripe test key says that the app sells in test mode', async () => {
    renderPayments({ hasStripeKey: false, keyCheck: null })
    await waitFor(() => assert.ok(isShown('The app sells in test mode')))
    assert.ok(isShown('The keys have not been checked yet.'))
  })

  test('the payments page with only a Stripe live key says that nothing can be sold in the preview', async () => {
    renderPayments({ hasStripeTestKey: false })
    await waitFor(() => assert.ok(isShown('Without a test key the preview sells nothing.')))
  })

  test('the payments page lists the permissions that a Stripe key lacks, and the key can be checked again', async () => {
    const missing = [{ mode: 'live', resource: 'Coupons', need: 'write', permission: 'rak_coupon_write' }]
    const sent = renderPayments(
      { keyCheck: { ...CHECK, ok: false, missing } },
      { [`POST ${PROJECT_PATH}/pay/key/check`]: () => CHECK },
    )
    await waitFor(() => assert.ok(isShown('Coupons: write')))
    assert.ok(isShown('rak_coupon_write (live key)'))
    press('Check again')
    await waitFor(() => assert.equal(sent(`GET ${PROJECT_PATH}/capabilities/pay`)?.length, 2))
    assert.equal(sent(`POST ${PROJECT_PATH}/pay/key/check`)?.length, 1)
  })

  test('a failed check of the Stripe key shows the reason', async () => {
    renderPayments(
      {},
      {
        [`POST ${PROJECT_PATH}/pay/key/check`]: () =>
          new Refusal(502, 'upstream_error', 'Stripe does not accept the stored key.'),
      },
    )
    await waitFor(() => assert.ok(button('Check again')))
    press('Check again')
    await assertAlert(/does not accept the stored key/)
  })
})

describe('the products of an app', () => {
  const ADD = `POST ${PROJECT_PATH}/pay/products`

  test('a new product is sent with its price in the smallest unit of the currency, and the form is emptied', async () => {
    const sent = renderPayments({}, { [ADD]: () => PLANT })
    await waitFor(() => assert.ok(isShown('Nothing is for sale yet')))
    write('Name', ' Plant ')
    write('Price', '12,50')
    write('Paid', 'month')
    press('Add product')
    await waitFor(() =>
      assert.deepEqual(sent(ADD), [{ name: 'Plant', amount: 1250, currency: 'usd', interval: 'month' }]),
    )
    await waitFor(() => assert.equal(sent(`GET ${PROJECT_PATH}/pay/products`)?.length, 2))
    assert.equal(
      document.querySelector<HTMLInputElement>('form[aria-label="Add a product"] input')?.value,
      '',
    )
  })

  test('a product whose price is not an amount is not sent, and the price field shows the reason', async () => {
    const sent = renderPayments({}, { [ADD]: () => PLANT })
    await waitFor(() => assert.ok(isShown('Nothing is for sale yet')))
    write('Price', 'ten')
    press('Add product')
    await waitFor(() => assert.ok(isShown('Enter an amount above zero, like 12.50.')))
    await untilSent()
    assert.deepEqual(sent(ADD), [])
  })

  test('a new product that is refused shows the reason', async () => {
    renderPayments({}, { [ADD]: () => new Refusal(400, 'invalid_request', 'currency: is refused by Stripe') })
    await waitFor(() => assert.ok(isShown('Nothing is for sale yet')))
    write('Price', '5')
    press('Add product')
    await assertAlert(/refused by Stripe/)
  })

  test('a product shows its price, and an archived product cannot be archived again', async () => {
    const old = { ...PLANT, id: 'prod_2', name: 'Old', interval: null, active: false }
    renderPayments({}, { [`GET ${PROJECT_PATH}/pay/products`]: () => [PLANT, old] })
    await waitFor(() => assert.ok(isShown('$12.50 a month')))
    assert.ok(isShown('$12.50 · archived'))
    assert.ok(button('Copy the id of Plant'))
    assert.equal(document.querySelectorAll('button[aria-label^="Archive"]').length, 1)
  })

  test('a new price of a product is sent in the smallest unit of its currency', async () => {
    const SET = `POST ${PROJECT_PATH}/pay/products/prod_1/price`
    const sent = renderPayments(
      {},
      { [`GET ${PROJECT_PATH}/pay/products`]: () => [PLANT], [SET]: () => PLANT },
    )
    await waitFor(() => assert.ok(button('New price of Plant')))
    press('New price of Plant')
    write('Price (USD)', '15')
    press('Set the price')
    await waitFor(() => assert.deepEqual(sent(SET), [{ amount: 1500 }]))
  })

  test('archiving a product asks for confirmation', async () => {
    const ARCHIVE = `POST ${PROJECT_PATH}/pay/products/prod_1/archive`
    const sent = renderPayments(
      {},
      { [`GET ${PROJECT_PATH}/pay/products`]: () => [PLANT], [ARCHIVE]: () => PLANT },
    )
    await waitFor(() => assert.ok(button('Archive Plant')))
    press('Archive Plant')
    assert.ok(isShown('Stop selling Plant?'))
    await untilSent()
    assert.deepEqual(sent(ARCHIVE), [])
    press('Archive')
    await waitFor(() => assert.equal(sent(ARCHIVE)?.length, 1))
  })

  test('a list of products that failed to load shows the reason', async () => {
    renderPayments(
      {},
      {
        [`GET ${PROJECT_PATH}/pay/products`]: () =>
          new Refusal(502, 'upstream_error', 'Stripe cannot be reached right now.'),
      },
    )
    await assertAlert(/cannot be reached/)
  })
})

describe('the discount codes of an app', () => {
  const ADD = `POST ${PROJECT_PATH}/pay/codes`

  test('a discount code is sent with a percentage or with an amount in the smallest unit of the currency', async () => {
    const sent = renderPayments({}, { [ADD]: () => SPRING })
    await waitFor(() => assert.ok(isShown('No code is in force')))
    write('Code', 'spring')
    write('Percent', '12,5')
    write('Maximum redemptions', '10')
    press('Add code')
    await waitFor(() =>
      assert.deepEqual(sent(ADD), [
        { code: 'spring', percentOff: 12.5, maxRedemptions: 10, duration: 'once' },
      ]),
    )
    await waitFor(() => assert.equal(sent(`GET ${PROJECT_PATH}/pay/codes`)?.length, 2))
    write('Takes off', 'amount')
    write('Amount (USD)', '3')
    write('Of a subscription', 'forever')
    press('Add code')
    await waitFor(() =>
      assert.deepEqual(sent(ADD)?.[1], { amountOff: 300, currency: 'usd', duration: 'forever' }),
    )
  })

  test('a discount code that is typed while another is being added stays in its field', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const sent = renderPayments({}, { [ADD]: () => promise })
    await waitFor(() => assert.ok(isShown('No code is in force')))
    write('Percent', '10')
    press('Add code')
    await waitFor(() => assert.equal(sent(ADD)?.length, 1))
    write('Code', 'summer')
    resolve(SPRING)
    await waitFor(() => assert.equal(sent(`GET ${PROJECT_PATH}/pay/codes`)?.length, 2))
    assert.equal(field('Code').value, 'summer')
  })

  test('the form of a discount code that was not added is filled again after a reload', async () => {
    renderPayments()
    await waitFor(() => assert.ok(isShown('No code is in force')))
    write('Code', 'spring')
    write('Percent', '12.5')
    cleanup()
    renderPayments()
    await waitFor(() => assert.ok(isShown('Your unsent text is back.')))
    assert.deepEqual([field('Code').value, field('Percent').value], ['spring', '12.5'])
  })

  test('a discount code without a percentage is not sent, and the percentage field shows the reason', async () => {
    const sent = renderPayments({}, { [ADD]: () => SPRING })
    await waitFor(() => assert.ok(isShown('No code is in force')))
    press('Add code')
    await waitFor(() => assert.ok(isShown('Enter a percentage above 0, up to 100.')))
    await untilSent()
    assert.deepEqual(sent(ADD), [])
  })

  test('a discount code shows its discount and redemptions and is deactivated only after a confirmation', async () => {
    const END = `POST ${PROJECT_PATH}/pay/codes/code_1/archive`
    const always = {
      ...SPRING,
      id: 'code_2',
      code: 'FRIEND',
      percentOff: null,
      amountOff: 300,
      currency: 'usd',
      duration: 'forever',
      maxRedemptions: null,
    }
    const sent = renderPayments(
      {},
      { [`GET ${PROJECT_PATH}/pay/codes`]: () => [SPRING, always], [END]: () => SPRING },
    )
    await waitFor(() => assert.ok(isShown('20% off · redeemed 3 of 10 times')))
    assert.ok(isShown('$3.00 off · every payment · redeemed 3 times'))
    press('End the code SPRING')
    assert.ok(isShown('End the code SPRING?'))
    press('End')
    await waitFor(() => assert.equal(sent(END)?.length, 1))
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DiscountCode } from '@slipway/sdk/client/types.gen.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  field,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { Codes } from './codes.tsx'

const LIST = 'GET /projects/prj_1/pay/codes'
const ADD = 'POST /projects/prj_1/pay/codes'
const END = 'POST /projects/prj_1/pay/codes/code_1/archive'
const SPRING: DiscountCode = {
  id: 'code_1',
  code: 'SPRING',
  percentOff: 20,
  amountOff: null,
  currency: null,
  duration: 'once',
  maxRedemptions: null,
  redeemed: 0,
  active: true,
  createdAt: '2026-01-01T00:00:00Z',
} as DiscountCode

async function renderCodes(list: () => unknown, { currency = 'eur', answers = {} } = {}) {
  const calls = serve({ [LIST]: list, [ADD]: () => SPRING, [END]: () => SPRING, ...answers })
  show(<Codes projectId="prj_1" currency={currency} />)
  await waitFor(() => assert.equal(calls[LIST]?.length, 1))
  return { calls, added: () => sent(calls, ADD) }
}
const isInvalid = (label: string) => field(label).getAttribute('aria-invalid') === 'true'

describe('the discount codes', () => {
  test('a discount code shows its discount and how often it was redeemed', async () => {
    const amount = {
      ...SPRING,
      id: 'code_2',
      code: 'TEN',
      percentOff: null,
      amountOff: 1000,
      currency: 'jpy',
    }
    await renderCodes(() => [
      SPRING,
      { ...amount, redeemed: 1 },
      { ...amount, id: 'code_3', code: 'ALL', duration: 'forever', redeemed: 2, maxRedemptions: 2 },
    ])
    await screen.findByText('SPRING')
    assert.ok(isShown('20% off · not redeemed yet'))
    assert.ok(isShown('¥1,000 off · redeemed once'))
    assert.ok(isShown('¥1,000 off · every payment · redeemed 2 of 2 times'))
  })

  test('when the discount codes cannot be loaded, the reason is shown, the form stays, and a retry shows the codes', async () => {
    let isAway = true
    await renderCodes(() => (isAway ? new Refusal(409, 'conflict', 'The key is not accepted.') : [SPRING]))
    await assertAlert(/key is not accepted/)
    assert.ok(isThere('button', 'Add code'))
    isAway = false
    press('Try again')
    await screen.findByText('SPRING')
  })

  test('a discount percentage that is not a number above zero is marked as invalid, and nothing is sent', async () => {
    const { added } = await renderCodes(() => [])
    for (const typed of [
      '',
      '0',
      '-5',
      'ten',
      '1.2.3',
      'NaN',
      '101',
      '100.01',
      'Infinity',
      '0x10',
      '1e1',
      '1,000',
    ]) {
      write('Percent', typed)
      press('Add code')
      assert.equal(isInvalid('Percent'), true, typed)
    }
    await untilSent()
    assert.deepEqual(added(), [])
    assert.equal(isInvalid('Maximum redemptions'), false)
  })

  test('a discount percentage with a decimal comma or point is sent as that number', async () => {
    for (const [typed, percentOff] of [
      ['12.5', 12.5],
      [' 7,25 ', 7.25],
      ['100', 100],
    ] as const) {
      const { added } = await renderCodes(() => [])
      write('Percent', typed)
      press('Add code')
      await waitFor(() => assert.deepEqual(added(), [{ duration: 'once', percentOff }]))
      cleanup()
    }
  })

  test('a redemption limit that is not a whole number above zero is marked as invalid at its own field, and nothing is sent', async () => {
    const { added } = await renderCodes(() => [])
    write('Percent', '10')
    for (const typed of ['0', '-1', '1.5', 'many']) {
      write('Maximum redemptions', typed)
      press('Add code')
      assert.deepEqual([isInvalid('Maximum redemptions'), isInvalid('Percent')], [true, false], typed)
    }
    await untilSent()
    assert.deepEqual(added(), [])
    write('Maximum redemptions', ' 1 ')
    assert.equal(isInvalid('Maximum redemptions'), false)
    press('Add code')
    await waitFor(() => assert.deepEqual(added(), [{ duration: 'once', percentOff: 10, maxRedemptions: 1 }]))
  })

  test('a discount amount is sent in the smallest unit of its currency, and is invalid with too many decimals', async () => {
    const { added } = await renderCodes(() => [], { currency: 'jpy' })
    write('Takes off', 'amount')
    write('Amount (JPY)', '12.50')
    press('Add code')
    assert.equal(isInvalid('Amount (JPY)'), true)
    write('Amount (JPY)', '1250')
    write('Code', ' SUMMER ')
    press('Add code')
    await waitFor(() =>
      assert.deepEqual(added(), [{ duration: 'once', code: 'SUMMER', amountOff: 1250, currency: 'jpy' }]),
    )
  })

  test('a refused discount code keeps the typed values and shows the reason', async () => {
    await renderCodes(() => [], {
      answers: { [ADD]: () => new Refusal(409, 'conflict', 'SPRING is there already.') },
    })
    write('Code', 'SPRING')
    write('Percent', '10')
    press('Add code')
    await assertAlert(/there already/)
    assert.deepEqual([field('Code').value, field('Percent').value], ['SPRING', '10'])
  })

  test('a discount code that could not be deactivated stays in the list with the reason until it is deactivated', async () => {
    let list = [SPRING]
    const answers = [
      () => new Refusal(409, 'conflict', 'The key is not accepted.'),
      () => {
        list = []
        return SPRING
      },
    ]
    const { calls } = await renderCodes(() => list, { answers: { [END]: () => answers.shift()?.() } })
    await screen.findByText('SPRING')
    press('End the code SPRING')
    await untilSent()
    assert.deepEqual(calls[END], [])
    press('End')
    await assertAlert(/key is not accepted/)
    press('End')
    await screen.findByText('No code is in force')
    assert.equal(isThere('dialog'), false)
  })
})

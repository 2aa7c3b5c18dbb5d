import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { queryClient } from '../../../api/request/query-client.ts'
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
import { TokenLimits } from './token-limits.tsx'

const READ_LIMITS = 'GET /connections/models/limits'
const SET_LIMITS = 'PUT /connections/models/limits'
const tokenUse = { month: '2026-12', used: 1_200_345, monthly: null, perTicket: null }
const limitedUse = { ...tokenUse, monthly: 5_000_000 }

async function renderTokenLimits(
  stored: object,
  answer: () => unknown = () => limitedUse,
  reason: string | null = null,
) {
  const calls = serve({ [READ_LIMITS]: () => stored, [SET_LIMITS]: answer })
  show(<TokenLimits reason={reason} />)
  await screen.findByLabelText('Limit of a month')
  return calls
}

describe('the monthly token limits', () => {
  test('a monthly token limit can be entered in a short form such as 5M, and usage is then shown as a part of the limit', async () => {
    const calls = await renderTokenLimits(tokenUse)
    assert.ok(isShown('1,200,345 tokens used in December 2026'))
    assert.ok(screen.queryByRole('meter') === null)
    write('Limit of a month', ' 5M ')
    press('Save limits')
    await waitFor(() => assert.ok(isShown('1,200,345 of 5,000,000 tokens used in December 2026')))
    assert.deepEqual(calls[SET_LIMITS]?.[0]?.body, { monthly: 5_000_000, perTicket: null })
    assert.equal(screen.getByRole('meter').getAttribute('aria-valuenow'), '1200345')
    assert.equal(field('Limit of a month').value, '5,000,000')
  })

  test("at the monthly token limit the models page says when builds resume, and emptying the limit's field removes the limit", async () => {
    const calls = await renderTokenLimits(
      { ...tokenUse, monthly: 1_000_000, perTicket: 200_000 },
      () => tokenUse,
    )
    assert.ok(
      isShown(
        'The limit is reached: nothing is built until January 1, 2027 (UTC), or until the limit is raised.',
      ),
    )
    write('Limit of a month', '')
    press('Save limits')
    await waitFor(() => assert.ok(isShown('1,200,345 tokens used in December 2026')))
    assert.deepEqual(calls[SET_LIMITS]?.[0]?.body, { monthly: null, perTicket: 200_000 })
  })

  test('when another admin saves one token limit while a user types the second limit, neither limit is lost', async () => {
    let stored: object = tokenUse
    const calls = serve({ [READ_LIMITS]: () => stored, [SET_LIMITS]: () => limitedUse })
    show(<TokenLimits reason={null} />)
    await screen.findByLabelText('Limit of a month')
    write('Limit of a month', '5M')
    stored = { ...tokenUse, perTicket: 200_000 }
    await act(() => queryClient.invalidateQueries())
    await waitFor(() => assert.equal(field('Limit of a ticket').value, '200,000'))
    assert.equal(field('Limit of a month').value, '5M')
    press('Save limits')
    await waitFor(() => assert.equal(calls[SET_LIMITS]?.length, 1))
    assert.deepEqual(calls[SET_LIMITS]?.[0]?.body, { monthly: 5_000_000, perTicket: 200_000 })
  })

  test('saving one token limit keeps the second limit as another admin saved it after the page was read', async () => {
    const stored = { ...tokenUse, perTicket: null as number | null }
    const calls = await renderTokenLimits(stored)
    write('Limit of a month', '5M')
    stored.perTicket = 200_000
    press('Save limits')
    await waitFor(() => assert.equal(calls[SET_LIMITS]?.length, 1))
    assert.deepEqual(calls[SET_LIMITS]?.[0]?.body, { monthly: 5_000_000, perTicket: 200_000 })
  })

  for (const [typed, limit] of [
    ['1000', 1000],
    ['1.5M', 1_500_000],
    ['250K', 250_000],
    ['5 m', 5_000_000],
    ['1,500k', 1_500_000],
    ['5 000 000', 5_000_000],
    ['5_000_000', 5_000_000],
    ['5’000’000', 5_000_000],
    ['1000000000000', 1_000_000_000_000],
  ] as const)
    test(`"${typed}" is saved as a limit of ${limit} tokens`, async () => {
      const calls = await renderTokenLimits(tokenUse)
      write('Limit of a month', typed)
      press('Save limits')
      await waitFor(() => assert.deepEqual(calls[SET_LIMITS]?.[0]?.body, { monthly: limit, perTicket: null }))
    })

  // `1,5M` means 1.5 million to many people and must not become 15 million.
  for (const wrong of [
    '999',
    '-5000',
    '5 million',
    '1.5',
    '0.5k',
    '2000000M',
    '1,5M',
    '1,0000',
    '10,00,000',
    ',500k',
    '5,000,',
    '1.000.000',
  ])
    test(`"${wrong}" is not a valid token limit and is not sent`, async () => {
      const calls = await renderTokenLimits(tokenUse)
      write('Limit of a ticket', wrong)
      press('Save limits')
      assert.equal(field('Limit of a ticket').getAttribute('aria-invalid'), 'true')
      assert.ok(isShown('Enter a whole number of at least 1,000, like 5,000,000 or 5M.'))
      await untilSent()
      assert.deepEqual(calls[SET_LIMITS], [])
    })

  test('token limits that cannot be saved show the reason and stay in their fields', async () => {
    await renderTokenLimits(
      tokenUse,
      () => new Refusal(403, 'forbidden', 'Only owners and admins can do this.'),
    )
    write('Limit of a ticket', '2k')
    press('Save limits')
    await assertAlert(/Only owners and admins can do this/)
    assert.equal(field('Limit of a ticket').value, '2k')
  })

  test('a member sees the token limits and cannot change them', async () => {
    await renderTokenLimits(limitedUse, undefined, 'Owners and admins can change models.')
    assert.ok(field('Limit of a month').disabled)
    assert.equal(button('Save limits').getAttribute('aria-disabled'), 'true')
  })

  test('a token limit that was not saved is in its field again after a reload, until it is saved', async () => {
    await renderTokenLimits(tokenUse)
    write('Limit of a month', '5M')
    cleanup()
    await renderTokenLimits(tokenUse)
    assert.ok(isShown('Your unsent text is back.'))
    assert.equal(field('Limit of a month').value, '5M')
    press('Save limits')
    await waitFor(() => assert.equal(field('Limit of a month').value, '5,000,000'))
    assert.equal(localStorage.length, 0)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import {
  assertAlert,
  findMessage,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  show,
  untilSent,
} from '../../testing/console.tsx'
import { Sessions } from './sessions.tsx'

const LIST_SESSIONS = 'GET /api/auth/list-sessions'
const END_SESSION = 'POST /api/auth/revoke-session'
const END_OTHERS = 'POST /api/auth/revoke-other-sessions'
const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.0 Safari/605.1.15'
const sessionOf = (n: number) => ({
  id: `ses_${n}`,
  token: `token_${n}`,
  createdAt: new Date(Date.UTC(2026, 0, n)).toISOString(),
  expiresAt: '2999-01-01T00:00:00Z',
  ipAddress: `192.0.2.${n}`,
  userAgent: MAC,
})

async function renderSessions(sessions: object[], answers: Record<string, () => unknown> = {}) {
  const calls = serve({
    [LIST_SESSIONS]: () => sessions,
    [END_SESSION]: () => null,
    [END_OTHERS]: () => null,
    ...answers,
  })
  show(<Sessions currentToken="token_1" />)
  await waitFor(() => assert.equal(calls[LIST_SESSIONS]?.length, 1))
  return calls
}
const sessionRows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent ?? '')

describe('the browsers that are signed in', () => {
  test('the list of sessions starts with the current browser, which is marked and has no sign-out button', async () => {
    await renderSessions([sessionOf(3), sessionOf(1), sessionOf(2)])
    await screen.findByText('this browser')
    assert.match(sessionRows()[0] ?? '', /Safari on .*this browser.*192\.0\.2\.1/)
    assert.match(sessionRows()[1] ?? '', /192\.0\.2\.3/)
    assert.equal(screen.getAllByRole('button', { name: /^Sign out: Safari/ }).length, 2)
  })

  test('the list of sessions has no sign-out button when only one browser is signed in', async () => {
    await renderSessions([sessionOf(1)])
    assert.ok(await screen.findByText('Nowhere else.'))
    assert.ok(!isThere('button'))
  })

  test('signing out another browser sends the token of that session and refetches the list', async () => {
    const sessions = [sessionOf(1), sessionOf(2)]
    const calls = await renderSessions(sessions, { [END_SESSION]: () => sessions.pop() && null })
    fireEvent.click(await screen.findByRole('button', { name: /^Sign out: Safari/ }))
    assert.ok(await screen.findByText('Nowhere else.'))
    assert.deepEqual(sent(calls, END_SESSION), [{ token: 'token_2' }])
  })

  test('a session that could not be ended stays in the list, and the error shows the request id', async () => {
    await renderSessions([sessionOf(1), sessionOf(2)], {
      [END_SESSION]: () => new Refusal(403, 'FORBIDDEN', 'You may not.'),
    })
    fireEvent.click(await screen.findByRole('button', { name: /^Sign out: Safari/ }))
    await assertAlert(/req_test/)
    assert.ok(within(screen.getByRole('list')).getByText(/192\.0\.2\.2/))
  })

  test('signing out all other browsers asks for confirmation with the number of browsers and reports success', async () => {
    const sessions = [sessionOf(1), sessionOf(2), sessionOf(3)]
    const calls = await renderSessions(sessions, { [END_OTHERS]: () => sessions.splice(1) && null })
    fireEvent.click(await screen.findByRole('button', { name: 'Sign out all others' }))
    const dialog = await screen.findByRole('dialog', { name: 'Sign out 2 other browsers?' })
    await untilSent()
    assert.deepEqual(calls[END_OTHERS], [])
    fireEvent.click(within(dialog).getByRole('button', { name: 'Sign out all others' }))
    assert.ok(await findMessage('Every other browser is signed out.'))
    assert.ok(await screen.findByText('Nowhere else.'))
    assert.ok(!isThere('dialog'))
  })

  test('a list of more than ten sessions shows ten, and “Show more” shows the remaining sessions', async () => {
    await renderSessions(Array.from({ length: 12 }, (_, n) => sessionOf(n + 1)))
    await screen.findByText('this browser')
    assert.equal(sessionRows().length, 10)
    press('Show more')
    assert.equal(sessionRows().length, 12)
    assert.ok(!isThere('button', 'Show more'))
  })

  test('a list of sessions that failed to load shows an error instead of saying that no other browser is signed in', async () => {
    await renderSessions([], { [LIST_SESSIONS]: () => new Refusal(403, 'FORBIDDEN', 'You may not.') })
    await assertAlert(/req_test/)
    assert.ok(!isShown('Nowhere else.'))
    assert.ok(isThere('button', 'Try again'))
  })
})

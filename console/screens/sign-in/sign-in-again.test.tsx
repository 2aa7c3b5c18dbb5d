import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { meQuery } from '../../api/account/session.ts'
import { queryClient } from '../../api/request/query-client.ts'
import {
  assertAlert,
  field,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  untilSent,
  write,
} from '../../testing/console.tsx'
import { askToSignIn } from './sign-in-again.tsx'

const SIGN_IN = 'POST /api/auth/sign-in/email'
const VERIFY_CODE = 'POST /api/auth/two-factor/verify-totp'
const SESSION = 'GET /api/auth/get-session'
const SWITCH = 'POST /api/auth/organization/set-active'
const sessionOf = (userId: string, organizationId: string) => ({
  user: { id: userId },
  session: { activeOrganizationId: organizationId },
})
const lost = () => {
  throw new TypeError('fetch failed')
}

/** Opens the dialog over a page with an unsaved text. `ends` has the result of the dialog once it has closed. */
async function openDialog(t: TestContext, answers: Record<string, () => unknown> = {}) {
  const assign = t.mock.method(location, 'assign', () => {})
  const calls = serve({
    [SIGN_IN]: () => ({ user: {} }),
    [SESSION]: () => sessionOf('usr_ada', 'org_1'),
    [SWITCH]: () => ({ id: 'org_1' }),
    ...answers,
  })
  const page = Object.assign(document.createElement('textarea'), { value: 'Unsaved words' })
  document.body.append(page)
  const ends: boolean[] = []
  await act(async () => {
    void askToSignIn().then((isIn) => ends.push(isIn))
  })
  const left = () => assign.mock.calls.map(({ arguments: [url] }) => url)
  return { calls, ends, left, page }
}
/** Closes the dialog, which would otherwise stay for the next test. */
const putOff = () => act(async () => press('Not now'))
async function signIn() {
  write('Password', 'correct horse')
  press('Sign in')
  await untilSent()
}

describe('the dialog that asks to sign in again', () => {
  test('after a repeated sign-in the dialog closes and the page continues with its unsaved text', async (t) => {
    const { ends, left, page, calls } = await openDialog(t)
    assert.ok(isThere('dialog', 'Your session has ended'))
    await signIn()
    await waitFor(() => assert.deepEqual(ends, [true]))
    assert.ok(!isThere('dialog'))
    assert.deepEqual([left(), page.value], [[], 'Unsaved words'])
    assert.deepEqual(sent(calls, SIGN_IN), [{ email: 'ada@example.test', password: 'correct horse' }])
    assert.deepEqual(calls[SWITCH], [], 'the session is in the organization of the page already')
  })

  test('after the user signs in again, the new session is switched to the organization of the open page', async (t) => {
    const { ends, calls } = await openDialog(t, { [SESSION]: () => sessionOf('usr_ada', 'org_2') })
    await signIn()
    await waitFor(() => assert.deepEqual(ends, [true]))
    assert.deepEqual(sent(calls, SWITCH), [{ organizationId: 'org_1' }])
  })

  test('a user with two-factor authentication enters the code in the dialog that asks to sign in again', async (t) => {
    const { ends, calls } = await openDialog(t, {
      [SIGN_IN]: () => ({ twoFactorRedirect: true }),
      [VERIFY_CODE]: () => ({ token: 'ignored' }),
    })
    await signIn()
    await screen.findByLabelText('Code')
    write('Code', '123456')
    press('Sign in')
    await waitFor(() => assert.deepEqual(ends, [true]))
    assert.deepEqual(sent(calls, VERIFY_CODE), [{ code: '123456', trustDevice: false }])
  })

  test('the sign-in dialog shows the error of a wrong password, and the page behind it stays', async (t) => {
    const { ends, left } = await openDialog(t, {
      [SIGN_IN]: () => Response.json({ code: 'INVALID_EMAIL_OR_PASSWORD', message: 'No' }, { status: 401 }),
    })
    await signIn()
    await assertAlert(/do not match/)
    assert.deepEqual([ends, left()], [[], []])
    await putOff()
  })

  test('when the service does not respond after a repeated sign-in, the page keeps unsaved text, and the sign-in can be retried', async (t) => {
    const answers: (() => unknown)[] = [lost, () => sessionOf('usr_ada', 'org_1')]
    const { ends, left, page } = await openDialog(t, { [SESSION]: () => answers.shift()?.() })
    await signIn()
    await assertAlert(/did not respond/)
    assert.deepEqual([ends, left(), page.isConnected], [[], [], true])
    press('Sign in')
    await waitFor(() => assert.deepEqual(ends, [true]))
  })

  test('when a new session cannot be switched because the service is busy, the page with its unsaved text stays', async (t) => {
    const { ends, left } = await openDialog(t, {
      [SESSION]: () => sessionOf('usr_ada', 'org_2'),
      [SWITCH]: () => new Refusal(503, 'unavailable', 'The service is busy.'),
    })
    await signIn()
    await assertAlert(/busy/)
    assert.deepEqual([ends, left()], [[], []])
    await putOff()
  })

  test('signing in again as another user, or as one who has left the organization, replaces the open page by the home page', async (t) => {
    for (const answers of [
      { [SESSION]: () => sessionOf('usr_bob', 'org_1') },
      { [SESSION]: () => null },
      {
        [SESSION]: () => sessionOf('usr_ada', 'org_2'),
        [SWITCH]: () => Response.json({ code: 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION' }, { status: 403 }),
      },
    ]) {
      const { ends, left } = await openDialog(t, answers)
      await signIn()
      await waitFor(() => assert.deepEqual(left(), ['/']))
      assert.deepEqual(ends, [], 'the page gets no session')
      await putOff()
      t.mock.restoreAll()
    }
  })

  test('“Not now” and Escape close the sign-in dialog without a sign-in', async (t) => {
    for (const close of [
      () => press('Not now'),
      () => fireEvent.keyDown(field('Password'), { key: 'Escape' }),
    ]) {
      const { ends, calls } = await openDialog(t)
      await act(async () => close())
      await waitFor(() => assert.deepEqual(ends, [false]))
      assert.ok(!isThere('dialog'))
      assert.deepEqual(calls[SIGN_IN], [])
      t.mock.restoreAll()
    }
  })

  test('Escape in the sign-in dialog does not also close a dialog of the page behind it', async (t) => {
    await openDialog(t)
    let seen = 0
    const see = () => seen++
    document.body.addEventListener('keydown', see)
    await act(async () => fireEvent.keyDown(field('Password'), { key: 'Escape' }))
    document.body.removeEventListener('keydown', see)
    assert.equal(seen, 0)
  })

  test('“Use another account” in the sign-in dialog opens the sign-in page, which leads back to the open page', async (t) => {
    const { left } = await openDialog(t)
    press('Use another account')
    assert.deepEqual(left(), [`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`])
    await putOff()
  })

  test('without a known user the sign-in dialog stays closed, because it could not tell whether the same user signs in', async () => {
    queryClient.removeQueries({ queryKey: meQuery().queryKey })
    assert.equal(await askToSignIn(), false)
    assert.ok(!isThere('dialog'))
  })

  test('the sign-in dialog has a user name field with the address of the account, for password managers', async (t) => {
    await openDialog(t)
    const address = document.querySelector<HTMLInputElement>('input[autocomplete=username]')
    assert.equal(address?.value, 'ada@example.test')
    await putOff()
  })
})

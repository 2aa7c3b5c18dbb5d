import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  field,
  isShown,
  press,
  Refusal,
  serve,
  showAt,
  untilSent,
  write,
} from '../../testing/console.tsx'
import { NewPassword } from './new-password.tsx'
import { PasswordForm } from './password-form.tsx'
import { SignUp } from './sign-up.tsx'

/** An error response of the sign-in library, which lacks the `error` object of this API's responses. */
const authError = (status: number, code: string) => () =>
  Response.json({ code, message: 'In English' }, { status })
const bodiesOf = (calls: { body: unknown }[] | undefined) => calls?.map(({ body }) => body)

describe('signing in with a password', () => {
  const SIGN_IN = 'POST /api/auth/sign-in/email'
  const SEND = 'POST /api/auth/send-verification-email'

  async function open(...answers: (() => unknown)[]) {
    const did: string[] = []
    const calls = serve({ [SIGN_IN]: () => answers.shift()?.(), [SEND]: () => ({ status: true }) })
    const Form = () => (
      <PasswordForm title={null} lead="Hello" onIn={() => did.push('in')} onCode={() => did.push('code')} />
    )
    await showAt('/signed-out/sign-in', Form, '/sign-in')
    return { did, calls, sent: () => bodiesOf(calls[SIGN_IN]) }
  }
  const fill = () => {
    write('E-mail', ' ada@example.test ')
    write('Password', ' with spaces ')
  }

  test('the sign-in sends the e-mail address without surrounding spaces, and the password unchanged', async () => {
    const { did, sent } = await open(() => ({ user: {} }))
    fill()
    press('Sign in')
    await waitFor(() => assert.deepEqual(did, ['in']))
    assert.deepEqual(sent(), [{ email: 'ada@example.test', password: ' with spaces ' }])
  })

  test('for an account with two-factor authentication, a correct password leads to the code form and not to a session', async () => {
    const { did } = await open(() => ({ twoFactorRedirect: true }))
    fill()
    press('Sign in')
    await waitFor(() => assert.deepEqual(did, ['code']))
  })

  test('the error of a refused sign-in is gone once the next attempt lacks the password', async () => {
    await open(authError(401, 'INVALID_EMAIL_OR_PASSWORD'))
    fill()
    press('Sign in')
    await screen.findByRole('alert')
    write('Password', '')
    press('Sign in')
    assert.ok(screen.queryByRole('alert') === null)
    assert.equal(field('Password').getAttribute('aria-invalid'), 'true')
  })

  test('a sign-in with missing input is not sent, and the first field with an error takes the focus', async () => {
    const { sent } = await open()
    press('Sign in')
    assert.ok(isShown('Enter an e-mail address, like ada@example.com.'))
    assert.ok(isShown('Enter your password.'))
    assert.ok(document.activeElement === field('E-mail'))
    write('E-mail', 'ada@example.test')
    press('Sign in')
    assert.ok(document.activeElement === field('Password'))
    await untilSent()
    assert.deepEqual(sent(), [])
  })

  test('wrong credentials show one error, which takes the focus, and the e-mail and password fields keep their input', async () => {
    const { did } = await open(authError(401, 'INVALID_EMAIL_OR_PASSWORD'))
    fill()
    press('Sign in')
    await assertAlert(/E-mail and password do not match/)
    assert.ok(document.activeElement === screen.getByRole('alert'))
    assert.deepEqual(
      [field('E-mail').value, field('Password').value, did],
      ['ada@example.test', ' with spaces ', []],
    )
  })

  test('after too many sign-in attempts the button shows a waiting time, and neither it nor Enter sends another attempt', async () => {
    const { sent } = await open(() => new Refusal(429, 'rate_limited', 'Slowly.', 90))
    fill()
    press('Sign in')
    await assertAlert(/Too many attempts/)
    press(/Try again in/)
    fireEvent.submit(field('Password').closest('form') as HTMLFormElement)
    await untilSent()
    assert.equal(sent()?.length, 1)
  })

  test('when a sign-in fails because the e-mail address is unverified, the verification link can be sent again once', async () => {
    const { calls } = await open(authError(403, 'EMAIL_NOT_VERIFIED'))
    fill()
    press('Sign in')
    await assertAlert(/not verified yet/)
    // The link must be sent to the address that was refused, not to the address that is in the field now.
    write('E-mail', 'bob@example.test')
    fireEvent.click(await screen.findByRole('button', { name: 'Send the link again' }))
    await screen.findByText(/a new link is on its way/)
    assert.partialDeepStrictEqual(bodiesOf(calls[SEND]), [{ email: 'ada@example.test' }])
    assert.ok(screen.queryByRole('button', { name: 'Send the link again' }) === null)
  })

  test('when the service does not respond to a sign-in, an alert says so, and the form can be sent again', async () => {
    const { did } = await open(
      () => {
        throw new TypeError('fetch failed')
      },
      () => ({ user: {} }),
    )
    fill()
    press('Sign in')
    await assertAlert(/The service did not respond/)
    press('Sign in')
    await waitFor(() => assert.deepEqual(did, ['in']))
  })
})

describe('signing up', () => {
  const SIGN_UP = 'POST /api/auth/sign-up/email'

  async function open(answer: () => unknown, address = '/sign-up') {
    const calls = serve({ [SIGN_UP]: answer })
    const page = await showAt('/signed-out/sign-up', SignUp, address)
    return { ...page, sent: () => bodiesOf(calls[SIGN_UP]) }
  }
  const fill = () => {
    write('Your name', ' Ada ')
    write('E-mail', 'ada@example.test')
    write('Password', 'long enough')
  }

  test('a sign-up leads to the page about e-mail verification and keeps the page to return to in the URL', async () => {
    const { place, sent } = await open(() => ({ token: null }), '/sign-up?next=%2Finvite%2Fi1')
    assert.ok(isShown(/You join the organization right after/))
    fill()
    press('Create account')
    await waitFor(() => assert.match(place(), /^\/verify-email\?/))
    assert.deepEqual(Object.fromEntries(new URL(place(), location.href).searchParams), {
      email: 'ada@example.test',
      next: '/invite/i1',
    })
    assert.deepEqual(sent(), [{ name: 'Ada', email: 'ada@example.test', password: 'long enough' }])
  })

  test('a password that is too short is not sent at a sign-up, and its field takes the focus', async () => {
    const { sent } = await open(() => null)
    fill()
    write('Password', 'too short')
    press('Create account')
    assert.ok(isShown('Use at least 10 characters.'))
    assert.ok(document.activeElement === field('Password'))
    await untilSent()
    assert.deepEqual(sent(), [])
  })

  test('a sign-up with an e-mail address that already has an account shows the reason, and the input stays', async () => {
    await open(authError(422, 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL'))
    fill()
    press('Create account')
    await assertAlert(/The account was not created.*An account with this e-mail exists/)
    assert.equal(field('Your name').value, ' Ada ')
    write('Your name', ' ')
    press('Create account')
    assert.ok(screen.queryByRole('alert') === null, 'the error does not outlast an attempt without a name')
  })
})

describe('resetting a password', () => {
  const RESET = 'POST /api/auth/reset-password'

  test('an expired link to reset a password offers a new link, and a valid link leads to the sign-in', async () => {
    const answers = [authError(400, 'INVALID_TOKEN'), () => ({ status: true })]
    const calls = serve({ [RESET]: () => answers.shift()?.() })
    await showAt('/signed-out/reset', () => <NewPassword token="tok_1" />, '/reset')
    write('New password', 'long enough')
    press('Set password')
    await assertAlert(/The password was not changed/)
    assert.equal(screen.getByRole('link', { name: 'Send a new link' }).getAttribute('href'), '/reset')
    press('Set password')
    await screen.findByText('Your password is changed')
    assert.ok(screen.getByRole('link', { name: 'Sign in' }))
    assert.deepEqual(bodiesOf(calls[RESET])?.at(-1), { token: 'tok_1', newPassword: 'long enough' })
    assert.doesNotMatch(document.body.innerHTML, /long enough/)
  })
})

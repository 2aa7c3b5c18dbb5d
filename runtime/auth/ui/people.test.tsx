import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import {
  act,
  isShown,
  press,
  RefusedResponse,
  render,
  screen,
  serveApp,
  waitFor,
  write,
} from '../../testing/kit.test.fixture.tsx'
import { ToastRegion } from '../../ui/toast.tsx'
import { navigate } from '../../web/navigation.tsx'
import { auth } from '../client.ts'
import type { SignInSettings, User } from '../types.ts'
import { people } from './people.tsx'

const ADA: User = {
  id: 'u_ada',
  email: 'ada@example.test',
  emailVerified: true,
  name: 'Ada',
  role: 'member',
  createdAt: '2026-11-20T10:30:00.000Z',
}
const SETTINGS: SignInSettings = {
  openSignup: true,
  passwordMin: 10,
  confirmAddress: false,
  methods: { password: true, emailCode: false, passkey: false, oauth: [] },
}
const EXPIRED = new RefusedResponse('unauthorized', 'This link was used or has expired. Request a new one.')
const { Gate, Menu, pages } = people
const OwnAccount = pages['/account'] ?? (() => null)
const ResetPassword = pages['/reset-password'] ?? (() => null)

/** Serves an app in which `user` is signed in; null means a visitor. */
async function serve(user: User | null, answers: Parameters<typeof serveApp>[0] = {}) {
  const calls = serveApp({
    'GET /_app/auth/me': () => user,
    'GET /_app/auth/settings': () => SETTINGS,
    'GET /_app/auth/sessions': () => [],
    'POST /_app/auth/sign-out': () => null,
    ...answers,
  })
  // The client remembers the person for all tests of this process.
  await auth.me()
  return calls
}
const headingBecomes = (text: string) =>
  waitFor(() => assert.equal(screen.getByRole('heading', { level: 1 }).textContent, text))

describe('a page that only signed-in people may see', () => {
  const show = (access: 'members' | 'staff') =>
    render(
      <Gate access={access}>
        <p>The page</p>
      </Gate>,
    )

  test('a page for members shows a visitor the sign-in form, and after the sign-in the page itself, without a reload', async () => {
    await serve(null, { 'POST /_app/auth/sign-in': () => ({ user: ADA }) })
    show('members')
    await headingBecomes('Sign in')
    assert.equal(isShown('The page'), false)
    await waitFor(() => assert.ok(screen.getByRole('button', { name: 'Sign in' })))
    write('Email', ADA.email)
    write('Password', 'pears and apples')
    press('Sign in')
    await waitFor(() => assert.ok(isShown('The page')))
  })

  test('a member sees a page for members, and a note instead of a page for staff', async () => {
    await serve(ADA)
    const { unmount } = show('members')
    assert.ok(isShown('The page'))
    unmount()
    show('staff')
    assert.deepEqual([isShown('The page'), isShown('This page is for staff')], [false, true])
  })

  test('staff see a page for staff, and the page is hidden as soon as the person is no longer staff', async () => {
    await serve({ ...ADA, role: 'staff' })
    show('staff')
    assert.ok(isShown('The page'))
    serveApp({ 'GET /_app/auth/me': () => ADA })
    await act(() => auth.me())
    assert.equal(isShown('The page'), false)
  })

  test('a page for members is hidden at once when the person signs out', async () => {
    await serve(ADA)
    show('members')
    await act(() => auth.signOut())
    assert.equal(isShown('The page'), false)
    await headingBecomes('Sign in')
  })
})

describe('the menu entry for the account', () => {
  test('the menu shows a visitor a sign-in link, and a signed-in person a link with their name to their account page', async () => {
    await serve(null)
    render(<Menu />)
    const link = () => screen.getByRole('link')
    assert.deepEqual([link().textContent, link().getAttribute('href')], ['Sign in', '/sign-in'])
    serveApp({ 'GET /_app/auth/me': () => ADA })
    await act(() => auth.me())
    assert.deepEqual([link().textContent, link().getAttribute('href')], ['Ada', '/account'])
    await act(async () => navigate('/account'))
    assert.equal(link().getAttribute('aria-current'), 'page')
  })
})

describe('the account page of a person', () => {
  test('a visitor who opens the account page sees the sign-in form', async () => {
    await serve(null)
    render(<OwnAccount />)
    await headingBecomes('Sign in')
  })

  test('text that one person has typed into the account page is not shown to the next person', async () => {
    await serve(ADA)
    render(<OwnAccount />)
    write('Name', 'Ada with a secret')
    serveApp({ 'GET /_app/auth/me': () => ({ ...ADA, id: 'u_ben', name: 'Ben' }) })
    await act(() => auth.me())
    assert.equal(screen.getByLabelText<HTMLInputElement>('Name').value, 'Ben')
  })
})

describe('the page that a password reset link opens', () => {
  const RESET = 'POST /_app/auth/reset/confirm'
  beforeEach(() => history.replaceState(null, '', '/reset-password#the-token'))

  async function open(answers: Parameters<typeof serveApp>[0]) {
    const calls = await serve(null, answers)
    render(
      <>
        <ResetPassword />
        <ToastRegion />
      </>,
    )
    await waitFor(() => assert.ok(isShown('At least 10 characters.')))
    return () => calls[RESET]?.map(({ body }) => body)
  }

  test('a new password is sent with the token of the reset link, and the token then disappears from the address', async () => {
    const sent = await open({ [RESET]: () => null })
    write('New password', 'pears and plums')
    press('Save password')
    await waitFor(() => assert.equal(location.pathname + location.hash, '/sign-in'))
    assert.deepEqual(sent(), [{ token: 'the-token', password: 'pears and plums' }])
    assert.ok(isShown('Password changed. Sign in with it.'))
  })

  test('on the reset page, a too short password is reported without a request, so that the link stays valid', async () => {
    const sent = await open({ [RESET]: () => null })
    write('New password', 'short')
    press('Save password')
    await waitFor(() => assert.ok(isShown('This must have 10 to 200 characters')))
    assert.deepEqual(sent(), [])
  })

  test('the reset page reports a link that was already used, and keeps the typed password', async () => {
    await open({ [RESET]: () => EXPIRED })
    write('New password', 'pears and plums')
    press('Save password')
    await waitFor(() => assert.match(screen.getByRole('alert').textContent ?? '', /was used or has expired/))
    assert.equal(screen.getByLabelText<HTMLInputElement>('New password').value, 'pears and plums')
    assert.equal(location.pathname, '/reset-password')
  })
})

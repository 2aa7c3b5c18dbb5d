import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import {
  act,
  fireEvent,
  isShown,
  press,
  RefusedResponse,
  render,
  screen,
  serveApp,
  waitFor,
  within,
  write,
} from '../../testing/kit.test.fixture.tsx'
import { ToastRegion } from '../../ui/toast.tsx'
import type { Passkey, Session, SignInSettings, User } from '../types.ts'
import { Account } from './account.tsx'

const ADA: User = {
  id: 'u_1',
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
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; rv:120.0) Firefox/120.0'
const session = (id: string, current: boolean): Session => ({
  id,
  device: current ? 'an old phone' : FIREFOX,
  createdAt: ADA.createdAt,
  lastSeenAt: ADA.createdAt,
  current,
})
const passkey = (id: string, name: string): Passkey => ({
  id,
  name,
  createdAt: ADA.createdAt,
  lastUsedAt: null,
})
const BUSY = new RefusedResponse('unavailable', 'The app is busy.')

type Answers = Parameters<typeof serveApp>[0]
type Calls = ReturnType<typeof serveApp>

/** Opens the account page. By default the person is signed in on this device and on another device. */
async function open(answers: Answers = {}, user = ADA): Promise<Calls> {
  history.replaceState(null, '', '/account')
  const calls = serveApp({
    'GET /_app/auth/settings': () => SETTINGS,
    'GET /_app/auth/sessions': () => [session('s1', true), session('s2', false)],
    ...answers,
  })
  render(
    <>
      <Account user={user} />
      <ToastRegion />
    </>,
  )
  await waitFor(() => assert.ok(isShown('Where you are signed in')))
  await act(async () => {})
  return calls
}
const headings = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
const alerts = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)
const alertsBecome = (...texts: string[]) => waitFor(() => assert.deepEqual(alerts(), texts))
const toastBecomes = (text: string) => waitFor(() => assert.ok(isShown(text)))
const rowsOf = (title: string) => {
  const card = screen.getByRole('heading', { name: title }).closest('section') ?? document.body
  return within(card)
    .queryAllByRole('listitem')
    .map(({ textContent }) => textContent)
}
/** Presses a "Sign out" button: `index` 0 is the button for this device, 1 the button for the other device. */
const pressSignOut = (index: number) =>
  fireEvent.click(screen.getAllByRole('button', { name: /^Sign out/ })[index] ?? document.body)
/** Returns a handler that answers each request with the next of `answers`. */
const inTurn =
  (...answers: unknown[]) =>
  () =>
    answers.shift()

describe('the account page of an app', () => {
  test('the account page shows only what the settings of the app allow', async () => {
    await open()
    assert.deepEqual(headings(), ['Profile', 'Password', 'Where you are signed in'])
  })

  test('the account page of an app with passkeys but no passwords shows passkeys, and asks to confirm the email address', async () => {
    const methods = { ...SETTINGS.methods, password: false, passkey: true }
    await open(
      {
        'GET /_app/auth/settings': () => ({ ...SETTINGS, methods }),
        'GET /_app/auth/passkeys': () => [],
      },
      { ...ADA, emailVerified: false },
    )
    assert.deepEqual(headings(), ['Profile', 'Confirm your address', 'Passkeys', 'Where you are signed in'])
  })

  test('the account page shows its default parts when the settings cannot be loaded', async () => {
    await open({ 'GET /_app/auth/settings': () => BUSY })
    assert.deepEqual([headings(), alerts()], [['Profile', 'Password', 'Where you are signed in'], []])
  })

  test('signing out on the account page opens the start page', async () => {
    const calls = await open({ 'POST /_app/auth/sign-out': () => null })
    pressSignOut(0)
    await waitFor(() => assert.equal(location.pathname, '/'))
    assert.equal(calls['POST /_app/auth/sign-out']?.length, 1)
  })

  test('the account page reports a failed sign-out and stays open', async () => {
    await open({ 'POST /_app/auth/sign-out': () => BUSY })
    pressSignOut(0)
    await alertsBecome('The app is busy.')
    assert.equal(location.pathname, '/account')
  })

  test('the account page saves a new name, and reports a rejected name at its field', async () => {
    const refused = new RefusedResponse('invalid_request', 'name: must have 1 to 100 characters', 'name')
    const calls = await open({ 'PATCH /_app/auth/me': inTurn(refused, { ...ADA, name: 'Ada L.' }) })
    write('Name', '')
    press('Save name')
    await waitFor(() => assert.ok(isShown('This must have 1 to 100 characters')))
    write('Name', 'Ada L.')
    press('Save name')
    await toastBecomes('Name saved')
    assert.deepEqual(
      calls['PATCH /_app/auth/me']?.map(({ body }) => body),
      [{ name: '' }, { name: 'Ada L.' }],
    )
  })

  test('on the account page a too short new password is not sent, and a wrong current password can be corrected', async () => {
    const wrong = new RefusedResponse('invalid_request', 'current: is not your password', 'current')
    const calls = await open({ 'POST /_app/auth/password': inTurn(wrong, { user: ADA }) })
    const current = () => screen.getByLabelText<HTMLInputElement>('Current password')
    write('Current password', 'apples')
    write('New password', 'short')
    press('Change password')
    await waitFor(() => assert.ok(isShown('This must have 10 to 200 characters')))
    write('New password', 'pears and plums')
    press('Change password')
    await waitFor(() => assert.ok(isShown('This is not your password')))
    assert.equal(current().value, 'apples')
    write('Current password', 'pears and apples')
    press('Change password')
    await toastBecomes('Password changed. Other devices are signed out.')
    assert.equal(current().value, '')
    assert.deepEqual(
      calls['POST /_app/auth/password']?.map(({ body }) => body),
      [
        { current: 'apples', next: 'pears and plums' },
        { current: 'pears and apples', next: 'pears and plums' },
      ],
    )
  })
})

describe('the devices on the account page of an app', () => {
  const seen = new Date(ADA.createdAt).toLocaleString()
  const SESSIONS = 'GET /_app/auth/sessions'

  test('in the list of devices a person can sign out every device except the one in use', async () => {
    const both = [session('s1', true), session('s/2', false)]
    const calls = await open({
      [SESSIONS]: inTurn(both, both.slice(0, 1)),
      'DELETE /_app/auth/sessions/s%2F2': () => null,
    })
    const own = 'Unknown deviceThis device'
    assert.deepEqual(rowsOf('Where you are signed in'), [own, `Firefox on WindowsLast seen ${seen}Sign out`])
    pressSignOut(1)
    await toastBecomes('Firefox on Windows is signed out')
    assert.deepEqual(rowsOf('Where you are signed in'), [own])
    assert.equal(calls['DELETE /_app/auth/sessions/s%2F2']?.length, 1)
  })

  test('a device that could not be signed out stays in the list with the reason, until the next attempt', async () => {
    await open({ 'DELETE /_app/auth/sessions/s2': inTurn(BUSY, null) })
    pressSignOut(1)
    await alertsBecome('The app is busy.')
    assert.equal(rowsOf('Where you are signed in').length, 2)
    pressSignOut(1)
    await toastBecomes('Firefox on Windows is signed out')
    assert.deepEqual(alerts(), [])
  })

  test('the account page reports that the list of signed-in devices cannot be loaded', async () => {
    await open({ [SESSIONS]: () => BUSY })
    await alertsBecome('The app is busy.')
    assert.deepEqual(rowsOf('Where you are signed in'), [])
  })

  test('for a screen reader, the button that signs out another device names that device', async () => {
    await open()
    const names = screen
      .getAllByRole('button', { name: /^Sign out/ })
      .map((button) => button.getAttribute('aria-label') ?? button.textContent)
    assert.deepEqual(names, ['Sign out', 'Sign out Firefox on Windows'])
  })

  test('an outdated device list that arrives last does not bring back devices that were just signed out', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const [own, first, second] = [session('s1', true), session('s2', false), session('s3', false)]
    await open({
      'GET /_app/auth/sessions': inTurn([own, first, second], promise, [own]),
      'DELETE /_app/auth/sessions/s2': () => null,
      'DELETE /_app/auth/sessions/s3': () => null,
    })
    pressSignOut(1)
    await act(async () => {})
    pressSignOut(2)
    await waitFor(() => assert.equal(rowsOf('Where you are signed in').length, 1))
    await act(async () => resolve([own, second]))
    assert.equal(rowsOf('Where you are signed in').length, 1)
  })
})

describe('the passkeys on the account page of an app', () => {
  const LIST = 'GET /_app/auth/passkeys'
  const REFUSED = new RefusedResponse('conflict', 'This is your only way to sign in.')
  const methods = { ...SETTINGS.methods, password: false, passkey: true }
  const withPasskeys = (answers: Answers) =>
    open({
      'GET /_app/auth/settings': () => ({ ...SETTINGS, methods }),
      [LIST]: () => [passkey('p/1', 'Laptop'), passkey('p2', 'Phone')],
      ...answers,
    })
  const laptop = 'LaptopNot used yetRemove'
  const phone = 'PhoneNot used yetRemove'
  /** Makes the browser fail to create a passkey, as when the person cancels. */
  const cancelPasskeys = () =>
    Object.defineProperty(navigator, 'credentials', {
      configurable: true,
      value: { create: async () => Promise.reject(new DOMException('cancelled', 'NotAllowedError')) },
    })
  const OPTIONS = {
    challenge: 'AAAA',
    rpId: 'console.test',
    timeoutMs: 1000,
    user: { id: 'u_1', name: 'a', displayName: 'A' },
    known: [],
  }
  const CANCELLED = 'No passkey was used. Try again, or sign in in another way.'
  afterEach(() => Reflect.deleteProperty(navigator, 'credentials'))

  test('after a passkey is removed on the account page, the list shows the remaining passkeys', async () => {
    const calls = await withPasskeys({
      [LIST]: inTurn([passkey('p/1', 'Laptop'), passkey('p2', 'Phone')], [passkey('p2', 'Phone')]),
      'DELETE /_app/auth/passkeys/p%2F1': () => null,
    })
    assert.deepEqual(rowsOf('Passkeys'), [laptop, phone])
    press('Remove the passkey Laptop')
    await toastBecomes('Laptop is removed')
    assert.deepEqual(rowsOf('Passkeys'), [phone])
    assert.equal(calls['DELETE /_app/auth/passkeys/p%2F1']?.length, 1)
  })

  test('a passkey whose removal fails stays in the list with the reason', async () => {
    await withPasskeys({ 'DELETE /_app/auth/passkeys/p2': () => REFUSED })
    press('Remove the passkey Phone')
    await alertsBecome('This is your only way to sign in.')
    assert.deepEqual(rowsOf('Passkeys'), [laptop, phone])
  })

  test('canceling the passkey prompt adds no passkey and shows a message, which disappears with the next success', async () => {
    cancelPasskeys()
    await withPasskeys({
      'POST /_app/auth/passkeys/options': () => OPTIONS,
      'DELETE /_app/auth/passkeys/p2': () => null,
    })
    press('Add a passkey')
    await alertsBecome(CANCELLED)
    press('Remove the passkey Phone')
    await toastBecomes('Phone is removed')
    assert.deepEqual(alerts(), [])
  })

  test('only the latest failure is shown when both adding and removing a passkey have failed', async () => {
    cancelPasskeys()
    await withPasskeys({
      'POST /_app/auth/passkeys/options': () => OPTIONS,
      'DELETE /_app/auth/passkeys/p2': () => REFUSED,
    })
    press('Add a passkey')
    await alertsBecome(CANCELLED)
    press('Remove the passkey Phone')
    await alertsBecome('This is your only way to sign in.')
    press('Add a passkey')
    await alertsBecome(CANCELLED)
  })

  test('the account page reports that the list of passkeys cannot be loaded, instead of showing it as empty', async () => {
    await withPasskeys({ [LIST]: () => BUSY })
    await alertsBecome('The app is busy.')
  })
})

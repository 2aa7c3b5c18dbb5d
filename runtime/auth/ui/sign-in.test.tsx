import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
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
import type { SignInMethods, SignInSettings } from '../types.ts'
import { SignIn } from './sign-in.tsx'

const SETTINGS_PATH = 'GET /_app/auth/settings'
const METHODS: SignInMethods = { password: true, emailCode: false, passkey: false, oauth: [] }
const ADA = { email: 'ada@example.test', password: 'pears and apples' }
const INVITE = 't_1.secret'
const WRONG = new RefusedResponse('unauthorized', 'The email address or the password is wrong.')

type Answers = Parameters<typeof serveApp>[0]
type Calls = ReturnType<typeof serveApp>

interface OpenedPage extends Partial<SignInSettings> {
  at?: string
  invite?: string | null
}

/** Opens the sign-in page of an app with `settings`. Returns the requests that the app receives. */
async function open(
  { at = '/sign-in', invite = null, ...settings }: OpenedPage,
  answers: Answers = {},
): Promise<Calls> {
  history.replaceState(null, '', at)
  const usual = { openSignup: true, passwordMin: 10, confirmAddress: false, methods: METHODS }
  const calls = serveApp({ [SETTINGS_PATH]: () => ({ ...usual, ...settings }), ...answers })
  render(<SignIn invite={invite} />)
  await waitFor(() => assert.ok(screen.queryAllByRole('button').length > 0))
  return calls
}
const buttons = () => screen.getAllByRole('button').map(({ textContent }) => textContent)
const heading = () => screen.getByRole('heading', { level: 1 }).textContent
const alerts = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)
const bodies = (calls: Calls, path: string) => calls[`POST /_app/auth/${path}`]?.map(({ body }) => body)
function fillIn({ email, password }: typeof ADA): void {
  write('Email', email)
  write('Password', password)
}
const pathBecomes = (path: string) => waitFor(() => assert.equal(location.pathname, path))

describe('the sign-in page of an app', () => {
  test('the sign-in page offers only the sign-in methods that the operator has switched on', async () => {
    await open({})
    assert.deepEqual(buttons(), ['Sign in', 'Create an account', 'Forgot your password?'])
  })

  test('the sign-in page offers passkeys, codes and providers next to a password', async () => {
    const oauth = [{ id: 'google', title: 'Google' }]
    await open({ methods: { password: true, emailCode: true, passkey: true, oauth }, openSignup: false })
    assert.deepEqual(buttons(), [
      'Sign in',
      'Forgot your password?',
      'Get a code by email',
      'Sign in with a passkey',
      'Continue with Google',
    ])
  })

  test('without passwords the sign-in page opens with the form for a code by email', async () => {
    await open({ methods: { ...METHODS, password: false, emailCode: true } })
    assert.deepEqual(buttons(), ['Send a code'])
  })

  test('the sign-in page reports settings that cannot be loaded, and then shows no form', async () => {
    serveApp({ [SETTINGS_PATH]: () => new RefusedResponse('unavailable', 'The app is being updated.') })
    render(<SignIn />)
    await waitFor(() => assert.deepEqual(alerts(), ['The app is being updated.']))
    assert.equal(screen.queryAllByRole('button').length, 0)
  })

  for (const [problem, text] of [
    ['cancelled', 'You were not signed in, because you stopped at the provider.'],
    ['wait', 'Too many attempts. Try again in a minute.'],
  ] as const)
    test(`a sign-in at a provider that ended with ${problem} is explained on the sign-in page`, async () => {
      await open({ at: `/sign-in?problem=${problem}` })
      assert.deepEqual(alerts(), [text])
    })

  for (const problem of ['', 'made-up', 'constructor', 'toString', '__proto__'])
    test(`a link to the sign-in page with the unknown problem "${problem}" shows the form and no message`, async () => {
      await open({ at: `/sign-in?problem=${problem}` })
      assert.deepEqual([alerts(), buttons()[0]], [[], 'Sign in'])
    })

  test('the sign-in page reports a wrong password, and opens the start page once it is corrected', async () => {
    const answers: unknown[] = [WRONG, { user: { id: 'u_1' } }]
    const calls = await open({}, { 'POST /_app/auth/sign-in': () => answers.shift() })
    fillIn({ ...ADA, password: 'wrong' })
    press('Sign in')
    await waitFor(() => assert.deepEqual(alerts(), [WRONG.error.message]))
    write('Password', ADA.password)
    press('Sign in')
    await pathBecomes('/')
    assert.deepEqual(bodies(calls, 'sign-in'), [
      { name: '', ...ADA, password: 'wrong' },
      { name: '', ...ADA },
    ])
  })

  test('signing in on a page that needs a session stays on that page', async () => {
    await open({ at: '/plants?of=me' }, { 'POST /_app/auth/sign-in': () => ({ user: { id: 'u_1' } }) })
    fillIn(ADA)
    press('Sign in')
    await waitFor(() =>
      assert.equal(screen.getByRole('button', { name: 'Sign in' }).getAttribute('aria-busy'), 'false'),
    )
    assert.equal(location.pathname + location.search, '/plants?of=me')
  })

  test('the sign-in form shows the error about a rejected email address at its field', async () => {
    const message = 'email: must be an email address'
    await open(
      {},
      { 'POST /_app/auth/sign-in': () => new RefusedResponse('invalid_request', message, 'email') },
    )
    fillIn({ ...ADA, email: 'ada' })
    press('Sign in')
    await waitFor(() => assert.ok(isShown('This must be an email address')))
    assert.equal(screen.getByLabelText('Email').getAttribute('aria-invalid'), 'true')
    assert.deepEqual(alerts(), [])
  })

  test('on the sign-in page a new password that is too short is reported without a request', async () => {
    const calls = await open({}, { 'POST /_app/auth/sign-up': () => ({ user: { id: 'u_1' } }) })
    press('Create an account')
    assert.equal(heading(), 'Create an account')
    fillIn({ ...ADA, password: 'p'.repeat(9) })
    press('Create an account')
    await waitFor(() => assert.ok(isShown('This must have 10 to 200 characters')))
    assert.deepEqual(bodies(calls, 'sign-up'), [])
    write('Name', 'Ada')
    write('Password', 'p'.repeat(10))
    press('Create an account')
    await pathBecomes('/')
    assert.deepEqual(bodies(calls, 'sign-up'), [{ name: 'Ada', email: ADA.email, password: 'p'.repeat(10) }])
  })

  test('the form for a new account keeps the typed address, and does not show the error of a failed sign-in', async () => {
    await open({}, { 'POST /_app/auth/sign-in': () => WRONG })
    fillIn(ADA)
    press('Sign in')
    await waitFor(() => assert.deepEqual(alerts(), [WRONG.error.message]))
    press('Create an account')
    assert.deepEqual([heading(), alerts()], ['Create an account', []])
    assert.equal(screen.getByLabelText<HTMLInputElement>('Email').value, ADA.email)
  })

  test('while sign-up is closed, a page with an invitation lets a person create an account, and sends the invitation token', async () => {
    const answers = { 'POST /_app/auth/sign-up': () => ({ user: { id: 'u_1' } }) }
    const calls = await open({ openSignup: false, invite: INVITE, at: '/teams?invite=x' }, answers)
    press('Create an account')
    write('Name', 'Ada')
    fillIn(ADA)
    press('Create an account')
    await waitFor(() => assert.deepEqual(bodies(calls, 'sign-up'), [{ name: 'Ada', ...ADA, invite: INVITE }]))
  })

  test('an account whose email address must be confirmed is created with the mailed code, and a wrong code can be corrected', async () => {
    const answers: unknown[] = [
      new RefusedResponse('unauthorized', 'This code is wrong.'),
      { user: { id: 'u_1' } },
    ]
    const calls = await open(
      { confirmAddress: true },
      {
        'POST /_app/auth/sign-up/code': () => ({ sent: true }),
        'POST /_app/auth/sign-up': () => answers.shift(),
      },
    )
    press('Create an account')
    write('Name', 'Ada')
    fillIn(ADA)
    press('Create an account')
    await waitFor(() => assert.ok(isShown(/A message is on its way to ada@example.test/)))
    write('Code', '000000')
    press('Create the account')
    await waitFor(() => assert.deepEqual(alerts(), ['This code is wrong.']))
    write('Code', '123456')
    press('Create the account')
    await pathBecomes('/')
    const account = { name: 'Ada', ...ADA }
    assert.deepEqual(bodies(calls, 'sign-up/code'), [account])
    assert.deepEqual(bodies(calls, 'sign-up'), [
      { ...account, code: '000000' },
      { ...account, code: '123456' },
    ])
  })

  test('going back from the field for the mailed code shows the sign-up form with the typed values', async () => {
    await open({ confirmAddress: true }, { 'POST /_app/auth/sign-up/code': () => ({ sent: true }) })
    press('Create an account')
    fillIn(ADA)
    press('Create an account')
    await waitFor(() => assert.ok(isShown(/A message is on its way/)))
    press('Back')
    assert.equal(screen.getByLabelText<HTMLInputElement>('Email').value, ADA.email)
  })

  test("signing in with a mailed code also sends the invitation token from the page's address", async () => {
    const calls = await open(
      { methods: { ...METHODS, password: false, emailCode: true }, invite: INVITE },
      {
        'POST /_app/auth/code': () => ({ sent: true }),
        'POST /_app/auth/code/confirm': () => ({ user: { id: 'u_1' } }),
      },
    )
    write('Email for the code', ADA.email)
    press('Send a code')
    await waitFor(() => assert.ok(isShown(/If ada@example.test may sign in here, a code is on its way/)))
    write('Code', '123456')
    press('Sign in with the code')
    await pathBecomes('/')
    assert.deepEqual(bodies(calls, 'code'), [{ email: ADA.email, invite: INVITE }])
    assert.deepEqual(bodies(calls, 'code/confirm'), [{ email: ADA.email, code: '123456', invite: INVITE }])
  })

  test('a sign-in code from an email may be typed with Arabic or Persian digits', async () => {
    const calls = await open(
      { methods: { ...METHODS, password: false, emailCode: true } },
      {
        'POST /_app/auth/code': () => ({ sent: true }),
        'POST /_app/auth/code/confirm': () => ({ user: { id: 'u_1' } }),
      },
    )
    write('Email for the code', ADA.email)
    press('Send a code')
    await waitFor(() => assert.ok(screen.getByLabelText('Code')))
    write('Code', '۱۲۳ ٤٥٦')
    press('Sign in with the code')
    await pathBecomes('/')
    assert.deepEqual(bodies(calls, 'code/confirm'), [{ email: ADA.email, code: '123 456' }])
  })

  test('a password reset link can be requested by email, and a rejected address can be corrected', async () => {
    const refused = new RefusedResponse('invalid_request', 'email: must be an email address', 'email')
    const answers: unknown[] = [refused, { sent: true }]
    const calls = await open({}, { 'POST /_app/auth/reset': () => answers.shift() })
    press('Forgot your password?')
    assert.equal(heading(), 'Forgot your password?')
    write('Email', 'ada')
    press('Send a link')
    await waitFor(() => assert.ok(isShown('This must be an email address')))
    write('Email', ADA.email)
    press('Send a link')
    await waitFor(() => assert.ok(isShown(/If ada@example.test has an account, a link is on its way/)))
    assert.deepEqual(bodies(calls, 'reset'), [{ email: 'ada' }, { email: ADA.email }])
    assert.deepEqual(buttons(), ['Back'])
    press('Back')
    assert.equal(heading(), 'Sign in')
  })

  test('two clicks on the sign-in button send one request', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const calls = await open({}, { 'POST /_app/auth/sign-in': () => promise })
    fillIn(ADA)
    press('Sign in')
    press('Sign in')
    await act(async () => resolve(WRONG))
    assert.equal(bodies(calls, 'sign-in')?.length, 1)
    assert.deepEqual(alerts(), [WRONG.error.message])
  })

  test('a failed passkey sign-in is reported beside the passkey button', async () => {
    const refused = new RefusedResponse('rate_limited', 'Too many attempts. Try again in 30 s.')
    await open(
      { methods: { ...METHODS, passkey: true } },
      { 'POST /_app/auth/passkey/options': () => refused },
    )
    press('Sign in with a passkey')
    await waitFor(() => assert.deepEqual(alerts(), [refused.error.message]))
  })
})

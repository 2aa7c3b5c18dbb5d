import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { after, afterEach, before, beforeEach, describe, mock, test } from 'node:test'
import { directoryOf } from '../kernel/objects/objects.ts'
import { AuthObjects, importAccounts } from './objects.test.fixture.ts'
import { hashPassword } from './sign-in/password.ts'
import type { AuthCalls, SignInResult } from './types.ts'
import { DAY_MS } from '../kernel/durations.ts'

const NOW = Date.parse('2026-11-20T10:30:00.000Z')
const PASSWORD = 'pears and apples'
const VISIT = { device: 'desk', from: '' }
const INVITE = `t_${'a'.repeat(26)}.${'b'.repeat(64)}`
const NOT_SIGNED_IN = { ok: false, error: { code: 'unauthorized', message: 'Sign in first.' } }
const WRONG_PASSWORD = { code: 'unauthorized', message: 'The email address or the password is wrong.' }
const HELD = {
  code: 'unavailable',
  message: 'The app is being moved and accepts no changes right now. Try again in a few minutes.',
}

describe('accounts with a password', () => {
  let accounts: Awaited<ReturnType<typeof importAccounts>>
  let objects: AuthObjects
  before(async () => {
    accounts = await importAccounts()
    // Hashes with a low cost, because these tests compute dozens of hashes.
    const { scrypt } = crypto
    const cheapScrypt = (...[password, salt, length, , done]: Parameters<typeof scrypt>) =>
      scrypt(password, salt, length, { cost: 2 }, done)
    mock.method(crypto, 'scrypt', cheapScrypt)
    // `password.ts` has imported `scrypt` by name, so its binding must be updated too.
    syncBuiltinESMExports()
  })
  after(() => {
    mock.restoreAll()
    syncBuiltinESMExports()
  })
  beforeEach(() => {
    mock.timers.enable({ apis: ['Date'], now: NOW })
    objects = new AuthObjects()
  })
  afterEach(() => mock.timers.reset())

  const ask = <Kind extends keyof AuthCalls>(
    kind: Kind,
    asked: AuthCalls[Kind]['ask'],
    env: Record<string, string> = {},
  ) => accounts.handleAuth({ objects, tier: 'preview', env: { AUTH_CODE_KEY: 'key', ...env } }, kind, asked)
  const newAccount = (email: string) => ({ email, password: PASSWORD, name: 'Ada', ...VISIT })
  const signUp = async (email = 'ada@example.test'): Promise<SignInResult> => {
    const answer = await ask('signUp', newAccount(email))
    return answer.ok ? answer.value : assert.fail(answer.error.message)
  }
  const signIn = (password = PASSWORD, email = 'ada@example.test') =>
    ask('signIn', { email, password, ...VISIT })
  const me = async (session: string) => {
    const answer = await ask('me', { session })
    return answer.ok ? answer.value : assert.fail(answer.error.message)
  }
  const people = async () =>
    (await directoryOf(objects, 'preview').users('newest', { limit: 9 })).map(({ email, sessions }) => [
      email,
      sessions,
    ])

  test('signing up creates an account with a lower-case address and opens a session, and signing in opens another session', async () => {
    const { user, token, expiresAt } = await signUp(' Ada@Example.TEST ')
    const { id: _id, ...rest } = user
    assert.deepEqual(rest, {
      email: 'ada@example.test',
      emailVerified: false,
      name: 'Ada',
      role: 'member',
      createdAt: '2026-11-20T10:30:00.000Z',
    })
    assert.equal(expiresAt, '2026-12-20T10:30:00.000Z')
    assert.deepEqual(await me(token), { user, renewed: null })
    const answer = await signIn(PASSWORD, 'ADA@example.test')
    assert.ok(answer.ok && answer.value.token !== token)
    assert.deepEqual(await people(), [['ada@example.test', 2]])
  })

  test('of two simultaneous sign-ups for one address, one gets the account and the other fails with a conflict', async () => {
    const both = await Promise.all([1, 2].map(() => ask('signUp', newAccount('ada@example.test'))))
    const conflict = {
      code: 'conflict',
      message: 'email: already has an account; sign in instead',
      field: 'email',
    }
    assert.deepEqual(
      both.find(({ ok }) => !ok),
      { ok: false, error: conflict },
    )
    assert.deepEqual([both.filter(({ ok }) => ok).length, await people()], [1, [['ada@example.test', 1]]])
  })

  test('an interrupted sign-up opens no session, and its address is free again after a minute', async () => {
    objects.before = (_object, _method, kind) => {
      if (kind === 'create' || kind === 'release') throw new Error('The object was reset.')
    }
    await assert.rejects(ask('signUp', newAccount('ada@example.test')), { message: 'The object was reset.' })
    objects.before = () => {}
    assert.deepEqual([await signIn(), await people()], [{ ok: false, error: WRONG_PASSWORD }, []])
    const early = await ask('signUp', newAccount('ada@example.test'))
    assert.equal(!early.ok && early.error.code, 'conflict')
    mock.timers.tick(60_001)
    await signUp()
  })

  test('a sign-up that is refused because too many people are signing in can be repeated immediately', async () => {
    const emails = Array.from({ length: 55 }, (_, n) => `person-${n}@example.test`)
    const answers = await Promise.all(emails.map((email) => ask('signUp', newAccount(email))))
    const message = 'Too many people are signing in. Try again in a moment.'
    const refused = answers.flatMap((answer, n) => (answer.ok ? [] : [[n, answer.error]]))
    // Two hashes are computed at a time, and 50 wait.
    assert.deepEqual(
      refused,
      [52, 53, 54].map((n) => [n, { code: 'unavailable', message }]),
    )
    for (const email of emails.slice(52)) await signUp(email)
  })

  /** Starts as many password hashes as may run and wait, so that the next hash is refused until one of them is done. */
  const fillHashing = () => Promise.all(Array.from({ length: 52 }, () => hashPassword(PASSWORD)))
  const BUSY = {
    ok: false,
    error: { code: 'unavailable', message: 'Too many people are signing in. Try again in a moment.' },
  }
  /** Returns the text of the mail that a call sends. In a preview the answer of the call contains the mail. */
  const mailOf = async <Kind extends keyof AuthCalls>(
    kind: Kind,
    asked: AuthCalls[Kind]['ask'],
    env: Record<string, string> = {},
  ): Promise<string> => {
    const answer = await ask(kind, asked, env)
    return answer.ok ? (answer.mail?.[0]?.text ?? '') : assert.fail(answer.error.message)
  }

  test('a password reset that is refused because too many people are signing in can be repeated with the same link', async () => {
    await signUp()
    const origin = 'https://app.example.test'
    const text = await mailOf('requestReset', { email: 'ada@example.test', origin, from: '' })
    const reset = { token: /#([0-9a-f]{64})/.exec(text)?.[1] ?? '', password: 'plums and apples', from: '' }
    const others = fillHashing()
    assert.deepEqual(await ask('reset', reset), BUSY)
    await others
    assert.deepEqual(await ask('reset', reset), { ok: true, value: null })
    assert.equal((await signIn('plums and apples')).ok, true)
    assert.equal((await ask('reset', reset)).ok, false)
  })

  test('a sign-up that is refused because too many people are signing in can be repeated with the same code', async () => {
    const env = { AUTH_CONFIRM_ADDRESS: 'on' }
    const account = newAccount('ada@example.test')
    const code = /\d{6}/.exec(await mailOf('sendSignUp', account, env))?.[0] ?? ''
    const others = fillHashing()
    assert.deepEqual(await ask('signUp', { ...account, code: ` ${code}` }, env), BUSY)
    await others
    const answer = await ask('signUp', { ...account, code }, env)
    assert.equal(answer.ok && answer.value.user.emailVerified, true)
    assert.equal((await ask('signUp', { ...account, code }, env)).ok, false)
  })

  test('a sign-up with an invalid address, name or password is rejected with an error that names the field', async () => {
    const fieldOf = async (change: object) => {
      const answer = await ask('signUp', { ...newAccount('ada@example.test'), ...change })
      return answer.ok ? null : [answer.error.field, answer.error.message]
    }
    for (const email of ['', 'ada', 'a@b', 'a b@c.test', '<a@b.test>', `${'a'.repeat(65)}@b.test`, null, 5])
      assert.deepEqual(await fieldOf({ email }), ['email', 'email: must be an email address'])
    assert.equal((await fieldOf({ email: `a@${'b'.repeat(248)}.test` }))?.[0], 'email')
    for (const name of ['', '  ', 'n'.repeat(101), null])
      assert.deepEqual(await fieldOf({ name }), ['name', 'name: must have 1 to 100 characters'])
    for (const password of ['', 'p'.repeat(9), 'p'.repeat(201), null])
      assert.deepEqual(await fieldOf({ password }), ['password', 'password: must have 10 to 200 characters'])
    assert.deepEqual(await people(), [])
    assert.equal(await fieldOf({ email: `a@${'b'.repeat(247)}.test`, name: 'n'.repeat(100) }), null)
  })

  test('while sign-up is closed, an account needs an invitation for its address, and one invitation creates one account', async () => {
    const closed = { AUTH_OPEN_SIGNUP: 'off' }
    const join = async (email: string, invite?: string) => {
      const answer = await ask(
        'signUp',
        { ...newAccount(email), ...(invite !== undefined && { invite }) },
        closed,
      )
      return answer.ok ? 'signed up' : answer.error.message
    }
    const none = 'This app takes no new accounts.'
    const ended =
      'This app takes new accounts by invitation only, and this one was used, has expired, or is for another address.'
    assert.deepEqual([await join('ada@example.test'), await join('ada@example.test', INVITE)], [none, ended])
    objects.invited = 'ada@example.test'
    assert.deepEqual(
      [await join('bob@example.test', INVITE), await join('ada@example.test', 'no invitation')],
      [ended, ended],
    )
    assert.equal(await join('ada@example.test', INVITE), 'signed up')
    objects.invited = 'ada@example.test'
    assert.equal(await join('ada@example.test', INVITE), 'email: already has an account; sign in instead')
    assert.equal(objects.invited, 'ada@example.test', 'a sign-up that fails does not use the invitation up')
  })

  test('an invitation that another sign-up claims at the last moment creates no account, and the address stays free', async () => {
    const closed = { AUTH_OPEN_SIGNUP: 'off' }
    objects.invited = 'ada@example.test'
    objects.before = (_object, _method, kind) => {
      if (kind === 'reserve') objects.invited = null
    }
    const answer = await ask('signUp', { ...newAccount('ada@example.test'), invite: INVITE }, closed)
    assert.equal(!answer.ok && answer.error.code, 'forbidden')
    objects.before = () => {}
    await signUp()
  })

  test('a session is extended after half of its time, keeps its token, and ends when it is not used', async () => {
    const { token, user } = await signUp()
    mock.timers.setTime(NOW + 15 * DAY_MS)
    assert.deepEqual(await me(token), { user, renewed: null })
    mock.timers.setTime(NOW + 15 * DAY_MS + 1)
    const expiresAt = '2027-01-04T10:30:00.001Z'
    assert.deepEqual(await me(token), { user, renewed: { user, token, expiresAt } })
    mock.timers.setTime(NOW + 45 * DAY_MS + 2)
    assert.deepEqual([await me(token), await people()], [null, [['ada@example.test', 0]]])
  })

  test('a session token that is malformed, belongs to another session or has ended is rejected', async () => {
    const [ada, bob] = [await signUp(), await signUp('bob@example.test')]
    const [, sessionId = '', secret = ''] = ada.token.split('.')
    for (const session of [
      '',
      'x'.repeat(300),
      `${bob.user.id}.${sessionId}.${secret}`,
      `${ada.token}.x`,
      `${ada.user.id}.${sessionId}.${'0'.repeat(64)}`,
    ])
      assert.deepEqual([await me(session), await ask('sessions', { session })], [null, NOT_SIGNED_IN])
    assert.deepEqual(await ask('signOut', { session: ada.token }), { ok: true, value: null })
    assert.deepEqual([await me(ada.token), (await me(bob.token))?.user.id], [null, bob.user.id])
    assert.deepEqual(await ask('signOut', { session: ada.token }), { ok: true, value: null })
    assert.deepEqual(
      objects.closed.toSorted(),
      [`pv:data:${ada.user.id}`, 'pv:data:app'].map((at) => `${at} ${ada.user.id}`).toSorted(),
    )
  })

  test('signing out and revoking a session succeed even when the WebSockets of the person cannot be closed', async () => {
    const [ada, other] = [await signUp(), await signUp('bob@example.test')]
    objects.before = (_object, method) => {
      if (method === 'closeSockets') throw new Error('The object restarts.')
    }
    assert.deepEqual(await ask('signOut', { session: ada.token }), { ok: true, value: null })
    const [, id = ''] = other.token.split('.')
    assert.deepEqual(await ask('revoke', { session: other.token, id }), { ok: true, value: null })
    assert.deepEqual([await me(ada.token), await me(other.token)], [null, null])
  })

  test('a person can list and end only their own sessions', async () => {
    const [ada, bob] = [await signUp(), await signUp('bob@example.test')]
    const [, own = ''] = ada.token.split('.')
    const [, other = ''] = bob.token.split('.')
    const at = '2026-11-20T10:30:00.000Z'
    const session = { id: own, device: 'desk', createdAt: at, lastSeenAt: at, current: true }
    assert.deepEqual(await ask('sessions', { session: ada.token }), { ok: true, value: [session] })
    for (const id of [other, '', 'x'.repeat(200)])
      assert.deepEqual(await ask('revoke', { session: ada.token, id }), {
        ok: false,
        error: { code: 'not_found', message: 'There is no such session.' },
      })
    assert.equal((await me(bob.token))?.user.id, bob.user.id)
    assert.deepEqual(await ask('revoke', { session: ada.token, id: own }), { ok: true, value: null })
    assert.equal(await me(ada.token), null)
  })

  test('changing the password ends all sessions and opens a new one, and only the new password signs in', async () => {
    const { token } = await signUp()
    const other = await signIn()
    const change = (current: string, next: string) =>
      ask('changePassword', { session: token, current, next, device: 'desk' })
    assert.deepEqual(await change('wrong password', 'another password'), {
      ok: false,
      error: { code: 'invalid_request', message: 'current: is not your password', field: 'current' },
    })
    const short = await change(PASSWORD, 'short')
    assert.equal(!short.ok && short.error.field, 'next')
    const changed = await change(PASSWORD, 'another password')
    const session = changed.ok ? changed.value.token : assert.fail()
    assert.deepEqual([await me(token), await me(other.ok ? other.value.token : '')], [null, null])
    assert.equal((await me(session))?.user.email, 'ada@example.test')
    assert.deepEqual(
      [await signIn(), (await signIn('another password')).ok],
      [{ ok: false, error: WRONG_PASSWORD }, true],
    )
    assert.deepEqual(await people(), [['ada@example.test', 2]])
  })

  test('after five wrong passwords, further attempts are delayed, at the sign-in and at a password change', async () => {
    const { token } = await signUp()
    const guess = { session: token, current: 'wrong password', next: 'another password', device: '' }
    for (let n = 0; n < 3; n++) assert.equal((await signIn('wrong password')).ok, false)
    for (let n = 0; n < 2; n++) assert.equal((await ask('changePassword', guess)).ok, false)
    const limited = {
      ok: false,
      error: { code: 'rate_limited', message: 'Too many attempts. Try again in 1 s.', retryAfterSeconds: 1 },
    }
    assert.deepEqual([await signIn(), await ask('changePassword', guess)], [limited, limited])
    mock.timers.tick(1000)
    assert.equal((await signIn()).ok, true)
    assert.equal((await signIn('wrong password')).ok, false, 'a right password resets the count')
    assert.equal((await signIn()).ok, true)
  })

  test('people can change their names, and an invalid name or an unknown person is rejected', async () => {
    const { token, user } = await signUp()
    const renamed = { ok: true, value: { ...user, name: 'Ada L.' } }
    assert.deepEqual(await ask('update', { session: token, name: ' Ada L. ' }), renamed)
    assert.deepEqual(await ask('find', { id: user.id }), renamed)
    const invalid = await ask('update', { session: token, name: '' })
    assert.equal(!invalid.ok && invalid.error.field, 'name')
    const noUser = { ok: false, error: { code: 'not_found', message: 'There is no such user.' } }
    for (const id of ['', 'admin', `u_${'0'.repeat(26)}`]) {
      assert.deepEqual(await ask('rename', { id, name: 'Ada' }), noUser)
      assert.deepEqual(
        [await ask('signOutAll', { id }), await ask('find', { id })],
        [noUser, { ok: true, value: null }],
      )
    }
    assert.deepEqual(await ask('signOutAll', { id: user.id }), { ok: true, value: null })
    assert.deepEqual([await me(token), await people()], [null, [['ada@example.test', 0]]])
  })

  test('while the app is being moved to another cloud account, sign-ups, sign-ins and changes fail, and sessions stay valid', async () => {
    const { token, user } = await signUp()
    objects.hold('pv:dir', true)
    const held = { ok: false, error: HELD }
    assert.deepEqual(await ask('signUp', newAccount('bob@example.test')), held)
    assert.deepEqual(await signIn(), held)
    assert.deepEqual(await ask('update', { session: token, name: 'Bob' }), held)
    const change = { session: token, current: PASSWORD, next: 'another password', device: '' }
    assert.deepEqual(await ask('changePassword', change), held)
    assert.deepEqual(await me(token), { user, renewed: null })
  })

  test('an app with passwords disabled accepts no password, and lists its sign-in methods', async () => {
    const off = { AUTH_PASSWORD: 'off', AUTH_PASSKEY: 'on' }
    const error = { code: 'not_enabled', message: 'People sign in to this app in another way.' }
    assert.deepEqual(await ask('signUp', newAccount('ada@example.test'), off), { ok: false, error })
    assert.deepEqual(await ask('signIn', { email: '', password: '', ...VISIT }, off), { ok: false, error })
    assert.deepEqual(await ask('settings', null, off), {
      ok: true,
      value: {
        openSignup: true,
        passwordMin: 10,
        confirmAddress: false,
        methods: { password: false, emailCode: false, passkey: true, oauth: [] },
      },
    })
  })
})

import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { afterEach, before, beforeEach, describe, mock, test } from 'node:test'
import { parseToken } from '../../kernel/access/actor.ts'
import { directoryOf } from '../../kernel/objects/objects.ts'
import { handoverKeyOf } from './handover.ts'
import { AuthObjects, importAccounts } from '../objects.test.fixture.ts'
import { setRole } from '../objects/role.ts'
import type { AuthCalls, User } from '../types.ts'

const NOW = Date.parse('2026-11-20T10:30:00.000Z')
const NOW_SECONDS = NOW / 1000
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const HANDOVER_ENV = {
  OPERATOR_KEY: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64url'),
  APP_NAME: 'app',
}
const OVER = { code: 'unauthorized', message: 'This link is not valid. Open the app from the console again.' }
const TAKEN = {
  code: 'conflict',
  message:
    'An unproven account has your address. Sign in with its password, or erase it under People in the console.',
}

describe('organization members who sign in from the console', () => {
  let accounts: Awaited<ReturnType<typeof importAccounts>>
  let objects: AuthObjects
  let made = 0
  before(async () => {
    accounts = await importAccounts()
  })
  beforeEach(() => {
    mock.timers.enable({ apis: ['Date'], now: NOW })
    objects = new AuthObjects()
  })
  afterEach(() => mock.timers.reset())

  const contextWith = (env: object = HANDOVER_ENV) => ({
    objects,
    tier: 'production' as const,
    env: { AUTH_PASSWORD_MIN: '8', ...env },
  })
  const ask = <Kind extends keyof AuthCalls>(kind: Kind, asked: AuthCalls[Kind]['ask'], at = contextWith()) =>
    accounts.handleAuth(at, kind, asked)
  const tokenOf = (change: object = {}): string => {
    const claim = {
      use: 'handover',
      aud: 'app',
      tier: 'production',
      member: 'usr_ada',
      email: 'Ada@org.test',
      emailVerified: true,
      name: 'Ada',
      exp: NOW_SECONDS + 45,
      jti: `jti-${++made}`,
      ...change,
    }
    const text = Buffer.from(JSON.stringify(claim)).toString('base64url')
    return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
  }
  const come = (change: object = {}, at = contextWith()) =>
    ask('handover', { token: tokenOf(change), device: 'desk' }, at)
  const enter = async (change: object = {}) => {
    const answer = await come(change)
    return answer.ok ? answer.value : assert.fail(answer.error.message)
  }
  const refused = async (change: object, at = contextWith()) => {
    const answer = await come(change, at)
    return answer.ok ? answer.value.user.id : answer.error
  }
  const directory = () => directoryOf(objects, 'production')
  const people = async () =>
    (await directory().users('newest', { limit: 9 })).map(({ email, role, sessions }) => [
      email,
      role,
      sessions,
    ])
  const signUp = async (email: string, isVerified = false): Promise<User> => {
    const about = { email, password: 'pears and apples', name: 'Mallory', device: '', from: '' }
    const answer = await ask('signUp', about)
    const { user } = answer.ok ? answer.value : assert.fail(answer.error.message)
    if (!isVerified) return user
    await objects.getByName(`data:${user.id}`).account('setVerified', null)
    await directory().users('change', { id: user.id, emailVerified: true })
    return { ...user, emailVerified: true }
  }

  test("an organization member's first sign-in creates a staff account without a password, which later sign-ins use", async () => {
    const first = await enter()
    const { id: _id, ...user } = first.user
    const createdAt = '2026-11-20T10:30:00.000Z'
    assert.deepEqual(user, {
      email: 'ada@org.test',
      emailVerified: true,
      name: 'Ada',
      role: 'staff',
      createdAt,
    })
    assert.equal(first.expiresAt, '2026-11-20T22:30:00.000Z', 'half a day later')
    assert.equal(parseToken(first.token)?.userId, first.user.id)
    const second = await enter({ email: 'moved@org.test', name: 'Ada L.', emailVerified: false })
    assert.deepEqual([second.user, await people()], [first.user, [['ada@org.test', 'staff', 2]]])
    const other = await enter({ member: 'usr_ben', email: 'ben@org.test' })
    assert.notEqual(other.user.id, first.user.id)
    const account = objects.getByName(`data:${first.user.id}`)
    assert.deepEqual((await account.account('dump', null))?.member, 'usr_ada')
    assert.deepEqual([await account.account('methods', null), objects.closed], [[], []])
  })

  test('a handover token is accepted only for its use, app, tier and time, and only if the service signed it', async () => {
    const [text = '', signature = ''] = tokenOf().split('.')
    const tokens: unknown[] = [
      tokenOf({ use: 'operator' }),
      tokenOf({ use: undefined }),
      tokenOf({ aud: 'app-admin' }),
      tokenOf({ tier: 'preview' }),
      tokenOf({ exp: NOW_SECONDS }),
      tokenOf({ exp: NOW_SECONDS + 66 }),
      `${text}.${signature.slice(2)}AA`,
      '',
      null,
      { token: tokenOf() },
    ]
    for (const token of tokens) {
      const answer = await ask('handover', { token, device: '' })
      assert.deepEqual(answer, { ok: false, error: OVER }, JSON.stringify(token))
    }
    assert.deepEqual(await refused({}, contextWith({})), OVER)
    assert.deepEqual(await people(), [])
    assert.equal(
      (await enter({ exp: NOW_SECONDS + 65 })).user.role,
      'staff',
      'with clocks that differ by 5 s',
    )
  })

  test('a handover token signs a member in only once, even when it is sent twice at the same moment', async () => {
    await enter()
    const token = tokenOf()
    const both = await Promise.all([1, 2].map(() => ask('handover', { token, device: '' })))
    assert.deepEqual(both.map(({ ok }) => ok).toSorted(), [false, true])
    assert.deepEqual(await ask('handover', { token, device: '' }), { ok: false, error: OVER })
  })

  test('two simultaneous first sign-ins of one organization member both succeed and create one account in the app', async () => {
    for (const emailVerified of [true, false]) {
      const member = { member: `usr_${emailVerified}`, email: `${emailVerified}@org.test`, emailVerified }
      const gate = Promise.withResolvers<void>()
      let waiting = 0
      objects.before = (_object, _method, kind) => {
        if (kind !== 'reserve') return
        if (++waiting === 2) gate.resolve()
        return gate.promise
      }
      const [first, second] = await Promise.all([enter(member), enter(member)])
      assert.equal(first.user.id, second.user.id)
      assert.equal((await enter(member)).user.id, first.user.id)
    }
    const rights = (await people()).map(([, role, sessions]) => `${role} ${sessions}`)
    assert.deepEqual(rights, ['staff 3', 'staff 3'])
  })

  test('the name of a member is cut to 100 characters, and an empty name is replaced by the email address', async () => {
    const nameOf = async (member: string, name: unknown) =>
      (await enter({ member, email: `${member}@org.test`, name })).user.name
    assert.equal(await nameOf('long', `${'n'.repeat(99)} more`), 'n'.repeat(99))
    for (const [member, name] of Object.entries({ blank: ' \n', absent: undefined, number: 5 }))
      assert.equal(await nameOf(member, name), `${member}@org.test`)
  })

  test('an organization member without a valid email address gets no account in the app', async () => {
    for (const email of ['', 'ada', null, 'a b@org.test'])
      assert.deepEqual(await refused({ email }), {
        code: 'invalid_request',
        message: 'email: must be an email address',
        field: 'email',
      })
    assert.deepEqual(await people(), [])
  })

  test("an existing account with a member's email address becomes the member's staff account only if both are verified", async () => {
    const user = await signUp('ada@org.test', true)
    assert.deepEqual(await refused({ emailVerified: false }), TAKEN)
    assert.deepEqual(await people(), [['ada@org.test', 'member', 1]])
    objects.closed.length = 0
    const { user: entered } = await enter()
    assert.deepEqual(entered, { ...user, role: 'staff' })
    assert.deepEqual(
      objects.closed.toSorted(),
      [`data:${user.id} ${user.id}`, `data:app ${user.id}`].toSorted(),
    )
  })

  test('a member can sign in to an account that the operator made staff, even if its email address is not verified', async () => {
    const user = await signUp('ada@org.test')
    assert.deepEqual([await refused({}), await people()], [TAKEN, [['ada@org.test', 'member', 1]]])
    await setRole(objects, 'production', user.id, 'staff')
    assert.equal((await enter()).user.id, user.id)
  })

  test('an organization member whose account has lost its staff role gets it back at the next sign-in', async () => {
    const { user } = await enter()
    await setRole(objects, 'production', user.id, 'member')
    assert.deepEqual((await enter()).user, user)
  })

  for (const [step, method, kind, blockedMs] of [
    // A reservation that no member is linked to blocks the address for a minute.
    ['its account is linked', 'users', 'linkMember', 60_001],
    ['its account is stored', 'account', 'create', 0],
    ['its account is active', 'users', 'activate', 0],
    ['its member is stored', 'account', 'setMember', 0],
    ['its session is opened', 'account', 'open', 0],
  ] as const)
    test(`a later sign-in completes a first sign-in that was interrupted before ${step}, and only one account is created`, async () => {
      objects.before = (_object, ...called) => {
        if (called.join(' ') === `${method} ${kind}`) throw new Error('The object was reset.')
      }
      await assert.rejects(come(), { message: 'The object was reset.' })
      objects.before = () => {}
      mock.timers.tick(blockedMs)
      const { user } = await enter({ exp: NOW_SECONDS + (blockedMs === 0 ? 45 : 100) })
      assert.deepEqual([user.role, await people()], ['staff', [['ada@org.test', 'staff', 1]]])
    })

  test("when a member's first sign-in is interrupted and another person takes the email address, the member is refused", async () => {
    objects.before = (_object, _method, kind) => {
      if (kind === 'create') throw new Error('The object was reset.')
    }
    await assert.rejects(come())
    objects.before = () => {}
    mock.timers.tick(60_001)
    const user = await signUp('ada@org.test')
    const late = { exp: NOW_SECONDS + 100 }
    assert.deepEqual(await refused(late), TAKEN)
    await directory().users('remove', { id: user.id })
    assert.equal((await enter(late)).user.role, 'staff')
  })

  test('a member whose account is being erased is refused, and gets another account once it is erased', async () => {
    const { user } = await enter()
    await directory().users('freeze', { id: user.id })
    assert.deepEqual(await refused({}), TAKEN)
    await directory().users('remove', { id: user.id })
    assert.notEqual((await enter()).user.id, user.id)
  })

  test("during an app's move to another cloud account no member can sign in, and the handover token can be used later", async () => {
    const token = tokenOf()
    objects.hold('dir', true)
    const answer = await ask('handover', { token, device: '' })
    assert.equal(!answer.ok && answer.error.code, 'unavailable')
    objects.hold('dir', false)
    assert.equal((await ask('handover', { token, device: '' })).ok, true)
  })

  test("only a worker that knows both the service's public key and its own name accepts handover tokens", () => {
    const env = { OPERATOR_KEY: 'key', APP_NAME: 'app' }
    assert.deepEqual(handoverKeyOf(env), { publicKey: 'key', audience: 'app' })
    for (const name of Object.keys(env))
      assert.equal(handoverKeyOf({ ...env, [name]: undefined }), null, name)
  })
})

import assert from 'node:assert/strict'
import { afterEach, before, beforeEach, describe, mock, test } from 'node:test'
import { directoryOf } from '../../kernel/objects/objects.ts'
import { TestAuthenticator } from './authenticator.test.fixture.ts'
import { AuthObjects, importAccounts } from '../objects.test.fixture.ts'
import type { AuthCalls, Passkey, SignInResult } from '../types.ts'

const NOW = Date.parse('2026-11-20T10:30:00.000Z')
const ORIGIN = 'https://app.example.test'
const CHALLENGE_MS = 300_000
const VISIT = { device: 'desk', from: '' }
const WITH_PASSKEYS = { AUTH_PASSKEY: 'on' }
const REJECTED = {
  ok: false,
  error: { code: 'unauthorized', message: 'This passkey was not accepted.' },
}
const ONLY_WAY = { ok: false, error: { code: 'conflict', message: 'This is your only way to sign in.' } }
const invalid = (field: string, problem: string) => ({
  ok: false,
  error: { code: 'invalid_request', message: `${field}: ${problem}`, field },
})

describe('passkeys of people', () => {
  let accounts: Awaited<ReturnType<typeof importAccounts>>
  let objects: AuthObjects
  let env: Record<string, string>
  let people = 0
  before(async () => {
    accounts = await importAccounts()
  })
  beforeEach(() => {
    mock.timers.enable({ apis: ['Date'], now: NOW })
    objects = new AuthObjects()
    env = { AUTH_CODE_KEY: 'key', ...WITH_PASSKEYS }
  })
  afterEach(() => mock.timers.reset())

  const ask = <Kind extends keyof AuthCalls>(kind: Kind, asked: AuthCalls[Kind]['ask']) =>
    accounts.handleAuth({ objects, tier: 'production', env }, kind, asked)
  const valueOf = async <Kind extends keyof AuthCalls>(
    kind: Kind,
    asked: AuthCalls[Kind]['ask'],
  ): Promise<AuthCalls[Kind]['answer']> => {
    const answer = await ask(kind, asked)
    return answer.ok ? answer.value : assert.fail(answer.error.message)
  }
  const accountOf = (userId: string) => objects.getByName(`data:${userId}`)

  /** A person who is signed in and has no password. */
  async function person(): Promise<SignInResult> {
    const email = `person-${++people}@example.test`
    const directory = directoryOf(objects, 'production')
    const about = {
      email,
      name: 'Ada',
      role: 'member' as const,
      emailVerified: true,
      createdAt: '2026-11-20',
    }
    const user = { id: `u_${String(people).padStart(26, '0')}`, ...about }
    await directory.users('reserve', user)
    await directory.users('activate', { id: user.id })
    await accountOf(user.id).account('create', { ...about, password: null })
    const { sessionId, secret, expiresAt } = await accountOf(user.id).account('open', { device: '', days: 1 })
    return { user, token: `${user.id}.${sessionId}.${secret}`, expiresAt }
  }
  async function newChallenge({ token }: SignInResult): Promise<string> {
    return (await valueOf('newPasskeyOptions', { session: token, origin: ORIGIN })).challenge
  }
  const add = async (who: SignInResult, credential: unknown, name: unknown = 'Laptop') =>
    ask('addPasskey', {
      session: who.token,
      origin: ORIGIN,
      name,
      credential,
    })
  async function register(who: SignInResult, name: unknown = 'Laptop') {
    const device = new TestAuthenticator(ORIGIN)
    const answer = await add(who, device.create(await newChallenge(who)), name)
    return { device, passkey: answer.ok ? answer.value : assert.fail(answer.error.message) }
  }
  const challenge = async () => (await valueOf('passkeyOptions', { origin: ORIGIN, from: '' })).challenge
  const signIn = async (credential: unknown, origin = ORIGIN) =>
    ask('signInPasskey', { origin, credential, ...VISIT })
  const remove = ({ token }: SignInResult, id: unknown) =>
    ask('removePasskey', { session: token, id: id as string })
  const listed = async ({ token }: SignInResult): Promise<Passkey[]> =>
    (await valueOf('passkeys', { session: token })).map((passkey) => ({ ...passkey }))
  const methodsInList = async ({ user }: SignInResult) =>
    (await directoryOf(objects, 'production').users('listed', { id: user.id }))?.methods

  describe('adding', () => {
    test("the options for a new passkey contain the app, the person and the person's existing passkeys", async () => {
      const ada = await person()
      const first = await valueOf('newPasskeyOptions', { session: ada.token, origin: ORIGIN })
      assert.match(first.challenge, /^[\w-]{43}$/)
      const { id, email } = ada.user
      const about = { rpId: 'app.example.test', timeoutMs: CHALLENGE_MS, challenge: '' }
      const user = { id, name: email, displayName: 'Ada' }
      assert.deepEqual({ ...first, challenge: '' }, { ...about, user, known: [] })
      const { passkey } = await register(ada)
      const second = await valueOf('newPasskeyOptions', { session: ada.token, origin: ORIGIN })
      assert.deepEqual({ ...second, challenge: '' }, { ...about, user, known: [passkey.id] })
      assert.notEqual(second.challenge, first.challenge)
    })

    test('an added passkey is listed for the person, counts as a sign-in method in the list of people, and signs the person in', async () => {
      const ada = await person()
      const { device, passkey } = await register(ada, `  ${'n'.repeat(70)}`)
      const id = device.id.toString('base64url')
      const createdAt = '2026-11-20T10:30:00.000Z'
      assert.deepEqual(passkey, { id, name: 'n'.repeat(58), createdAt, lastUsedAt: null })
      assert.deepEqual([await listed(ada), await methodsInList(ada)], [[passkey], ['passkey']])
      mock.timers.tick(1000)
      const answer = await signIn(device.get(await challenge(), ada.user.id))
      assert.deepEqual(answer.ok && answer.value.user, ada.user)
      assert.deepEqual(await listed(ada), [{ ...passkey, lastUsedAt: '2026-11-20T10:30:01.000Z' }])
    })

    test('a passkey without a name is called Passkey', async () => {
      const ada = await person()
      for (const name of ['', '   ', null, 5])
        assert.equal((await register(ada, name)).passkey.name, 'Passkey')
    })

    test('the challenge for a new passkey adds only one passkey, and only within five minutes', async () => {
      const ada = await person()
      const device = new TestAuthenticator(ORIGIN)
      const late = device.create(await newChallenge(ada))
      mock.timers.tick(CHALLENGE_MS + 1)
      assert.deepEqual(await add(ada, late), REJECTED)
      const good = device.create(await newChallenge(ada))
      mock.timers.tick(CHALLENGE_MS - 1)
      const both = await Promise.all([add(ada, good), add(ada, good)])
      assert.deepEqual(
        both.filter(({ ok }) => !ok),
        [REJECTED],
      )
      assert.equal((await listed(ada)).length, 1)
    })

    test('a challenge that was issued to another person, or for a sign-in, adds no passkey', async () => {
      const [ada, ben] = [await person(), await person()]
      const device = new TestAuthenticator(ORIGIN)
      assert.deepEqual(await add(ben, device.create(await newChallenge(ada))), REJECTED)
      assert.deepEqual(await add(ben, device.create(await challenge())), REJECTED)
      assert.deepEqual(await listed(ben), [])
    })

    test('a passkey whose id differs from the id that the authenticator signed is rejected', async () => {
      const ada = await person()
      const credential = new TestAuthenticator(ORIGIN).create(await newChallenge(ada))
      assert.deepEqual(await add(ada, { ...credential, id: 'AAAA' }), REJECTED)
    })

    test('a passkey with an algorithm that the app does not accept is rejected', async () => {
      const ada = await person()
      const problem = invalid('algorithm', 'is not one that this app accepts')
      for (const algorithm of [-8, -36, 0, 'x', undefined, null, {}]) {
        const credential = new TestAuthenticator(ORIGIN).create(await newChallenge(ada))
        assert.deepEqual(await add(ada, { ...credential, algorithm }), problem)
      }
      assert.deepEqual(await listed(ada), [])
    })

    test('a passkey field that is not base64url of at most 4,096 characters is rejected with an error that names the field', async () => {
      const ada = await person()
      for (const credential of [null, undefined, 'text', 5])
        assert.deepEqual(await add(ada, credential), invalid('credential', 'must be an object'))
      const good = new TestAuthenticator(ORIGIN).create(await newChallenge(ada))
      for (const field of ['id', 'publicKey', 'clientData', 'authenticatorData'] as const)
        for (const value of ['', 'a+b', 'a b', 'a=', 'A'.repeat(4097), null, 5])
          assert.deepEqual(await add(ada, { ...good, [field]: value }), invalid(field, 'must be base64url'))
      assert.deepEqual(await add(ada, { ...good, clientData: 'A'.repeat(4096) }), REJECTED)
    })

    test('a person has at most 20 passkeys', async () => {
      const ada = await person()
      for (let n = 0; n < 20; n++) await register(ada)
      const answer = await add(ada, new TestAuthenticator(ORIGIN).create(await newChallenge(ada)))
      const message = 'You already have 20 passkeys. Remove one first.'
      assert.deepEqual(answer, { ok: false, error: { code: 'conflict', message } })
      const [first] = await listed(ada)
      assert.equal((await remove(ada, first?.id)).ok, true)
      await register(ada)
    })

    test('without a session no passkey can be added, and no options for a new passkey are returned', async () => {
      const signedOut = { ok: false, error: { code: 'unauthorized', message: 'Sign in first.' } }
      const visitor = { ...(await person()), token: '' }
      const credential = new TestAuthenticator(ORIGIN).create('AAAA')
      assert.deepEqual(await add(visitor, credential), signedOut)
      assert.deepEqual(await ask('newPasskeyOptions', { session: '', origin: ORIGIN }), signedOut)
      assert.deepEqual(await ask('passkeys', { session: '' }), signedOut)
      assert.deepEqual(await remove(visitor, 'AAAA'), signedOut)
    })
  })

  describe('signing in', () => {
    test('the challenge of a passkey sign-in works once, and only within five minutes', async () => {
      const ada = await person()
      const { device } = await register(ada)
      const used = device.get(await challenge(), ada.user.id)
      const both = await Promise.all([signIn(used), signIn(used)])
      assert.deepEqual(
        both.filter(({ ok }) => !ok),
        [REJECTED],
      )
      const late = device.get(await challenge(), ada.user.id)
      mock.timers.tick(CHALLENGE_MS + 1)
      assert.deepEqual(await signIn(late), REJECTED)
    })

    test('a passkey does not sign in another person or a person who does not exist', async () => {
      const [ada, ben] = [await person(), await person()]
      const { device } = await register(ada)
      await register(ben)
      for (const id of [ben.user.id, `u_${'9'.repeat(26)}`, 'ada', `../${ada.user.id}`, `${ada.user.id} `])
        assert.deepEqual(await signIn(device.get(await challenge(), id)), REJECTED)
    })

    test('a person who is being erased does not sign in with a passkey', async () => {
      const ada = await person()
      const { device } = await register(ada)
      await directoryOf(objects, 'production').users('freeze', { id: ada.user.id })
      assert.deepEqual(await signIn(device.get(await challenge(), ada.user.id)), REJECTED)
    })

    test('a passkey works only on the host for which it was added', async () => {
      const ada = await person()
      const { device } = await register(ada)
      const elsewhere = 'https://www.example.test'
      const there = device.get(await challenge(), ada.user.id, {
        origin: elsewhere,
        rpId: 'www.example.test',
      })
      assert.deepEqual(await signIn(there, elsewhere), REJECTED)
    })

    test('a passkey with a counter that did not grow since the last sign-in counts as a copy and is rejected', async () => {
      const ada = await person()
      const { device } = await register(ada)
      const at = async (counter: number) =>
        (await signIn(device.get(await challenge(), ada.user.id, { counter }))).ok
      const seen: boolean[] = []
      for (const counter of [0, 0, 3, 3, 2, 0, 4, 2 ** 32 - 1]) seen.push(await at(counter))
      assert.deepEqual(seen, [true, true, true, false, false, false, true, true])
    })

    test('a passkey sign-in with a malformed field is rejected with an error that names it, and its challenge stays usable', async () => {
      const ada = await person()
      const { device } = await register(ada)
      const good = device.get(await challenge(), ada.user.id)
      for (const field of ['id', 'userHandle', 'clientData', 'authenticatorData', 'signature'] as const)
        for (const value of ['', 'a+b', 'A'.repeat(4097), null, ['AAAA']])
          assert.deepEqual(await signIn({ ...good, [field]: value }), invalid(field, 'must be base64url'))
      assert.equal((await signIn(good)).ok, true)
    })

    test('a request with a malformed origin gets no passkey options and cannot sign in with a passkey', async () => {
      const problem = invalid('origin', 'must be an origin')
      for (const origin of ['', 'app.example.test', `${ORIGIN}/`, 'file:///', 'javascript:1']) {
        assert.deepEqual(await ask('passkeyOptions', { origin, from: '' }), problem)
        assert.deepEqual(await signIn({}, origin), problem)
      }
    })

    test('while passkeys are switched off, people can list and remove their passkeys, but not add or use any', async () => {
      const ada = await person()
      await accountOf(ada.user.id).account('setPassword', { password: 'hash' })
      const { device, passkey } = await register(ada)
      const assertion = device.get(await challenge(), ada.user.id)
      env = {}
      const message = 'People sign in to this app in another way.'
      const off = { ok: false, error: { code: 'not_enabled', message } }
      assert.deepEqual(await signIn(assertion), off)
      assert.deepEqual(await ask('passkeyOptions', { origin: ORIGIN, from: '' }), off)
      assert.deepEqual(await ask('newPasskeyOptions', { session: ada.token, origin: ORIGIN }), off)
      assert.deepEqual(await add(ada, {}), off)
      assert.deepEqual(await listed(ada), [passkey])
      assert.deepEqual(await remove(ada, passkey.id), { ok: true, value: null })
    })
  })

  describe('removing', () => {
    const notFound = { ok: false, error: { code: 'not_found', message: 'There is no such passkey.' } }

    test('a removed passkey no longer signs the person in, and disappears from the list of people', async () => {
      const ada = await person()
      await accountOf(ada.user.id).account('setPassword', { password: 'hash' })
      const { device, passkey } = await register(ada)
      assert.deepEqual(await methodsInList(ada), ['password', 'passkey'])
      assert.deepEqual(await remove(ada, passkey.id), { ok: true, value: null })
      assert.deepEqual([await listed(ada), await methodsInList(ada)], [[], ['password']])
      assert.deepEqual(await signIn(device.get(await challenge(), ada.user.id)), REJECTED)
      assert.deepEqual(await remove(ada, passkey.id), notFound)
    })

    test('the passkey of another person is not removed', async () => {
      const [ada, ben] = [await person(), await person()]
      const { passkey } = await register(ada)
      await register(ben)
      assert.deepEqual(await remove(ben, passkey.id), notFound)
      assert.deepEqual(await listed(ada), [passkey])
    })

    test('the last passkey of a person who has no other way to sign in cannot be removed', async () => {
      const ada = await person()
      const [{ passkey }, { passkey: other }] = [await register(ada), await register(ada)]
      assert.deepEqual(await remove(ada, passkey.id), { ok: true, value: null })
      assert.deepEqual(await remove(ada, other.id), ONLY_WAY)
      env['AUTH_EMAIL_CODE'] = 'on'
      assert.deepEqual(await remove(ada, other.id), { ok: true, value: null })
    })

    test('two simultaneous removals leave one passkey to a person who has no other way to sign in', async () => {
      const ada = await person()
      const [{ passkey }, { passkey: other }] = [await register(ada), await register(ada)]
      const answers = await Promise.all([remove(ada, passkey.id), remove(ada, other.id)])
      assert.deepEqual(answers, [{ ok: true, value: null }, ONLY_WAY])
      assert.deepEqual(await listed(ada), [other])
    })

    test('a password or a linked provider that the operator has switched off does not count as another way to sign in', async () => {
      const ada = await person()
      const { passkey } = await register(ada)
      await accountOf(ada.user.id).account('setPassword', { password: 'hash' })
      await accountOf(ada.user.id).account('link', { provider: 'google', subject: '7' })
      env['AUTH_PASSWORD'] = 'off'
      assert.deepEqual(await remove(ada, passkey.id), ONLY_WAY)
      env['AUTH_PROVIDER_GOOGLE'] = JSON.stringify({ id: 'google', title: 'Google', clientId: 'app' })
      assert.deepEqual(await remove(ada, passkey.id), ONLY_WAY)
      env['AUTH_GOOGLE_SECRET'] = 'secret'
      assert.deepEqual(await remove(ada, passkey.id), { ok: true, value: null })
    })

    test('while the app is being moved to another cloud account, no passkey can be added, removed or used to sign in', async () => {
      const ada = await person()
      const { device, passkey } = await register(ada)
      const credential = device.create(await newChallenge(ada))
      const assertion = device.get(await challenge(), ada.user.id)
      objects.hold('dir', true)
      const message = 'The app is being moved and accepts no changes right now. Try again in a few minutes.'
      const held = { ok: false, error: { code: 'unavailable', message } }
      assert.deepEqual(await add(ada, credential), held)
      assert.deepEqual(await signIn(assertion), held)
      assert.deepEqual(await remove(ada, passkey.id), held)
      objects.hold('dir', false)
      assert.equal((await signIn(assertion)).ok, true)
    })
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type RunningApp, startApp } from '../../testing/bundle.ts'
import {
  type AssertionForgery,
  TestAuthenticator,
} from '@slipway/runtime/auth/sign-in/authenticator.test.fixture.ts'
import { type AppResponse, Browser, type Me, MEMBERS_TREE, signInOverPlanted } from '../../testing/browser.ts'

const VARIABLES = { AUTH_EMAIL_CODE: 'on', AUTH_PASSKEY: 'on', AUTH_CODE_KEY: 'a key of this app' }

const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

/** The app runs as a preview, which shows messages instead of sending them. */
describe('ways to sign in', () => {
  let app: RunningApp
  const browser = () => new Browser(app)
  before(async () => {
    app = await startApp(MEMBERS_TREE, {
      enabled: ['auth', 'data'],
      tier: 'preview',
      variables: VARIABLES,
    })
  })
  after(() => app.stop())

  test('signing in with a password starts a new session instead of using a session that an attacker planted', async () => {
    await browser().signUp('fixed-password')
    const me = await signInOverPlanted(app, 'fixer-password', (victim) => victim.signIn('fixed-password'))
    assert.equal(me?.email, 'fixed-password@example.test')
  })

  describe('by a code', () => {
    test('a sign-in code creates or opens an account, works once, and verifies the address', async () => {
      const ada = browser()
      const code = await ada.code('ADA@example.test')
      assert.equal((await ada.confirm('ada@example.test', otherThan(code))).error?.code, 'unauthorized')
      const { data, error } = await ada.confirm('ada@example.test', `${code.slice(0, 3)} ${code.slice(3)}`)
      assert.equal(error, undefined)
      const { id, emailVerified } = (data as { user: Me }).user
      assert.equal(emailVerified, true)
      assert.equal((await browser().confirm('ada@example.test', code)).error?.code, 'unauthorized')
      const again = browser()
      await again.confirm('ada@example.test', await again.code('ada@example.test'))
      assert.equal((await again.me())?.id, id)
    })

    test('a sign-in code expires after five wrong guesses, and further guesses are rate-limited for known and unknown addresses', async () => {
      await browser().signUp('guessed')
      for (const email of ['guessed@example.test', 'unknown@example.test']) {
        const eve = browser()
        const code = await eve.code(email)
        for (let n = 0; n < 5; n++)
          assert.equal((await eve.confirm(email, otherThan(code))).error?.code, 'unauthorized')
        const last = await eve.confirm(email, code)
        assert.notEqual(last.error, undefined, email)
        const more = await Promise.all([1, 2, 3].map(() => eve.confirm(email, otherThan(code))))
        assert.ok(more.some((one) => one.error?.code === 'rate_limited'))
      }
    })

    test('a newer sign-in code replaces the previous one, and a code for one address opens no other account', async () => {
      const bob = browser()
      const old = await bob.code('bob@example.test')
      const code = await bob.code('bob@example.test')
      if (old !== code) assert.notEqual((await bob.confirm('bob@example.test', old)).error, undefined)
      assert.notEqual((await browser().confirm('bert@example.test', code)).error, undefined)
      assert.equal((await bob.confirm('bob@example.test', code)).error, undefined)
    })

    test('the first five sign-in codes for one e-mail address are sent, and then a rate limit refuses more', async () => {
      const codes: string[] = []
      for (let n = 0; n < 7; n++) {
        const { error } = await browser().call('POST', '/_app/auth/code', { email: 'flood@example.test' })
        codes.push(error?.code ?? 'sent')
      }
      assert.ok(codes.includes('rate_limited'), codes.join())
      assert.deepEqual(codes.slice(0, 5), Array(5).fill('sent'))
    })

    test("an account with another person's e-mail address is lost once the address's owner verifies it", async () => {
      const mallory = browser()
      await mallory.signUp('victim')
      const victim = browser()
      await victim.confirm('victim@example.test', await victim.code('victim@example.test'))
      assert.equal((await victim.me())?.emailVerified, true)
      assert.equal(await mallory.me(), null)
      assert.equal((await browser().signIn('victim')).error?.code, 'unauthorized')
    })

    test('signing in with a code starts a new session instead of using a session that an attacker planted', async () => {
      const email = 'fixed@example.test'
      const me = await signInOverPlanted(app, 'fixer', async (victim) =>
        victim.confirm(email, await victim.code(email)),
      )
      assert.equal(me?.email, email)
    })
  })

  test("confirming an e-mail address keeps the account's password, and a confirmation code works only for its recipient", async () => {
    const [cat, dan] = [browser(), browser()]
    await cat.signUp('cat')
    await dan.signUp('dan')
    const code = /\d{6}/.exec(await cat.mail('verify', {}))?.[0] ?? ''
    const confirm = (who: Browser) => who.call('POST', '/_app/auth/verify/confirm', { code })
    assert.equal((await confirm(dan)).error?.field, 'code')
    assert.equal((await browser().confirm('cat@example.test', code)).error?.code, 'unauthorized')
    assert.equal(((await confirm(cat)).data as Me).emailVerified, true)
    assert.equal((await confirm(cat)).error?.field, 'code')
    assert.equal((await browser().signIn('cat')).error, undefined)
    assert.equal((await browser().call('POST', '/_app/auth/verify', {})).error?.code, 'unauthorized')
  })

  describe('by resetting the password', () => {
    test('a password reset link works once, ends all sessions, invalidates older links and points to this app', async () => {
      const eva = browser()
      await eva.signUp('eva')
      const other = browser()
      const reset = { email: 'eva@example.test' }
      const tokenIn = (text: string) => /#([0-9a-f]{64})/.exec(text)?.[1] ?? ''
      const older = tokenIn(await other.mail('reset', reset))
      const text = await other.mail('reset', reset)
      assert.ok(text.includes(`${app.url.origin}/reset-password#`), text)
      const set = (token: string, password: string) =>
        other.call('POST', '/_app/auth/reset/confirm', { token, password })
      assert.equal((await set(tokenIn(text), 'short')).error?.field, 'password')
      assert.equal((await set('0'.repeat(64), 'eva likes pears')).error?.code, 'unauthorized')
      assert.equal((await set(tokenIn(text), 'eva likes pears')).error, undefined)
      for (const used of [tokenIn(text), older])
        assert.equal((await set(used, 'eva likes plums')).error?.code, 'unauthorized')
      assert.equal(await eva.me(), null)
      assert.equal((await browser().signIn('eva')).error?.code, 'unauthorized')
      assert.equal((await other.signIn('eva', 'eva likes pears')).error, undefined)
    })

    test('twenty wrong password reset tokens in a minute block the sending network but no other network', async () => {
      await browser().signUp('floods')
      const owner = browser()
      const text = await owner.mail('reset', { email: 'floods@example.test' })
      const token = /#([0-9a-f]{64})/.exec(text)?.[1] ?? ''
      const eve = browser()
      const set = (who: Browser, guess: string) =>
        who.call('POST', '/_app/auth/reset/confirm', { token: guess, password: 'eve likes pears' })
      const guesses = Array.from({ length: 25 }, (_, n) => set(eve, String(n).padStart(64, '0')))
      const codes = (await Promise.all(guesses)).map(({ error }) => error?.code)
      const count = (code: string) => codes.filter((one) => one === code).length
      assert.deepEqual([count('unauthorized'), count('rate_limited')], [20, 5], codes.join())
      // The rate limit applies before the token is checked, so refused requests do not use up the token.
      assert.equal((await set(eve, token)).error?.code, 'rate_limited')
      assert.equal((await set(owner, token)).error, undefined)
    })

    test('a password reset request for an unknown address gets the same response as for a known address but sends no mail', async () => {
      assert.equal(await browser().mail('reset', { email: 'nowhere@example.test' }), '')
    })
  })

  describe('by a passkey', () => {
    async function withPasskey(name: string, kind?: 'ES256' | 'EdDSA' | 'RS256') {
      const person = browser()
      const { id } = await person.signUp(name)
      const device = new TestAuthenticator(app.url.origin, kind)
      const added = await add(person, device)
      assert.equal(added.error, undefined)
      return { person, id, device }
    }
    async function add(
      person: Browser,
      device: TestAuthenticator,
      forgery?: AssertionForgery,
    ): Promise<AppResponse> {
      const { data } = await person.call('POST', '/_app/auth/passkeys/options', {})
      const credential = device.create((data as { challenge: string }).challenge, forgery)
      return person.call('POST', '/_app/auth/passkeys', { name: 'Laptop', credential })
    }
    const challenge = async (who: Browser) =>
      ((await who.call('POST', '/_app/auth/passkey/options', {})).data as { challenge: string }).challenge
    const send = (who: Browser, credential: object) =>
      who.call('POST', '/_app/auth/passkey/verify', { credential })

    for (const kind of ['ES256', 'EdDSA', 'RS256'] as const)
      test(`a passkey with the signature algorithm ${kind} signs in`, async () => {
        const { id, device } = await withPasskey(kind.toLowerCase(), kind)
        const visitor = browser()
        const { error } = await send(visitor, device.get(await challenge(visitor), id))
        assert.equal(error, undefined)
        assert.equal((await visitor.me())?.id, id)
      })

    test('signing in with a passkey starts a new session instead of using a session that an attacker planted', async () => {
      const { id, device } = await withPasskey('fixed-passkey')
      const me = await signInOverPlanted(app, 'fixer-passkey', async (victim) =>
        send(victim, device.get(await challenge(victim), id)),
      )
      assert.equal(me?.id, id)
    })

    test('a passkey that is replayed, made for another site, unverified, cloned or forged is refused, always with the same error', async () => {
      const { id, device } = await withPasskey('keys')
      const other = await withPasskey('other')
      const visitor = browser()
      device.counter = 5
      const used = device.get(await challenge(visitor), id)
      assert.equal((await send(visitor, used)).error, undefined)
      const mallory = browser()
      const forgeries: AssertionForgery[] = [
        { origin: 'https://evil.example.test' },
        { origin: `${app.url.origin}.evil.test` },
        { rpId: 'evil.example.test' },
        { type: 'webauthn.create' },
        { flags: 0x01 },
        { flags: 0x04 },
        { counter: 5 },
        { counter: 4 },
        { crossOrigin: true },
      ]
      device.counter = 6
      const tries = [used, device.get('bWFkZSB1cA', id)]
      for (const forgery of forgeries) tries.push(device.get(await challenge(mallory), id, forgery))
      mallory.move()
      tries.push(
        device.get(await challenge(mallory), other.id),
        device.get(await challenge(mallory), `u_${'9'.repeat(26)}`),
        { ...device.get(await challenge(mallory), id), id: 'AAAA' },
        { ...device.get(await challenge(mallory), id), signature: 'AAAA' },
        { ...other.device.get(await challenge(mallory), id), id: device.id.toString('base64url') },
      )
      for (const [n, credential] of tries.entries()) {
        const { error } = await send(mallory, credential)
        assert.deepEqual(
          [error?.code, error?.message],
          ['unauthorized', 'This passkey was not accepted.'],
          `${n}`,
        )
        mallory.move()
      }
      assert.equal(await mallory.me(), null)
      assert.equal((await send(browser(), { id: 7 })).error?.code, 'invalid_request')
    })

    test('a passkey challenge registers one passkey, and only for the person to whom it was issued', async () => {
      const [ida, jan] = [browser(), browser()]
      await ida.signUp('ida')
      await jan.signUp('jan')
      const device = new TestAuthenticator(app.url.origin)
      const { data } = await ida.call('POST', '/_app/auth/passkeys/options', {})
      const credential = device.create((data as { challenge: string }).challenge)
      const save = (who: Browser) => who.call('POST', '/_app/auth/passkeys', { name: 'Key', credential })
      assert.equal((await save(jan)).error?.code, 'unauthorized')
      assert.equal((await save(ida)).error, undefined)
      assert.equal((await save(ida)).error?.code, 'unauthorized')
      for (const forgery of [
        { origin: 'https://evil.test' },
        { rpId: 'evil.test' },
        { flags: 0x41 },
        { type: 'webauthn.get' },
      ])
        assert.equal(
          (await add(ida, new TestAuthenticator(app.url.origin), forgery)).error?.code,
          'unauthorized',
        )
      // A challenge for signing in must not create a passkey.
      const wrong = new TestAuthenticator(app.url.origin).create(await challenge(ida))
      const refused = await ida.call('POST', '/_app/auth/passkeys', { name: 'Key', credential: wrong })
      assert.equal(refused.error?.code, 'unauthorized')
    })

    test('people list and remove their own passkeys, and a removed passkey no longer signs in', async () => {
      const { person, id, device } = await withPasskey('kay')
      const { data } = await person.call('GET', '/_app/auth/passkeys')
      const [{ id: keyId, name } = { id: '', name: '' }] = data as { id: string; name: string }[]
      assert.deepEqual([keyId, name], [device.id.toString('base64url'), 'Laptop'])
      const stranger = browser()
      await stranger.signUp('lou')
      assert.equal((await stranger.call('DELETE', `/_app/auth/passkeys/${keyId}`)).status, 404)
      assert.equal((await person.call('DELETE', `/_app/auth/passkeys/${keyId}`)).status, 200)
      const visitor = browser()
      assert.equal(
        (await send(visitor, device.get(await challenge(visitor), id))).error?.code,
        'unauthorized',
      )
      assert.equal((await browser().call('GET', '/_app/auth/passkeys')).error?.code, 'unauthorized')
    })
  })
})

describe('sign-in methods of a served app', () => {
  const variables: Record<string, string> = {
    AUTH_PASSWORD: 'off',
    AUTH_EMAIL_CODE: 'on',
    AUTH_OPEN_SIGNUP: 'off',
  }
  let app: RunningApp
  before(async () => {
    app = await startApp(MEMBERS_TREE, { enabled: ['auth', 'data'], variables })
  })
  after(() => app.stop())

  test('the response to a sign-in code request does not contain the code, and a disabled sign-in method returns not_enabled', async () => {
    const visitor = new Browser(app)
    const { data, preview } = await visitor.call('POST', '/_app/auth/code', { email: 'ada@example.test' })
    assert.deepEqual([data, preview], [{ sent: true }, undefined])
    const off = {
      'sign-up': {},
      'sign-up/code': {},
      'sign-in': {},
      reset: {},
      'passkey/options': {},
      'passkey/verify': { credential: {} },
    }
    for (const [path, body] of Object.entries(off))
      assert.equal((await visitor.call('POST', `/_app/auth/${path}`, body)).error?.code, 'not_enabled', path)
  })

  test('when addresses must be confirmed before sign-up, a taken address gets the same response as a free address', async () => {
    Object.assign(variables, { AUTH_PASSWORD: 'on', AUTH_OPEN_SIGNUP: 'on', AUTH_CONFIRM_ADDRESS: 'on' })
    await app.ship(MEMBERS_TREE)
    const newest = async () =>
      (await app.operate<{ to: string; text: string }[]>('outbox', 'production', 1))[0]
    const visitor = new Browser(app)
    const account = (name: string) => ({
      email: `${name}@example.test`,
      password: `${name} likes apples`,
      name,
    })
    const answerOf = async (path: string, body: object) => {
      const answer = await visitor.fetch('POST', `/_app/auth/${path}`, body)
      const headers = [...answer.headers].filter(([name]) => name !== 'date')
      return { status: answer.status, headers, text: await answer.text() }
    }
    const first = await answerOf('sign-up/code', account('known'))
    const code = /\d{6}/.exec((await newest())?.text ?? '')?.[0]
    const made = await visitor.call('POST', '/_app/auth/sign-up', { ...account('known'), code })
    assert.deepEqual([made.status, (await visitor.me())?.emailVerified], [200, true])
    visitor.cookies.clear()

    const again = await answerOf('sign-up/code', account('known'))
    const told = await newest()
    assert.deepEqual(again, first)
    assert.equal(first.text, '{"ok":true,"data":{"sent":true}}')
    assert.equal(told?.to, 'known@example.test')
    assert.match(told.text, /already has an account/)
    for (const wrong of [{}, { code: '12' }]) {
      const known = await answerOf('sign-up', { ...account('known'), ...wrong })
      assert.deepEqual(known, await answerOf('sign-up', { ...account('unknown'), ...wrong }))
      assert.equal(known.status, 401)
    }
    assert.equal((await visitor.signIn('known')).error, undefined)
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type RunningApp, startApp } from '../testing/bundle.ts'
import { type Lie, TestAuthenticator } from '../testing/authenticator.ts'
import { type Answer, Browser, type Me } from '../testing/browser.ts'
import { TestProvider } from '../testing/oauth-provider.ts'
import { starterTree } from '../source/tree.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Members',
  uses: ['auth', 'data'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
}
const HOME = `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`
const TREE = new Map([
  ...starterTree('Members'),
  ['app.json', JSON.stringify(MANIFEST)],
  ['web/pages/Home.tsx', HOME],
])

const provider = new TestProvider()
const providerOf = (id: string, scopes: string[]) =>
  JSON.stringify({ id, title: id, clientId: provider.client.id, scopes, ...provider.addresses })
const VARIABLES = {
  AUTH_EMAIL_CODE: 'on',
  AUTH_PASSKEY: 'on',
  AUTH_CODE_KEY: 'a key of this app',
  AUTH_REDIRECT_URIS: JSON.stringify(['https://shop.example.test/welcome']),
  AUTH_PROVIDER_CLUB: providerOf('club', ['openid', 'email']),
  AUTH_CLUB_SECRET: provider.client.secret,
  AUTH_PROVIDER_PLAIN: providerOf('plain', []),
  AUTH_PLAIN_SECRET: provider.client.secret,
  AUTH_PROVIDER_GOOGLE: providerOf('google', ['openid', 'email']),
  AUTH_GOOGLE_SECRET: provider.client.secret,
  AUTH_PROVIDER_MICROSOFT: providerOf('microsoft', ['openid', 'email']),
  AUTH_MICROSOFT_SECRET: provider.client.secret,
  AUTH_PROVIDER_MUTE: providerOf('mute', []),
}

const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

/** In the preview, where messages are shown instead of sent. */
describe('ways to sign in', () => {
  let app: RunningApp
  const browser = () => new Browser(app)
  before(async () => {
    app = await startApp(TREE, {
      enabled: ['auth', 'data'],
      tier: 'preview',
      variables: VARIABLES,
      outbound: (request) => provider.answer(request),
    })
  })
  after(() => app.stop())

  /** Signs in where a stranger has planted their own session: another one begins, and the stranger's stays theirs. */
  async function signInOverPlanted(stranger: string, signIn: (victim: Browser) => Promise<unknown>) {
    const [mallory, victim] = [browser(), browser()]
    const { id } = await mallory.signUp(stranger)
    const planted = mallory.cookies.get('app_session') ?? ''
    victim.cookies.set('app_session', planted)
    await signIn(victim)
    const own = victim.cookies.get('app_session')
    assert.ok(own !== undefined && own !== planted)
    assert.equal((await mallory.me())?.id, id)
    const me = await victim.me()
    assert.notEqual(me?.id, id)
    return me
  }

  test('a session that was planted before signing in with a password is not taken over', async () => {
    await browser().signUp('fixed-password')
    const me = await signInOverPlanted('fixer-password', (victim) => victim.signIn('fixed-password'))
    assert.equal(me?.email, 'fixed-password@example.test')
  })

  test('a page learns which ways are on; a provider without its secret is none', async () => {
    const { data } = await browser().call('GET', '/_app/auth/settings')
    const oauth = [
      { id: 'club', title: 'club' },
      { id: 'google', title: 'google' },
      { id: 'microsoft', title: 'microsoft' },
      { id: 'plain', title: 'plain' },
    ]
    assert.deepEqual(data, {
      openSignup: true,
      passwordMin: 10,
      confirmAddress: false,
      methods: { password: true, emailCode: true, passkey: true, oauth },
    })
  })

  describe('by a code', () => {
    test('a code makes an account or opens it, holds once, and proves the address', async () => {
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

    test('a code ends after five wrong guesses, and guessing on is slowed down, known address or not', async () => {
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

    test('a newer code replaces the one before, and a code of one address opens no other', async () => {
      const bob = browser()
      const old = await bob.code('bob@example.test')
      const code = await bob.code('bob@example.test')
      if (old !== code) assert.notEqual((await bob.confirm('bob@example.test', old)).error, undefined)
      assert.notEqual((await browser().confirm('bert@example.test', code)).error, undefined)
      assert.equal((await bob.confirm('bob@example.test', code)).error, undefined)
    })

    test('many messages to one address are slowed down', async () => {
      const codes: string[] = []
      for (let n = 0; n < 7; n++) {
        const { error } = await browser().call('POST', '/_app/auth/code', { email: 'flood@example.test' })
        codes.push(error?.code ?? 'sent')
      }
      assert.ok(codes.includes('rate_limited'), codes.join())
      assert.deepEqual(codes.slice(0, 5), Array(5).fill('sent'))
    })

    test('whoever made an account for an address they cannot read is out once its owner proves it', async () => {
      const mallory = browser()
      await mallory.signUp('victim')
      const victim = browser()
      await victim.confirm('victim@example.test', await victim.code('victim@example.test'))
      assert.equal((await victim.me())?.emailVerified, true)
      assert.equal(await mallory.me(), null)
      assert.equal((await browser().signIn('victim')).error?.code, 'unauthorized')
    })

    test('a session that was planted before signing in with a code is not taken over', async () => {
      const email = 'fixed@example.test'
      const me = await signInOverPlanted('fixer', async (victim) =>
        victim.confirm(email, await victim.code(email)),
      )
      assert.equal(me?.email, email)
    })
  })

  test('a person proves the address and keeps the password; the code of another person proves nothing', async () => {
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

  describe('by a new password', () => {
    test('a link sets it once, ends every session and older links, and leads to this app', async () => {
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

    test('one network that guesses tokens of links is stopped after twenty guesses a minute, and no other network is', async () => {
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
      // The right token is not even looked at, so the flood does not use it up either.
      assert.equal((await set(eve, token)).error?.code, 'rate_limited')
      assert.equal((await set(owner, token)).error, undefined)
    })

    test('an unknown address gets the same answer and no message', async () => {
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
    async function add(person: Browser, device: TestAuthenticator, lie?: Lie): Promise<Answer> {
      const { data } = await person.call('POST', '/_app/auth/passkeys/options', {})
      const credential = device.create((data as { challenge: string }).challenge, lie)
      return person.call('POST', '/_app/auth/passkeys', { name: 'Laptop', credential })
    }
    const challenge = async (who: Browser) =>
      ((await who.call('POST', '/_app/auth/passkey/options', {})).data as { challenge: string }).challenge
    const send = (who: Browser, credential: object) =>
      who.call('POST', '/_app/auth/passkey/verify', { credential })

    for (const kind of ['ES256', 'EdDSA', 'RS256'] as const)
      test(`a passkey of the kind ${kind} signs in`, async () => {
        const { id, device } = await withPasskey(kind.toLowerCase(), kind)
        const visitor = browser()
        const { error } = await send(visitor, device.get(await challenge(visitor), id))
        assert.equal(error, undefined)
        assert.equal((await visitor.me())?.id, id)
      })

    test('a session that was planted before signing in with a passkey is not taken over', async () => {
      const { id, device } = await withPasskey('fixed-passkey')
      const me = await signInOverPlanted('fixer-passkey', async (victim) =>
        send(victim, device.get(await challenge(victim), id)),
      )
      assert.equal(me?.id, id)
    })

    test('a replayed, foreign, unverified, copied or made-up one is refused, always alike', async () => {
      const { id, device } = await withPasskey('keys')
      const other = await withPasskey('other')
      const visitor = browser()
      device.counter = 5
      const used = device.get(await challenge(visitor), id)
      assert.equal((await send(visitor, used)).error, undefined)
      const mallory = browser()
      const lies: Lie[] = [
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
      for (const lie of lies) tries.push(device.get(await challenge(mallory), id, lie))
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

    test('a challenge makes a passkey once, and only for the person it was made for', async () => {
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
      for (const lie of [
        { origin: 'https://evil.test' },
        { rpId: 'evil.test' },
        { flags: 0x41 },
        { type: 'webauthn.get' },
      ])
        assert.equal((await add(ida, new TestAuthenticator(app.url.origin), lie)).error?.code, 'unauthorized')
      // A challenge to sign in makes none.
      const wrong = new TestAuthenticator(app.url.origin).create(await challenge(ida))
      const refused = await ida.call('POST', '/_app/auth/passkeys', { name: 'Key', credential: wrong })
      assert.equal(refused.error?.code, 'unauthorized')
    })

    test('people see and remove their own, and a removed one signs nobody in', async () => {
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

  describe('by a provider', () => {
    const accountOf = (name: string, isVerified = true) => ({
      sub: `sub-${name}`,
      email: `${name}@example.test`,
      email_verified: isVerified,
      name,
    })
    async function start(who: Browser, { id = 'club', returnTo = '/' } = {}): Promise<string> {
      const query = new URLSearchParams({ returnTo })
      const answer = await who.fetch('GET', `/_app/auth/oauth/${id}/start?${query.toString()}`)
      assert.equal(answer.status, 302)
      return answer.headers.get('location') ?? ''
    }
    async function finish(who: Browser, back: string): Promise<string> {
      const { pathname, search } = new URL(back)
      const answer = await who.fetch('GET', pathname + search)
      assert.equal(answer.status, 302)
      return (answer.headers.get('location') ?? '').replace(app.url.origin, '')
    }
    const whole = async (
      who: Browser,
      account: ReturnType<typeof accountOf>,
      about?: { id?: string; returnTo?: string },
    ) => finish(who, provider.authorize(await start(who, about), account))

    test('a new person gets an account, comes back to the page, and to the same account later', async () => {
      for (const id of ['club', 'plain']) {
        const mia = browser()
        assert.equal(
          await whole(mia, accountOf(`mia-${id}`), { id, returnTo: '/lists?open=1' }),
          '/lists?open=1',
        )
        const me = await mia.me()
        assert.deepEqual([me?.email, me?.emailVerified], [`mia-${id}@example.test`, true])
        const again = browser()
        await whole(again, { ...accountOf(`mia-${id}`), email: 'renamed@example.test' }, { id })
        assert.equal((await again.me())?.id, me?.id)
      }
    })

    test('it comes back to pages of the app and listed addresses only', async () => {
      const home = ['//evil.test', 'https://evil.test', '/\\\\evil.test', 'javascript:alert(1)', '']
      for (const [n, returnTo] of home.entries())
        assert.equal(await whole(browser(), accountOf(`back${n}`), { returnTo }), '/', returnTo)
      const listed = 'https://shop.example.test/welcome'
      assert.equal(await whole(browser(), accountOf('backlisted'), { returnTo: listed }), listed)
    })

    test('an account of that address is linked only when both sides have verified it', async () => {
      const nora = browser()
      const { id } = await nora.signUp('nora')
      const visitor = browser()
      assert.equal(await whole(visitor, accountOf('nora')), '/sign-in?problem=taken')
      assert.equal(await visitor.me(), null)
      const code = /\d{6}/.exec(await nora.mail('verify', {}))?.[0] ?? ''
      await nora.call('POST', '/_app/auth/verify/confirm', { code })
      assert.equal(await whole(visitor, accountOf('nora', false)), '/sign-in?problem=taken')
      assert.equal(await whole(visitor, accountOf('nora')), '/')
      assert.equal((await visitor.me())?.id, id)
      assert.equal((await nora.me())?.id, id)
    })

    test('an account that was made with an unverified address falls to who proves the address', async () => {
      const mallory = browser()
      await whole(mallory, accountOf('owned', false))
      assert.equal((await mallory.me())?.emailVerified, false)
      const owner = browser()
      await owner.confirm('owned@example.test', await owner.code('owned@example.test'))
      assert.equal(await mallory.me(), null)
      assert.equal(await whole(mallory, accountOf('owned', false)), '/sign-in?problem=taken')
    })

    test('a state of another browser, a used or made-up one, and one of another provider sign nobody in', async () => {
      const [mallory, victim] = [browser(), browser()]
      const planted = provider.authorize(await start(mallory), accountOf('mallory'))
      assert.equal(await finish(victim, planted), '/sign-in?problem=expired')
      await start(victim)
      assert.equal(
        await finish(victim, provider.authorize(await start(mallory), accountOf('mal'))),
        '/sign-in?problem=expired',
      )
      const own = provider.authorize(await start(victim), accountOf('victor'))
      const mixed = own.replace('/oauth/club/', '/oauth/plain/')
      assert.equal(await finish(victim, mixed), '/sign-in?problem=expired')
      const madeUp = own.replace(/state=[^&]*/, `state=${'0'.repeat(64)}`)
      assert.equal(await finish(victim, madeUp), '/sign-in?problem=expired')
      const right = provider.authorize(await start(victim), accountOf('victor'))
      const ticket = victim.cookies.get('app_oauth') ?? ''
      assert.equal(await finish(victim, right), '/')
      victim.cookies.set('app_oauth', ticket)
      assert.equal(await finish(victim, right), '/sign-in?problem=expired')
    })

    test('a session that was planted before signing in with a provider is not taken over', async () => {
      const me = await signInOverPlanted('fixer-provider', (victim) => whole(victim, accountOf('fixed-club')))
      assert.equal(me?.email, 'fixed-club@example.test')
    })

    test('the code of another browser, injected with an own valid state, signs nobody in', async () => {
      for (const id of ['club', 'plain']) {
        const [mallory, victim] = [browser(), browser()]
        // The victim's code was stolen before the app redeemed it.
        const stolen = new URL(provider.authorize(await start(victim, { id }), accountOf(`stolen-${id}`)))
        const own = new URL(provider.authorize(await start(mallory, { id }), accountOf(`thief-${id}`)))
        own.searchParams.set('code', stolen.searchParams.get('code') ?? '')
        assert.equal(await finish(mallory, own.href), '/sign-in?problem=failed', id)
        assert.equal(await mallory.me(), null)
      }
    })

    test('an id token of another issuer, or of none, signs nobody in at Google and at Microsoft', async () => {
      const google = 'https://accounts.google.com'
      const microsoft = (tenant: string) => `https://login.microsoftonline.com/${tenant}/v2.0`
      const issuers = {
        google: {
          right: google,
          wrong: [undefined, null, '', provider.issuer, `${google}/`, `${google}.evil.test`, [google]],
        },
        microsoft: {
          right: microsoft('9188040d-6c67-4c5b-b112-36a304b66dad'),
          wrong: [
            undefined,
            google,
            microsoft(''),
            microsoft('a/b'),
            microsoft('*'),
            microsoft('x.evil.test#'),
          ],
        },
      }
      try {
        for (const [id, { right, wrong }] of Object.entries(issuers)) {
          for (const iss of wrong) {
            provider.forge = { iss }
            const visitor = browser()
            const back = await whole(visitor, accountOf(`issued-${id}`), { id })
            assert.equal(back, '/sign-in?problem=failed', `${id} ${JSON.stringify(iss)}`)
            assert.equal(await visitor.me(), null)
          }
          provider.forge = { iss: right }
          assert.equal(await whole(browser(), accountOf(`issued-${id}`), { id }), '/', id)
        }
      } finally {
        provider.forge = {}
      }
    })

    test('an id token of another sign-in or app, a stale one, and one without nonce, app or end signs nobody in', async () => {
      const forged = [
        { nonce: 'other' },
        { nonce: undefined },
        { nonce: null },
        { aud: undefined },
        { exp: undefined },
        { sub: undefined },
        { aud: 'other' },
        { aud: [provider.client.id, 'x'] },
        { exp: 1 },
        { sub: 'other' },
      ]
      for (const forge of forged) {
        provider.forge = forge
        const visitor = browser()
        assert.equal(
          await whole(visitor, accountOf('forged')),
          '/sign-in?problem=failed',
          JSON.stringify(forge),
        )
        assert.equal(await visitor.me(), null)
      }
      provider.forge = {}
    })

    test('a person who stops at the provider is told so, and an unknown provider leads nowhere', async () => {
      const visitor = browser()
      const state = new URL(await start(visitor)).searchParams.get('state') ?? ''
      const back = `${app.url.origin}/_app/auth/oauth/club/callback?error=access_denied&state=${state}`
      assert.equal(await finish(visitor, back), '/sign-in?problem=cancelled')
      for (const id of ['mute', 'nobody', 'constructor']) {
        const answer = await visitor.fetch('GET', `/_app/auth/oauth/${id}/start`)
        assert.equal(answer.headers.get('location'), '/sign-in?problem=failed', id)
      }
    })

    test('the secret goes to the provider only', () => {
      assert.ok(provider.received.some((body) => body.includes(provider.client.secret)))
    })
  })
})

describe('ways to sign in of a served app', () => {
  const variables: Record<string, string> = {
    AUTH_PASSWORD: 'off',
    AUTH_EMAIL_CODE: 'on',
    AUTH_OPEN_SIGNUP: 'off',
  }
  let app: RunningApp
  before(async () => {
    app = await startApp(TREE, { enabled: ['auth', 'data'], variables })
  })
  after(() => app.stop())

  test('no answer shows a message, and what is off is refused by name', async () => {
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

  test('where addresses are confirmed first, a sign-up with an address that has an account looks like any other, and its owner is told', async () => {
    Object.assign(variables, { AUTH_PASSWORD: 'on', AUTH_OPEN_SIGNUP: 'on', AUTH_CONFIRM_ADDRESS: 'on' })
    await app.ship(TREE)
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
    assert.match(told.text, /has an account already/)
    for (const wrong of [{}, { code: '12' }]) {
      const known = await answerOf('sign-up', { ...account('known'), ...wrong })
      assert.deepEqual(known, await answerOf('sign-up', { ...account('unknown'), ...wrong }))
      assert.equal(known.status, 401)
    }
    assert.equal((await visitor.signIn('known')).error, undefined)
  })
})

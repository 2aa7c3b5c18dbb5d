import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type RunningApp, startApp } from '../../testing/bundle.ts'
import { Browser, MEMBERS_TREE, signInOverPlanted } from '../../testing/browser.ts'
import { TestProvider } from '../../testing/oauth-provider.ts'

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

describe('signing in with an OAuth provider', () => {
  let app: RunningApp
  const browser = () => new Browser(app)
  before(async () => {
    app = await startApp(MEMBERS_TREE, {
      enabled: ['auth', 'data'],
      tier: 'preview',
      variables: VARIABLES,
      outbound: (request) => provider.answer(request),
    })
  })
  after(() => app.stop())

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

  test('a page can list the enabled sign-in methods, without OAuth providers that have no client secret', async () => {
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

  test('the first sign-in with an OAuth provider creates an account and returns to the page, and later sign-ins open the same account', async () => {
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

  test('after an OAuth sign-in a person is redirected only to pages of the app and to allowed addresses', async () => {
    const home = ['//evil.test', 'https://evil.test', '/\\\\evil.test', 'javascript:alert(1)', '']
    for (const [n, returnTo] of home.entries())
      assert.equal(await whole(browser(), accountOf(`back${n}`), { returnTo }), '/', returnTo)
    const listed = 'https://shop.example.test/welcome'
    assert.equal(await whole(browser(), accountOf('backlisted'), { returnTo: listed }), listed)
  })

  test('a provider account is linked to an app account only if the provider and the app have both verified the same address', async () => {
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

  test('an OAuth account with an unverified address is lost once another person verifies that address', async () => {
    const mallory = browser()
    await whole(mallory, accountOf('owned', false))
    assert.equal((await mallory.me())?.emailVerified, false)
    const owner = browser()
    await owner.confirm('owned@example.test', await owner.code('owned@example.test'))
    assert.equal(await mallory.me(), null)
    assert.equal(await whole(mallory, accountOf('owned', false)), '/sign-in?problem=taken')
  })

  test('an OAuth callback is refused when its state belongs to another browser or provider, was used before or is forged', async () => {
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

  test('signing in with an OAuth provider starts a new session instead of using a session that an attacker planted', async () => {
    const me = await signInOverPlanted(app, 'fixer-provider', (victim) =>
      whole(victim, accountOf('fixed-club')),
    )
    assert.equal(me?.email, 'fixed-club@example.test')
  })

  test('an OAuth callback with an authorization code that was issued to another browser is refused, even with a valid state', async () => {
    for (const id of ['club', 'plain']) {
      const [mallory, victim] = [browser(), browser()]
      // The attacker finishes a sign-in with a valid state and with the authorization code that the provider gave to the victim.
      const stolen = new URL(provider.authorize(await start(victim, { id }), accountOf(`stolen-${id}`)))
      const own = new URL(provider.authorize(await start(mallory, { id }), accountOf(`thief-${id}`)))
      own.searchParams.set('code', stolen.searchParams.get('code') ?? '')
      assert.equal(await finish(mallory, own.href), '/sign-in?problem=failed', id)
      assert.equal(await mallory.me(), null)
    }
  })

  test('a Google or Microsoft id token with another issuer or without an issuer is refused', async () => {
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

  test('an id token with a wrong or missing nonce, audience, expiry or subject is refused', async () => {
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

  test('cancelling at the OAuth provider redirects with problem=cancelled, and starting at an unknown provider with problem=failed', async () => {
    const visitor = browser()
    const state = new URL(await start(visitor)).searchParams.get('state') ?? ''
    const back = `${app.url.origin}/_app/auth/oauth/club/callback?error=access_denied&state=${state}`
    assert.equal(await finish(visitor, back), '/sign-in?problem=cancelled')
    for (const id of ['mute', 'nobody', 'constructor']) {
      const answer = await visitor.fetch('GET', `/_app/auth/oauth/${id}/start`)
      assert.equal(answer.headers.get('location'), '/sign-in?problem=failed', id)
    }
  })

  test('the app sends its OAuth client secret to the provider when it exchanges the authorization code', () => {
    assert.ok(provider.received.some((body) => body.includes(provider.client.secret)))
  })
})

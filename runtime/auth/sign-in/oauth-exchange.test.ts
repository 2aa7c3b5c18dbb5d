import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { replaceFetch, restoreFetch } from '../../testing/fetch.test.fixture.ts'
import { askToken, exchange, redeem, tokenRequest } from './oauth-exchange.ts'
import { PROVIDER_PRESETS, type Provider } from '../providers.ts'

const NOW = Date.parse('2026-11-20T10:30:00Z')
const NOW_SECONDS = NOW / 1000
const TRIP = { code: 'code', verifier: 'verifier', redirectUri: 'https://app.test/back', nonce: 'nonce' }
const presetOf = (id: string): Provider => ({
  ...(PROVIDER_PRESETS[id] ?? assert.fail(id)),
  id,
  clientId: 'client',
  clientSecret: 'secret',
})
const [GOOGLE, MICROSOFT, GITHUB] = [presetOf('google'), presetOf('microsoft'), presetOf('github')]
const TENANT = '9122040d-6c67-4c5b-b112-36a304b66dad'

const CLAIMS = {
  iss: 'https://accounts.google.com',
  aud: 'client',
  sub: '110',
  nonce: 'nonce',
  exp: NOW_SECONDS + 1,
}
const PROFILE = { sub: '110', name: 'Ada', email: 'ada@example.test', email_verified: true }
const idTokenOf = (claims: unknown): string =>
  ['e30', Buffer.from(JSON.stringify(claims)).toString('base64url'), 'signature'].join('.')

interface Sent {
  url: string
  method: string
  headers: Record<string, string>
  body: string | null
  redirect: string | undefined
}

describe('the exchange of an authorization code', () => {
  let sent: Sent[]
  beforeEach(() => {
    mock.timers.enable({ apis: ['Date'], now: NOW })
    sent = []
  })
  afterEach(() => {
    mock.timers.reset()
    restoreFetch()
  })

  /** Makes the provider send `responses`, one per request. A response that is not a `Response` is sent as JSON. */
  const respondWith = (...responses: unknown[]) => {
    replaceFetch(async (url: string, { method = 'GET', headers, body, redirect }: RequestInit) => {
      const text = body === undefined || body === null ? null : String(body as string | URLSearchParams)
      sent.push({ url, method, headers: { ...(headers as Record<string, string>) }, body: text, redirect })
      const response = responses.shift()
      if (response instanceof Error) throw response
      return response instanceof Response ? response : Response.json(response)
    })
  }
  const signIn = (provider: Provider, token: object, ...rest: unknown[]) => {
    respondWith({ access_token: 'access', ...token }, ...rest)
    return exchange(provider, TRIP)
  }
  const google = (claims: object, profile: object = PROFILE) =>
    signIn(GOOGLE, { id_token: idTokenOf({ ...CLAIMS, ...claims }) }, profile)

  test('an OAuth code is redeemed with secret and verifier, the profile is read with the token, and redirects are not followed', async () => {
    assert.deepEqual(await google({}), {
      subject: '110',
      email: 'ada@example.test',
      emailVerified: true,
      name: 'Ada',
    })
    const common = { accept: 'application/json', 'user-agent': 'Slipway app' }
    assert.deepEqual(sent, [
      {
        url: 'https://oauth2.googleapis.com/token',
        method: 'POST',
        headers: common,
        body: 'grant_type=authorization_code&code=code&redirect_uri=https%3A%2F%2Fapp.test%2Fback&code_verifier=verifier&client_id=client&client_secret=secret',
        redirect: 'manual',
      },
      {
        url: 'https://openidconnect.googleapis.com/v1/userinfo',
        method: 'GET',
        headers: { ...common, authorization: 'Bearer access' },
        body: null,
        redirect: 'manual',
      },
    ])
  })

  test("an OpenID id token is accepted only from the provider's issuer, for this app and this sign-in, and until it expires", async () => {
    const wrong: object[] = [
      { nonce: 'of another sign-in' },
      { nonce: undefined },
      { aud: 'another client' },
      { aud: ['client', 'another client'] },
      { aud: ['another client'] },
      { aud: [] },
      { aud: undefined },
      { exp: NOW_SECONDS },
      { exp: String(NOW_SECONDS + 60) },
      { exp: undefined },
      { iss: 'https://accounts.google.com.evil.test' },
      { iss: 'http://accounts.google.com' },
      { iss: undefined },
    ]
    for (const change of wrong) {
      const message = 'google: the id token is of another sign-in'
      await assert.rejects(google(change), { message, refusal: null }, JSON.stringify(change))
    }
    assert.equal(sent.length, wrong.length, 'no profile was asked for')
    assert.equal((await google({ aud: ['client'] })).subject, '110')
  })

  test("a sign-in provider's response is rejected when its id token is missing or cannot be read", async () => {
    const payload = (text: string) => `e30.${Buffer.from(text).toString('base64url')}.signature`
    for (const token of [
      undefined,
      null,
      5,
      '',
      'e30',
      'a..b',
      payload('no JSON'),
      payload('null'),
      payload('[]'),
    ])
      await assert.rejects(signIn(GOOGLE, { id_token: token }, PROFILE), { message: 'google: no id token' })
  })

  test('an id token of any Microsoft tenant is accepted, and one whose issuer only looks like a tenant is rejected', async () => {
    const microsoft = (iss: unknown) =>
      signIn(MICROSOFT, { id_token: idTokenOf({ ...CLAIMS, iss }) }, PROFILE)
    assert.equal((await microsoft(`https://login.microsoftonline.com/${TENANT}/v2.0`)).subject, '110')
    for (const tenant of ['', '*.', 'a/b', 'evil.test', `${TENANT}/v2.0`, 'é'])
      await assert.rejects(microsoft(`https://login.microsoftonline.com/${tenant}/v2.0`), {
        message: 'microsoft: the id token is of another sign-in',
      })
    for (const iss of [
      'https://login.microsoftonline.com/v2.0',
      `https://login.microsoftonline.com/${TENANT}/v2.0/`,
      `https://evil.test/https://login.microsoftonline.com/${TENANT}/v2.0`,
    ])
      await assert.rejects(microsoft(iss), { message: 'microsoft: the id token is of another sign-in' }, iss)
  })

  test('a profile whose subject differs from the subject of the id token is rejected', async () => {
    for (const profile of [{ ...PROFILE, sub: '111' }, { ...PROFILE, sub: undefined }, [], {}])
      await assert.rejects(google({}, profile), {
        message: 'google: the profile names another account, or none',
      })
  })

  test('a sign-in in which neither the profile nor the id token has a subject is rejected', async () => {
    await assert.rejects(google({ sub: undefined }, { ...PROFILE, sub: undefined }), {
      message: 'google: the profile names another account, or none',
    })
  })

  test("a subject of more than 255 characters is rejected, because a truncated subject could be another person's", async () => {
    const [longest, tooLong] = ['s'.repeat(255), 's'.repeat(256)]
    assert.equal((await google({ sub: longest }, { ...PROFILE, sub: longest })).subject, longest)
    await assert.rejects(google({ sub: tooLong }, { ...PROFILE, sub: tooLong }), {
      message: 'google: the profile names another account, or none',
    })
    await assert.rejects(signIn(GITHUB, {}, { id: tooLong }, []), {
      message: 'github: the profile names another account, or none',
    })
  })

  test("an email address from a sign-in provider counts as verified only when the provider's flag is true", async () => {
    for (const verified of ['true', 1, null, undefined, false]) {
      const { emailVerified } = await google({}, { ...PROFILE, email_verified: verified })
      assert.equal(emailVerified, false, String(verified))
    }
    assert.deepEqual(await google({}, { sub: '110', email: '', name: 5 }), {
      subject: '110',
      name: null,
      email: null,
      emailVerified: false,
    })
  })

  test('a person who signs in with GitHub gets its primary email address, and the GitHub login when there is no name', async () => {
    const emails = [
      null,
      'ada@example.test',
      { email: 'other@example.test', primary: false, verified: true },
      { email: 'ada@example.test', primary: true, verified: true },
    ]
    const profile = await signIn(GITHUB, {}, { id: 42, login: 'ada', name: null }, emails)
    assert.deepEqual(profile, { subject: '42', name: 'ada', email: 'ada@example.test', emailVerified: true })
    assert.deepEqual(
      sent.map(({ url, headers }) => [url, headers['authorization']]),
      [
        ['https://github.com/login/oauth/access_token', undefined],
        ['https://api.github.com/user', 'Bearer access'],
        ['https://api.github.com/user/emails', 'Bearer access'],
      ],
    )
  })

  test('a person who signs in with GitHub has a verified email address only if the primary address is verified there', async () => {
    const emailOf = async (emails: unknown) => {
      const { email, emailVerified } = await signIn(
        GITHUB,
        {},
        { id: 42, email: 'public@example.test' },
        emails,
      )
      return { email, emailVerified }
    }
    const none = { email: null, emailVerified: false }
    for (const emails of [[], {}, { message: 'Not found' }, [{ email: 'a@b.test', verified: true }]])
      assert.deepEqual(await emailOf(emails), none)
    assert.deepEqual(await emailOf([{ primary: true, verified: true }]), none)
    const unproven = [{ email: 'a@b.test', primary: true, verified: 'true' }]
    assert.deepEqual(await emailOf(unproven), { email: 'a@b.test', emailVerified: false })
  })

  test('the error of a failed sign-in at a provider names the failed step and contains no text of the response', async () => {
    const token = { access_token: 'access', id_token: idTokenOf(CLAIMS) }
    const secret = 'secret-of-the-response'
    const steps: [responses: unknown[], message: string, refusal: string | null][] = [
      [[new TypeError(secret)], 'google: no usable answer (token)', null],
      [[new Response(secret)], 'google: no usable answer (token)', null],
      [[new Response('')], 'google: no usable answer (token)', null],
      [
        [Response.json({ error: 'invalid_grant', x: secret }, { status: 400 })],
        'google: refused (token)',
        'invalid_grant',
      ],
      [[new Response(secret, { status: 500 })], 'google: refused (token)', null],
      [[Response.json([secret], { status: 500 })], 'google: refused (token)', null],
      [[Response.json({ error: { message: secret } }, { status: 400 })], 'google: refused (token)', null],
      [[Response.redirect('https://evil.test/', 307)], 'google: refused (token)', null],
      [[null], 'google: refused (token)', null],
      [[secret], 'google: refused (token)', null],
      [[{ error: 'bad_verification_code', x: secret }], 'google: no access token', 'bad_verification_code'],
      [[{ access_token: '' }], 'google: no access token', null],
      [[{ access_token: { token: secret } }], 'google: no access token', null],
      [[token, new Response(secret, { status: 401 })], 'google: refused (profile)', null],
      [[token, new TypeError(secret)], 'google: no usable answer (profile)', null],
    ]
    for (const [responses, message, refusal] of steps) {
      respondWith(...responses)
      await assert.rejects(exchange(GOOGLE, TRIP), { name: 'Error', message, refusal })
    }
    respondWith({ access_token: 'access' }, { id: 42 }, new Response(secret, { status: 404 }))
    await assert.rejects(exchange(GITHUB, TRIP), { message: 'github: refused (addresses)' })
  })

  test("a sign-in provider's response of at most 256 KiB is accepted, and a larger one is not read to its end", async () => {
    const responseOf = (sizeBytes: number) => {
      const state = { isCancelled: false }
      const text = JSON.stringify({ access_token: 'access', x: '' })
      const chunks = [text.slice(0, -2), 'x'.repeat(sizeBytes - text.length), text.slice(-2)]
      const body = new ReadableStream(
        {
          pull: (controller) => {
            const chunk = chunks.shift()
            if (chunk === undefined) controller.close()
            else controller.enqueue(new TextEncoder().encode(chunk))
          },
          cancel: () => void (state.isCancelled = true),
        },
        { highWaterMark: 0 },
      )
      return { response: new Response(body), state }
    }
    const largest = responseOf(256 * 1024)
    respondWith(largest.response)
    assert.equal((await redeem(GOOGLE, TRIP)).access_token, 'access')
    const larger = responseOf(256 * 1024 + 1)
    respondWith(larger.response)
    await assert.rejects(redeem(GOOGLE, TRIP), { message: 'google: no usable answer (token)' })
    assert.deepEqual([largest.state.isCancelled, larger.state.isCancelled], [false, true])
  })

  test('an access token is read from the configured nested field when a code is redeemed, and from the top level on refresh', async () => {
    const server = { ...GOOGLE, tokenIn: 'authed_user' as const }
    const answer = { access_token: 'of the bot', authed_user: { access_token: 'of the person', scope: 'a' } }
    respondWith(answer)
    assert.deepEqual(await redeem(server, TRIP), { access_token: 'of the person', scope: 'a' })
    respondWith(answer)
    assert.equal((await askToken(server, { grant_type: 'refresh_token' })).access_token, 'of the bot')
    for (const authed of [undefined, null, 'text', [], {}]) {
      respondWith({ ...answer, authed_user: authed })
      await assert.rejects(redeem(server, TRIP), { message: 'google: no access token' })
    }
  })

  test('an OAuth server without PKCE gets no verifier, and the secret is sent in the format that the server expects', async () => {
    respondWith({ access_token: 'access' })
    await redeem({ ...GOOGLE, hasPkce: false }, TRIP)
    assert.equal(new URLSearchParams(sent[0]?.body ?? '').has('code_verifier'), false)
    const client = { clientId: 'client', clientSecret: 'secret' }
    const fields = { grant_type: 'x' }
    const basic = `Basic ${Buffer.from('client:secret').toString('base64')}`
    assert.deepEqual(tokenRequest(client, fields), {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'x', client_id: 'client', client_secret: 'secret' }),
    })
    assert.deepEqual(tokenRequest({ ...client, tokenForm: 'basic' }, fields), {
      method: 'POST',
      headers: { authorization: basic },
      body: new URLSearchParams(fields),
    })
    assert.deepEqual(tokenRequest({ ...client, tokenForm: 'json' }, fields), {
      method: 'POST',
      headers: { authorization: basic, 'content-type': 'application/json' },
      body: '{"grant_type":"x"}',
    })
  })
})

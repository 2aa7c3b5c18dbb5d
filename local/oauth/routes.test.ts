import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { press, readForm } from '../testing/forms.ts'
import { LOCAL_CLIENT, OauthProvider } from './provider.ts'
import { oauthPages } from './routes.ts'

const VERIFIER = 'v'.repeat(50)
const REDIRECT = 'http://books.demo.localhost:4320/_app/auth/oauth/local/callback'
const REQUEST = {
  response_type: 'code',
  client_id: LOCAL_CLIENT.id,
  redirect_uri: REDIRECT,
  scope: 'openid email',
  state: 'the state',
  nonce: 'the nonce',
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
}

describe('the provider that people sign in with on the local cloud', () => {
  let now = 1_000_000
  const provider = new OauthProvider(() => now)
  const app = oauthPages(provider)

  const openConsent = (change: Record<string, string> = {}) =>
    app.request(`/authorize?${new URLSearchParams({ ...REQUEST, ...change }).toString()}`)
  async function submitForm(fields: Record<string, string>, change?: Record<string, string>) {
    const form = readForm(await (await openConsent(change)).text())
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    return press(form, 'decision', 'allow')
  }
  async function submitDecision(form: URLSearchParams, headers: Record<string, string> = {}) {
    const answer = await app.request('/authorize', { method: 'POST', body: form, headers })
    const location = answer.headers.get('location')
    return { status: answer.status, back: location === null ? null : new URL(location).searchParams }
  }
  const codeOf = async (email: string, change?: Record<string, string>) =>
    (await submitDecision(await submitForm({ email }, change))).back?.get('code') ?? ''
  async function redeemCode(code: string, change: Record<string, string> = {}) {
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: LOCAL_CLIENT.id,
      client_secret: LOCAL_CLIENT.secret,
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
      code,
      ...change,
    })
    const answer = await provider.answer(new Request(provider.addresses.tokenUrl, { method: 'POST', body }))
    const fields = (await answer.json()) as { access_token?: string; id_token?: string; error?: string }
    return { status: answer.status, ...fields }
  }
  async function fetchProfile(token: string) {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await provider.answer(new Request(provider.addresses.userInfoUrl, { headers }))
    const fields = (await answer.json()) as { sub?: string; email_verified?: boolean }
    return { status: answer.status, ...fields }
  }

  test('a user who consents is redirected to the app with a code that can be exchanged for a token and a profile', async () => {
    const { status, back } = await submitDecision(
      await submitForm({ email: 'Ada@example.test', name: 'Ada' }),
    )
    assert.deepEqual([status, back?.get('state')], [302, 'the state'])
    const redeemed = await redeemCode(back?.get('code') ?? '')
    const { sub, ...claims } = await fetchProfile(redeemed.access_token ?? '')
    assert.deepEqual(claims, { status: 200, email: 'ada@example.test', email_verified: true, name: 'Ada' })
    const [header, payload, signature] = (redeemed.id_token ?? '').split('.')
    const made = createHmac('sha256', LOCAL_CLIENT.secret).update(`${header}.${payload}`).digest('base64url')
    assert.equal(signature, made)
    const token = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()) as Record<string, unknown>
    assert.deepEqual(
      [token['sub'], token['nonce'], token['aud'], token['iss']],
      [sub, 'the nonce', LOCAL_CLIENT.id, provider.issuer],
    )
  })

  test('when the OAuth client sends no state and nonce, the redirect has no state and the id token no nonce', async () => {
    const { state: _state, nonce: _nonce, ...bare } = REQUEST
    const asked = await app.request(`/authorize?${new URLSearchParams(bare).toString()}`)
    const form = readForm(await asked.text())
    form.set('email', 'uma@example.test')
    const { back } = await submitDecision(press(form, 'decision', 'allow'))
    assert.deepEqual([...(back?.keys() ?? [])], ['code'])
    const { id_token: idToken } = await redeemCode(back?.get('code') ?? '')
    const claims = JSON.parse(
      Buffer.from((idToken ?? '').split('.')[1] ?? '', 'base64url').toString(),
    ) as object
    assert.equal('nonce' in claims, false)
    const denied = (await submitDecision(press(form, 'decision', 'deny'))).back
    assert.deepEqual([...(denied?.entries() ?? [])], [['error', 'access_denied']])
  })

  test('after an invalid email address the sign-in form keeps the typed text', async () => {
    const form = await submitForm({ email: 'no "address"', name: 'Ada <3' })
    const answer = await app.request('/authorize', { method: 'POST', body: form })
    assert.equal(answer.status, 400)
    const again = readForm(await answer.text())
    assert.deepEqual(
      [again.get('email'), again.get('name'), again.get('state')],
      ['no "address"', 'Ada <3', 'the state'],
    )
  })

  test('signing in with the same email address, ignoring case, always gives the same account', async () => {
    const subjects: unknown[] = []
    for (const email of ['ben@example.test', 'BEN@example.test', 'eve@example.test'])
      subjects.push((await fetchProfile((await redeemCode(await codeOf(email))).access_token ?? '')).sub)
    assert.equal(subjects[0], subjects[1])
    assert.notEqual(subjects[0], subjects[2])
  })

  test('an account can have an unverified email address, and a request without the scope openid gets no id token', async () => {
    const form = await submitForm({ email: 'ida@example.test' }, { scope: 'email' })
    form.delete('verified')
    const { id_token: idToken, access_token: token } = await redeemCode(
      (await submitDecision(form)).back?.get('code') ?? '',
    )
    assert.equal(idToken, undefined)
    assert.equal((await fetchProfile(token ?? '')).email_verified, false)
  })

  test('an authorization code works once, and only with its PKCE verifier, redirect address and client', async () => {
    const used = await codeOf('cleo@example.test')
    assert.equal((await redeemCode(used)).status, 200)
    assert.equal((await redeemCode(used)).error, 'invalid_grant')
    for (const wrong of [{ code_verifier: 'w'.repeat(50) }, { redirect_uri: 'http://localhost/' }]) {
      const code = await codeOf('cleo@example.test')
      assert.equal((await redeemCode(code, wrong)).error, 'invalid_grant')
      assert.equal((await redeemCode(code)).error, 'invalid_grant', 'a wrong try uses the code up')
    }
    const code = await codeOf('cleo@example.test')
    assert.equal((await redeemCode(code, { client_secret: 'guessed' })).error, 'invalid_client')
    assert.equal((await redeemCode(code, { grant_type: 'password' })).error, 'unsupported_grant_type')
    assert.equal((await redeemCode(code)).status, 200)
  })

  test('an OAuth client may use Basic authentication, and wrong credentials are refused', async () => {
    const redeemAs = async (user: string) => {
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        redirect_uri: REDIRECT,
        code_verifier: VERIFIER,
        code: await codeOf('basic@example.test'),
      })
      const authorization = `Basic ${Buffer.from(user).toString('base64')}`
      const request = new Request(provider.addresses.tokenUrl, {
        method: 'POST',
        body,
        headers: { authorization },
      })
      const answer = await provider.answer(request)
      return answer.status === 200 ? 200 : ((await answer.json()) as { error: string }).error
    }
    assert.equal(await redeemAs(`${LOCAL_CLIENT.id}:${LOCAL_CLIENT.secret}`), 200)
    assert.equal(await redeemAs('local%2Dapp:local%2dsecret'), 200)
    for (const user of ['local-app:guessed', 'other:local-secret', 'local-app', '', ':', '%zz:%zz'])
      assert.equal(await redeemAs(user), 'invalid_client', user)
  })

  test('authorization codes expire after a minute, and access tokens after an hour', async () => {
    const code = await codeOf('dan@example.test')
    now += 60_000
    assert.equal((await redeemCode(code)).error, 'invalid_grant')
    const { access_token: token = '' } = await redeemCode(await codeOf('dan@example.test'))
    assert.equal((await fetchProfile(token)).status, 200)
    now += 3_600_000
    assert.equal((await fetchProfile(token)).status, 401)
  })

  test('a canceled sign-in redirects to the app with an error, and a form without an email address is shown again', async () => {
    const form = await submitForm({ email: '' })
    const { back } = await submitDecision(press(form, 'decision', 'deny'))
    assert.deepEqual([back?.get('error'), back?.get('state')], ['access_denied', 'the state'])
    assert.deepEqual(await submitDecision(form), { status: 400, back: null })
  })

  test('an unknown client, a redirect to another host and a form from another site are refused without a redirect', async () => {
    assert.equal((await openConsent({ client_id: 'other' })).status, 404)
    for (const uri of ['https://evil.test/', 'http://localhost.evil.test/', 'javascript:alert(1)', ''])
      assert.equal((await openConsent({ redirect_uri: uri })).status, 400, uri)
    const foreign = await submitDecision(await submitForm({ email: 'eve@example.test' }), {
      'sec-fetch-site': 'cross-site',
    })
    assert.deepEqual(foreign, { status: 403, back: null })
  })

  test('an authorization request without PKCE, or for the implicit flow, returns to the app with an error', async () => {
    for (const [change, error] of [
      [{ code_challenge: '' }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
    ] as const) {
      const location = (await openConsent(change)).headers.get('location') ?? ''
      assert.equal(new URL(location).searchParams.get('error'), error)
    }
  })
})

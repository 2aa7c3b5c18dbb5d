import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { beforeEach, describe, test } from 'node:test'
import { authorizeProblem, LOCAL_CLIENT, OauthProvider, redirectWithParams } from './provider.ts'

const ADA = { sub: 'ada', email: 'ada@example.test', email_verified: true, name: 'Ada' }
const BOB = { ...ADA, sub: 'bob' }
const VERIFIER = 'v'.repeat(43)
const REDIRECT = 'http://shop.localhost:8788/_app/auth/callback'
const HOUR_MS = 3_600_000

interface Tokens {
  access_token: string
  refresh_token?: string
  id_token?: string
  error?: string
}

const authorizationOf = (more: Record<string, string> = {}) =>
  new URLSearchParams({
    client_id: LOCAL_CLIENT.id,
    response_type: 'code',
    redirect_uri: REDIRECT,
    code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    ...more,
  })

describe('the local OAuth provider', () => {
  let now = 0
  let provider: OauthProvider
  beforeEach(() => {
    now = Date.parse('2026-11-20T10:00:00Z')
    provider = new OauthProvider(() => now)
  })

  const codeFor = (account = ADA, more: Record<string, string> = {}) =>
    new URL(provider.grantConsent(authorizationOf(more), account)).searchParams.get('code') ?? ''
  async function post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
    const response = await provider.answer(
      new Request(`${provider.issuer}${path}`, {
        method: 'POST',
        headers,
        body: new URLSearchParams(fields),
      }),
    )
    const text = await response.text()
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Tokens }
  }
  const CLIENT = { client_id: LOCAL_CLIENT.id, client_secret: LOCAL_CLIENT.secret }
  const redeem = (code: string, more: Record<string, string> = {}) =>
    post('/token', {
      ...CLIENT,
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
      ...more,
    })
  const refresh = (token = '') =>
    post('/token', { ...CLIENT, grant_type: 'refresh_token', refresh_token: token })
  const accountOf = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await provider.answer(new Request(`${provider.issuer}/api/me`, { headers }))
    return response.status === 200 ? ((await response.json()) as typeof ADA).sub : response.status
  }

  test("an authorization code can be exchanged for its person's tokens only once", async () => {
    const code = codeFor(BOB)
    const { status, body } = await redeem(code)
    assert.deepEqual([status, await accountOf(body.access_token)], [200, 'bob'])
    const again = await redeem(code)
    assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant'])
  })

  test('an authorization code is used up by a wrong verifier or redirect address, and expires after a minute', async () => {
    for (const wrong of [
      { code_verifier: 'x'.repeat(43) },
      { code_verifier: '' },
      { redirect_uri: `${REDIRECT}/` },
    ]) {
      const code = codeFor()
      assert.equal((await redeem(code, wrong)).body.error, 'invalid_grant')
      assert.equal((await redeem(code)).body.error, 'invalid_grant')
    }
    const [early, late] = [codeFor(), codeFor()]
    now += 59_999
    assert.equal((await redeem(early)).status, 200)
    now += 1
    assert.equal((await redeem(late)).body.error, 'invalid_grant')
  })

  test('an OAuth client gets a token only with its secret, sent as form fields or by Basic authentication', async () => {
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
    const fields = { grant_type: 'authorization_code', redirect_uri: REDIRECT, code_verifier: VERIFIER }
    const known = await post(
      '/token',
      { ...fields, code: codeFor() },
      basic(`${LOCAL_CLIENT.id}:${LOCAL_CLIENT.secret}`),
    )
    assert.equal(known.status, 200)
    for (const headers of [
      {},
      basic(''),
      basic(LOCAL_CLIENT.id),
      basic(`${LOCAL_CLIENT.id}:`),
      basic(`${LOCAL_CLIENT.id}:%`),
      basic(`${LOCAL_CLIENT.id}:${LOCAL_CLIENT.secret}x`),
    ]) {
      const code = codeFor()
      const { status, body } = await post('/token', { ...fields, code }, headers)
      assert.deepEqual([status, body.error], [401, 'invalid_client'])
      assert.equal((await redeem(code)).status, 200, 'the code of the person remains valid')
    }
    // A wrong secret in the header is not saved by the right one in the form.
    const both = await post(
      '/token',
      { ...CLIENT, ...fields, code: codeFor() },
      basic(`${LOCAL_CLIENT.id}:wrong`),
    )
    assert.equal(both.status, 401)
  })

  test('a refresh token is issued only for offline access, works once and is replaced by the next one', async () => {
    assert.equal((await redeem(codeFor())).body.refresh_token, undefined)
    const { body: first } = await redeem(codeFor(BOB, { scope: 'offline_access' }))
    const { body: second } = await refresh(first.refresh_token)
    assert.equal(await accountOf(second.access_token), 'bob')
    assert.equal((await refresh(first.refresh_token)).body.error, 'invalid_grant')
    assert.equal((await refresh(second.refresh_token)).status, 200)
    assert.equal((await refresh()).body.error, 'invalid_grant')
    assert.equal((await refresh(second.access_token)).body.error, 'invalid_grant')
  })

  test('an OAuth access token expires after an hour and a refresh token after thirty days', async () => {
    const { body } = await redeem(codeFor(ADA, { scope: 'offline_access' }))
    now += HOUR_MS - 1
    assert.equal(await accountOf(body.access_token), 'ada')
    now += 1
    assert.equal(await accountOf(body.access_token), 401)
    assert.equal(await accountOf(body.refresh_token ?? ''), 401)
    now += 30 * 24 * HOUR_MS
    assert.equal((await refresh(body.refresh_token)).body.error, 'invalid_grant')
  })

  test('revoking one OAuth token revokes all tokens of the same consent and of no other consent', async () => {
    for (const which of ['access_token', 'refresh_token'] as const) {
      const { body } = await redeem(codeFor(ADA, { scope: 'offline_access' }))
      const { body: other } = await redeem(codeFor(ADA, { scope: 'offline_access' }))
      const { body: next } = await refresh(body.refresh_token)
      assert.equal((await post('/revoke', { token: next[which] ?? '' })).status, 200)
      assert.equal(await accountOf(body.access_token), 401)
      assert.equal(await accountOf(next.access_token), 401)
      assert.equal((await refresh(next.refresh_token)).status, 400)
      assert.equal(await accountOf(other.access_token), 'ada')
    }
    assert.equal((await post('/revoke', { token: 'unknown' })).status, 200)
  })

  test('at most a thousand authorization codes are kept, so that requesting codes cannot fill the memory', async () => {
    const oldest = codeFor()
    const second = codeFor()
    for (let n = 2; n <= 1000; n++) codeFor()
    assert.equal((await redeem(oldest)).body.error, 'invalid_grant')
    assert.equal((await redeem(second)).status, 200)
  })

  test('an id token contains the person, the client and the nonce, and is issued only for the scope openid', async () => {
    const claimsOf = async (more: Record<string, string>) => {
      const { id_token: token } = (await redeem(codeFor(ADA, more))).body
      return token === undefined
        ? null
        : (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
            string,
            unknown
          >)
    }
    assert.equal(await claimsOf({ scope: 'profile' }), null)
    const iat = now / 1000
    const claims = { ...ADA, iss: provider.issuer, aud: LOCAL_CLIENT.id, iat, exp: iat + 300 }
    assert.deepEqual(await claimsOf({ scope: 'openid', nonce: 'n' }), { ...claims, nonce: 'n' })
    assert.deepEqual(await claimsOf({ scope: 'openid' }), claims)
  })

  test('an OAuth authorization request must come from a known client, return to this machine and have a PKCE challenge', () => {
    assert.equal(authorizeProblem(authorizationOf()), null)
    for (const uri of ['http://127.0.0.1:1/x', 'http://[::1]:1/x', 'http://localhost/x'])
      assert.equal(authorizeProblem(authorizationOf({ redirect_uri: uri })), null, uri)
    for (const uri of [
      '',
      'javascript:alert(1)',
      'https://shop.localhost/x',
      'http://evil.test/x',
      'http://localhost.evil.test/x',
      'http://evil.test/?localhost',
      'http://localhost@evil.test/x',
      'http://evillocalhost/x',
    ])
      assert.equal(authorizeProblem(authorizationOf({ redirect_uri: uri })), 'redirect_uri_mismatch', uri)
    for (const [more, problem] of [
      [{ client_id: 'other' }, 'unauthorized_client'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ code_challenge: '' }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
    ] as const) {
      assert.equal(authorizeProblem(authorizationOf(more)), problem)
      assert.throws(() => provider.grantConsent(authorizationOf(more), ADA), new RegExp(problem))
    }
  })

  test("an OAuth redirect keeps the query of its address and returns the request's state unchanged", () => {
    const query = authorizationOf({ redirect_uri: `${REDIRECT}?next=a%26b`, state: 'a&code=stolen' })
    const { searchParams } = new URL(redirectWithParams(query, { code: 'real' }))
    assert.deepEqual(
      [...searchParams],
      [
        ['next', 'a&b'],
        ['code', 'real'],
        ['state', 'a&code=stolen'],
      ],
    )
  })
})

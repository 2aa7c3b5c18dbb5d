import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import {
  cloudflareAuthorizeUrl,
  GrantRefusedError,
  type OAuthClient,
  redeemCloudflareCode,
  refreshTokens,
  revokeGrant,
  signInToCloudflare,
} from './oauth.ts'
import { toApiError } from '../http/envelope.ts'
import { bodyResponse, closeProviders, hangUp, startProvider } from './testing.ts'

const NOW = new Date('2026-11-26T10:00:00Z')
const REDIRECT = 'https://slipway.test/callback'
const grant = { code: 'c', verifier: 'v', redirectUri: REDIRECT, scopes: ['a.read', 'b.write'], now: NOW }
const silent = { loginHint: 'org', accountName: 'Shop' }
const unexpected = {
  message: 'The sign-in at the cloud account returned an unexpected response.',
  retryable: false,
}

type Responder = Parameters<typeof startProvider>[0]

/** Starts an authorization server. `sent` returns the fields of the forms that it received. */
async function startSignIn(...answers: Responder[]) {
  const { options, requests, seen } = await startProvider(...answers)
  const client: OAuthClient = { oauth: `${options.api}/oauth2`, clientId: 'id', clientSecret: null }
  const sent = () => requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
  return { client, seen, requests, sent }
}

/** Redirects back with these parameters. The default `state` is the state in the request. */
const redirectBack =
  (given: Record<string, string>): Responder =>
  ({ url }, response) => {
    const state = new URL(url, 'http://x').searchParams.get('state') ?? ''
    const query = new URLSearchParams({ state, ...given })
    response.writeHead(302, { location: `${REDIRECT}?${query.toString()}` }).end()
  }

describe('the sign-in at Cloudflare', () => {
  after(closeProviders)

  test("Cloudflare's authorization URL has the scopes, the state and the challenge, and the emulator's fields only when given", () => {
    const client = { oauth: 'https://dash.test/oauth2', clientId: 'id', clientSecret: 'secret' }
    const request = { redirectUri: REDIRECT, scopes: ['a.read', 'b.write'], state: 's', challenge: 'ch' }
    const standard = {
      response_type: 'code',
      client_id: 'id',
      redirect_uri: REDIRECT,
      scope: 'a.read b.write',
      state: 's',
      code_challenge: 'ch',
      code_challenge_method: 'S256',
    }
    const fieldsOf = (url: string) => Object.fromEntries(new URL(url).searchParams)
    assert.deepEqual(fieldsOf(cloudflareAuthorizeUrl(client, request)), standard)
    const hints = { login_hint: 'org', account_name: 'Shop' }
    assert.deepEqual(fieldsOf(cloudflareAuthorizeUrl(client, { ...request, suggest: silent })), {
      ...standard,
      ...hints,
    })
    const known = { ...silent, account: { id: 'acc', subdomain: null } }
    assert.deepEqual(fieldsOf(cloudflareAuthorizeUrl(client, { ...request, silent: known })), {
      ...standard,
      ...hints,
      prompt: 'none',
      account_id: 'acc',
    })
  })

  test('an authorization code is exchanged with its PKCE verifier, and with the client secret if there is one', async () => {
    const tokens = { access_token: 'at', refresh_token: 'rt', expires_in: 3600, scope: ' a.read  b.write ' }
    const { client, seen, sent } = await startSignIn(bodyResponse(tokens))
    const read = { accessToken: 'at', refreshToken: 'rt', expiresAt: new Date('2026-11-26T11:00:00Z') }
    assert.deepEqual(await redeemCloudflareCode(client, grant), { ...read, scopes: ['a.read', 'b.write'] })
    await redeemCloudflareCode({ ...client, clientSecret: 'secret' }, grant)
    const form = {
      grant_type: 'authorization_code',
      code: 'c',
      redirect_uri: REDIRECT,
      code_verifier: 'v',
      client_id: 'id',
    }
    assert.deepEqual(sent(), [form, { ...form, client_secret: 'secret' }])
    assert.deepEqual(seen, ['POST /oauth2/token', 'POST /oauth2/token'])
  })

  test('when a token response names no scopes, a code exchange returns the requested scopes, and a refresh returns an empty list', async () => {
    const { client, sent } = await startSignIn(bodyResponse({ access_token: 'at', scope: '' }))
    const read = { accessToken: 'at', refreshToken: null, expiresAt: null }
    assert.deepEqual(await redeemCloudflareCode(client, grant), { ...read, scopes: grant.scopes })
    assert.deepEqual(await refreshTokens(client, 'rt', NOW), { ...read, scopes: [] })
    assert.deepEqual(sent()[1], { grant_type: 'refresh_token', refresh_token: 'rt', client_id: 'id' })
  })

  test('a refresh token refused with invalid_grant throws GrantRefusedError, whose cause is the first 500 characters of the response', async () => {
    const text = JSON.stringify({ error: 'invalid_grant', error_description: 'x'.repeat(600) })
    for (const status of [400, 401]) {
      const { client } = await startSignIn(bodyResponse(text, status))
      await assert.rejects(refreshTokens(client, 'rt', NOW), (error) => {
        assert.ok(error instanceof GrantRefusedError)
        assert.deepEqual(
          [error.message, error.cause, error.retryable],
          [
            'The connected cloud account refused its sign-in. Connect the account again.',
            text.slice(0, 500),
            false,
          ],
        )
        return true
      })
    }
  })

  test('any other error for a refresh token is not a refused grant, so that an outage at Cloudflare disconnects no account', async () => {
    const refusals: [number, boolean][] = [
      [400, false],
      [302, false],
      [403, false],
      [429, true],
      [500, true],
      [503, true],
    ]
    for (const [status, retryable] of refusals) {
      const { client } = await startSignIn(bodyResponse({ error: 'invalid_client' }, status))
      await assert.rejects(refreshTokens(client, 'rt', NOW), {
        name: 'ProviderError',
        message: `The sign-in at the cloud account returned status ${status}.`,
        status,
        retryable,
      })
    }
  })

  test('a token response with status 200 but without a token throws an error for an unexpected response', async () => {
    for (const body of ['<html>', '', 'null', {}, { access_token: '' }, { access_token: 7 }]) {
      const { client } = await startSignIn(bodyResponse(body))
      await assert.rejects(redeemCloudflareCode(client, grant), unexpected)
    }
  })

  test("when Cloudflare's sign-in is busy, the API's caller gets the wait that Cloudflare asks for", async () => {
    for (const [status, code] of [
      [429, 'unavailable'],
      [503, 'upstream_error'],
    ] as const) {
      const { client } = await startSignIn((_request, response) =>
        response.writeHead(status, { 'retry-after': '7' }).end('busy'),
      )
      const error = toApiError(await redeemCloudflareCode(client, grant).catch((thrown: unknown) => thrown))
      assert.deepEqual([error.code, error.retryAfterSeconds], [code, 7])
    }
  })

  test('a token request without a response or with a truncated response throws a retryable error that Cloudflare cannot be reached', async () => {
    const cutOff: Responder = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"access_token":"at"', () => response.socket?.destroy())
    }
    for (const answer of [hangUp, cutOff]) {
      const { client } = await startSignIn(answer)
      await assert.rejects(redeemCloudflareCode(client, grant), {
        name: 'ProviderError',
        message: "The cloud account's sign-in cannot be reached.",
        retryable: true,
      })
    }
  })

  test('revoking a token returns true only for a 2xx response, and returns false without throwing when the response is lost', async () => {
    const answers: [Responder, boolean][] = [
      [bodyResponse('', 200), true],
      [bodyResponse({ error: 'unsupported_token_type' }, 400), false],
      [bodyResponse('', 302), false],
      [bodyResponse('', 503), false],
      [hangUp, false],
    ]
    for (const [answer, isRevoked] of answers) {
      const { client, seen, sent } = await startSignIn(answer)
      assert.equal(await revokeGrant(client, 'rt'), isRevoked)
      assert.deepEqual([seen, sent()], [['POST /oauth2/revoke'], [{ token: 'rt', client_id: 'id' }]])
    }
  })

  test("an OAuth sign-in without user interaction exchanges the redirect's code with the verifier of its challenge", async () => {
    const { client, requests, seen } = await startSignIn(
      redirectBack({ code: 'c' }),
      bodyResponse({ access_token: 'at' }),
    )
    const request = { redirectUri: REDIRECT, silent, scopes: ['a.read'], now: NOW }
    assert.deepEqual(await signInToCloudflare(client, request), {
      accessToken: 'at',
      refreshToken: null,
      expiresAt: null,
      scopes: ['a.read'],
    })
    assert.deepEqual(seen, ['GET /oauth2/auth', 'POST /oauth2/token'])
    const verifier = new URLSearchParams(requests[1]?.body).get('code_verifier') ?? ''
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(verifier))
    const challenge = new URL(requests[0]?.url ?? '', 'http://x').searchParams.get('code_challenge')
    assert.equal(challenge, Buffer.from(digest).toString('base64url'))
  })

  test('an OAuth sign-in without user interaction is refused without a redirect, or when it has an error or another state', async () => {
    const refusals: [Responder, object][] = [
      [
        redirectBack({ error: 'access_denied', error_description: 'no account' }),
        { status: 302, cause: 'no account' },
      ],
      [redirectBack({ error: 'access_denied' }), { status: 302, cause: 'access_denied' }],
      [redirectBack({ code: 'c', state: 'other' }), { status: 302, cause: 'status 302' }],
      [bodyResponse('consent page'), { status: 200, cause: 'status 200', retryable: false }],
      [bodyResponse('', 503), { status: 503, cause: 'status 503', retryable: true }],
    ]
    for (const [answer, about] of refusals) {
      const { client, seen } = await startSignIn(answer)
      const request = { redirectUri: REDIRECT, silent, scopes: ['a.read'], now: NOW }
      await assert.rejects(signInToCloudflare(client, request), {
        message: 'The cloud account did not grant access.',
        ...about,
      })
      assert.deepEqual(seen, ['GET /oauth2/auth'])
    }
  })
})

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { GithubProfile } from '../config.ts'
import { bodyResponse, closeProviders, hangUp, startProvider } from '../cloudflare/testing.ts'
import {
  githubAuthorizeUrl,
  redeemGithubCode,
  revokeToken,
  signInToGithub,
  SignInRefusedError,
} from './sign-in.ts'

type Responder = Parameters<typeof startProvider>[0]
const grant = { code: 'c', verifier: 'v', redirectUri: 'https://slipway.test/callback' }

async function startHost(...answers: Responder[]) {
  const { options, requests, seen } = await startProvider(...answers)
  const profile: GithubProfile = {
    name: 'real',
    api: options.api,
    web: options.api,
    clientId: 'i/d',
    clientSecret: null,
  }
  return { profile, requests, seen }
}
const redirectBack =
  (given: Record<string, string>): Responder =>
  ({ url }, response) => {
    const state = new URL(url, 'http://x').searchParams.get('state') ?? ''
    const query = new URLSearchParams({ state, ...given })
    response.writeHead(302, { location: `${grant.redirectUri}?${query.toString()}` }).end()
  }

describe('the sign-in at the code host', () => {
  after(closeProviders)

  test("GitHub's authorization URL has the scopes, the state and the challenge, and the emulator's fields only when given", () => {
    const profile = { web: 'https://github.test', clientId: 'id' }
    const request = { redirectUri: grant.redirectUri, scopes: ['repo', 'user'], state: 's', challenge: 'ch' }
    const url = new URL(githubAuthorizeUrl(profile, request))
    const standard = {
      client_id: 'id',
      redirect_uri: grant.redirectUri,
      scope: 'repo user',
      state: 's',
      code_challenge: 'ch',
      code_challenge_method: 'S256',
    }
    assert.equal(url.origin + url.pathname, 'https://github.test/login/oauth/authorize')
    assert.deepEqual(Object.fromEntries(url.searchParams), standard)
    const suggest = { loginHint: 'org', accountName: 'Shop' }
    const silent = new URL(githubAuthorizeUrl(profile, { ...request, suggest, isSilent: true }))
    assert.deepEqual(Object.fromEntries(silent.searchParams), {
      ...standard,
      login_hint: 'org',
      account_name: 'Shop',
      prompt: 'none',
    })
  })

  test('a GitHub authorization code is exchanged for a token, whose scopes may be separated by commas or spaces', async () => {
    const { profile, requests, seen } = await startHost(
      bodyResponse({ access_token: 'gho_1', scope: 'repo,user read:org, ' }),
      bodyResponse({ access_token: 'gho_2', scope: '' }),
    )
    assert.deepEqual(await redeemGithubCode(profile, grant), {
      token: 'gho_1',
      scopes: ['repo', 'user', 'read:org'],
    })
    assert.deepEqual(await redeemGithubCode({ ...profile, clientSecret: 'secret' }, grant), {
      token: 'gho_2',
      scopes: [],
    })
    const form = { client_id: 'i/d', code: 'c', redirect_uri: grant.redirectUri, code_verifier: 'v' }
    assert.deepEqual(
      requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body))),
      [form, { ...form, client_secret: 'secret' }],
    )
    assert.deepEqual(seen, Array(2).fill('POST /login/oauth/access_token'))
  })

  test('a GitHub response with status 200 that refuses the authorization code throws an error for a refused sign-in', async () => {
    const { profile } = await startHost(
      bodyResponse({
        error: 'bad_verification_code',
        error_description: 'The code is incorrect or expired.',
      }),
    )
    await assert.rejects(redeemGithubCode(profile, grant), (error) => {
      assert.ok(error instanceof SignInRefusedError)
      assert.deepEqual(
        [error.message, error.status, error.cause, error.retryable],
        ['The code host did not grant access.', 200, 'bad_verification_code', false],
      )
      return true
    })
  })

  test('a 429 or 5xx response of GitHub throws a retryable error and does not count as a refused sign-in', async () => {
    for (const status of [429, 500, 503])
      for (const body of [{ error: 'unavailable' }, '<html>']) {
        const { profile } = await startHost(bodyResponse(body, status))
        await assert.rejects(redeemGithubCode(profile, grant), {
          name: 'GithubError',
          message: 'The code host returned an unexpected response to the sign-in.',
          status,
          retryable: true,
        })
      }
  })

  test('a GitHub token response with status 200 and an unexpected body throws an error that is not retryable', async () => {
    for (const body of ['<html>', '', {}, { access_token: '', scope: '' }, { access_token: 'x' }]) {
      const { profile } = await startHost(bodyResponse(body))
      await assert.rejects(redeemGithubCode(profile, grant), {
        message: 'The code host returned an unexpected response to the sign-in.',
        retryable: false,
      })
    }
    const { profile } = await startHost(bodyResponse('x'.repeat(64 * 1024 + 1)))
    await assert.rejects(redeemGithubCode(profile, grant), {
      message: 'The response of the code host is too large.',
    })
  })

  test('a GitHub sign-in without user interaction exchanges the code of the redirect', async () => {
    const { profile, seen, requests } = await startHost(
      redirectBack({ code: 'c9' }),
      bodyResponse({ access_token: 'gho_1', scope: 'repo' }),
    )
    const request = { redirectUri: grant.redirectUri, loginHint: 'org', accountName: 'Shop' }
    assert.deepEqual(await signInToGithub(profile, request), { token: 'gho_1', scopes: ['repo'] })
    assert.deepEqual(seen, ['GET /login/oauth/authorize', 'POST /login/oauth/access_token'])
    assert.equal(new URLSearchParams(requests[1]?.body).get('code'), 'c9')
  })

  test('a GitHub sign-in without user interaction is refused when the redirect has no code or the state of another sign-in', async () => {
    const request = { redirectUri: grant.redirectUri, loginHint: 'org', accountName: 'Shop' }
    for (const answer of [redirectBack({ error: 'x' }), redirectBack({ code: 'c', state: 'other' })]) {
      const { profile, seen } = await startHost(answer)
      await assert.rejects(signInToGithub(profile, request), {
        message: 'The code host refused to grant access: It returned status 302.',
      })
      assert.equal(seen.length, 1)
    }
  })

  test('revoking a GitHub token returns true only for a 204 response, and returns false without throwing for any failure', async () => {
    const answers: [Responder, boolean][] = [
      [bodyResponse('', 204), true],
      [bodyResponse('', 200), false],
      [bodyResponse('', 404), false],
      [bodyResponse('', 503), false],
      [hangUp, false],
    ]
    for (const [answer, isRevoked] of answers) {
      const { profile, requests } = await startHost(answer)
      assert.equal(await revokeToken({ ...profile, clientSecret: 'secret' }, 'gho_1'), isRevoked)
      assert.deepEqual(
        requests.map(({ method, url, body }) => [method, url, body]),
        [['DELETE', '/applications/i%2Fd/token', '{"access_token":"gho_1"}']],
      )
    }
    const { profile, seen } = await startHost(bodyResponse('', 204))
    assert.equal(await revokeToken({ ...profile, clientId: null }, 'gho_1'), false)
    assert.deepEqual(seen, [])
  })
})

import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { askToken, redeem } from '../auth/sign-in/oauth-exchange.ts'
import { authorizationUrl } from '../auth/sign-in/oauth-request.ts'
import { askedScopes } from './presets.ts'
import { revoke } from './revoke.ts'
import { type ConnectProvider, connectProviderOf, secretBinding, settingsBinding } from './settings.ts'
import { replaceFetch, restoreFetch } from '../testing/fetch.test.fixture.ts'

/**
 * Expected values from the documentation of each service (November 2026). `token` describes the token request: `basic` when the client
 * secret is sent in the `Authorization` header instead of the body, then the format of the body and the URL. `revoke` describes the request
 * that is sent when a person unlinks the service: the method, the same parts as in `token`, and the other body fields. When the access
 * token is sent in the `Authorization` header, `revoke` is the method, `bearer` and the URL.
 */
const DOCUMENTED = {
  google: {
    authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'form https://oauth2.googleapis.com/token',
    revoke: 'POST form https://oauth2.googleapis.com/revoke token=refresh token_type_hint=refresh_token',
    api: 'https://www.googleapis.com',
    scope: 'one two',
    more: { access_type: 'offline', prompt: 'consent' },
  },
  github: {
    authorize: 'https://github.com/login/oauth/authorize',
    token: 'form https://github.com/login/oauth/access_token',
    revoke: 'DELETE basic json https://api.github.com/applications/client/grant access_token=access',
    api: 'https://api.github.com',
    scope: 'one two',
  },
  microsoft: {
    authorize: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    token: 'form https://login.microsoftonline.com/common/oauth2/v2.0/token',
    api: 'https://graph.microsoft.com',
    scope: 'offline_access one two',
  },
  slack: {
    authorize: 'https://slack.com/oauth/v2/authorize',
    token: 'form https://slack.com/api/oauth.v2.access',
    revoke: 'POST bearer https://slack.com/api/auth.revoke',
    api: 'https://slack.com',
    more: { user_scope: 'one,two' },
    hasPkce: false,
  },
  notion: {
    authorize: 'https://api.notion.com/v1/oauth/authorize',
    token: 'basic json https://api.notion.com/v1/oauth/token',
    revoke: 'POST basic json https://api.notion.com/v1/oauth/revoke token=access',
    api: 'https://api.notion.com',
    scope: 'one two',
    more: { owner: 'user' },
    hasPkce: false,
  },
  linear: {
    authorize: 'https://linear.app/oauth/authorize',
    token: 'form https://api.linear.app/oauth/token',
    revoke: 'POST bearer https://api.linear.app/oauth/revoke',
    api: 'https://api.linear.app',
    scope: 'one,two',
  },
  hubspot: {
    authorize: 'https://app.hubspot.com/oauth/authorize',
    token: 'form https://api.hubapi.com/oauth/2026-03/token',
    revoke:
      'POST form https://api.hubapi.com/oauth/2026-03/token/revoke token=refresh token_type_hint=refresh_token',
    api: 'https://api.hubapi.com',
    scope: 'oauth one two',
  },
  dropbox: {
    authorize: 'https://www.dropbox.com/oauth2/authorize',
    token: 'form https://api.dropboxapi.com/oauth2/token',
    revoke: 'POST bearer https://api.dropboxapi.com/2/auth/token/revoke',
    api: 'https://api.dropboxapi.com',
    scope: 'one two',
    more: { token_access_type: 'offline' },
  },
  discord: {
    authorize: 'https://discord.com/oauth2/authorize',
    token: 'form https://discord.com/api/oauth2/token',
    revoke:
      'POST form https://discord.com/api/oauth2/token/revoke token=refresh token_type_hint=refresh_token',
    api: 'https://discord.com',
    scope: 'one two',
  },
  spotify: {
    authorize: 'https://accounts.spotify.com/authorize',
    token: 'basic form https://accounts.spotify.com/api/token',
    api: 'https://api.spotify.com',
    scope: 'one two',
  },
} satisfies Record<string, DocumentedPreset>

interface DocumentedPreset {
  authorize: string
  token: string
  revoke?: string
  api: string
  scope?: string
  more?: Record<string, string>
  hasPkce?: false
}

const TRIP = { redirectUri: 'https://app.test/back', state: 's', verifier: 'v', code: 'c' }

function presetOf(id: string): ConnectProvider {
  const env = {
    [settingsBinding(id)]: JSON.stringify({ id, kind: 'oauth', clientId: 'client' }),
    [secretBinding(id)]: 'secret',
  }
  return connectProviderOf(env, id) ?? assert.fail(id)
}

function mockProvider(body: object): { url: string; init: RequestInit }[] {
  const sent: { url: string; init: RequestInit }[] = []
  replaceFetch(async (url: string, init: RequestInit) => {
    sent.push({ url, init })
    return Response.json(body)
  })
  return sent
}

describe('the preset services', () => {
  afterEach(() => restoreFetch())

  for (const [id, documented] of Object.entries<DocumentedPreset>(DOCUMENTED))
    test(`authorization and token requests to ${id} match its documentation`, async () => {
      const provider = presetOf(id)
      const { more = {}, apiBase } = provider
      const scopes = askedScopes(provider, ['one', 'two'])
      const { origin, pathname, searchParams } = new URL(
        authorizationUrl({ ...provider, scopes }, { ...TRIP, more }),
      )
      assert.equal(origin + pathname, documented.authorize)
      const {
        code_challenge: challenge,
        code_challenge_method: method,
        ...query
      } = Object.fromEntries(searchParams)
      assert.equal(method, documented.hasPkce === false ? undefined : 'S256')
      assert.equal(challenge === undefined, documented.hasPkce === false)
      assert.deepEqual(query, {
        response_type: 'code',
        client_id: 'client',
        redirect_uri: TRIP.redirectUri,
        state: 's',
        ...(documented.scope !== undefined && { scope: documented.scope }),
        ...documented.more,
      })
      assert.equal(apiBase, documented.api)

      const token = { access_token: 'token' }
      const sent = mockProvider({ ...token, authed_user: token })
      await redeem(provider, TRIP)
      const fields = {
        grant_type: 'authorization_code',
        code: 'c',
        redirect_uri: TRIP.redirectUri,
        ...(documented.hasPkce !== false && { code_verifier: 'v' }),
      }
      assert.deepEqual(shapeOf(sent[0]), { as: documented.token, fields })
    })

  test("an app that declares no scopes requests the service's default scopes and the scopes needed to refresh a token", () => {
    const asked = (id: string, declared: string[] | null) => askedScopes(presetOf(id), declared)
    assert.deepEqual(asked('microsoft', null), ['offline_access', 'User.Read'])
    assert.deepEqual(asked('microsoft', ['Mail.Read', 'offline_access']), ['offline_access', 'Mail.Read'])
    assert.deepEqual(asked('hubspot', null), ['oauth'])
    assert.deepEqual(asked('spotify', null), [])
  })

  for (const [id, { revoke: documented }] of Object.entries<DocumentedPreset>(DOCUMENTED))
    test(`revocation requests to ${id} match its documentation`, async () => {
      const sent = mockProvider({})
      const isRevoked = await revoke(presetOf(id), { token: 'access', refreshToken: 'refresh' })
      assert.equal(isRevoked, documented === undefined ? null : true)
      assert.equal(sent[0] && revocationOf(sent[0]), documented)
    })

  test('a known service with a custom token URL gets no revocation request at its default URL', async () => {
    const own = { id: 'github', kind: 'oauth', clientId: 'client', tokenUrl: 'https://own.test/token' }
    const sent = mockProvider({})
    const revokeWith = async (settings: object) => {
      const env = {
        [settingsBinding('github')]: JSON.stringify(settings),
        [secretBinding('github')]: 'secret',
      }
      const provider = connectProviderOf(env, 'github') ?? assert.fail()
      return revoke(provider, { token: 'access', refreshToken: null })
    }
    assert.equal(await revokeWith(own), null)
    assert.equal(sent.length, 0)
    assert.equal(await revokeWith({ ...own, revokeUrl: 'https://own.test/applications/*/grant' }), true)
    assert.equal(sent[0]?.url, 'https://own.test/applications/client/grant')
  })

  test('revocation requests have a user agent for GitHub and an API version for Notion', async () => {
    const sent = mockProvider({})
    await revoke(presetOf('notion'), { token: 'access', refreshToken: null })
    const headers = new Headers(sent[0]?.init.headers)
    assert.deepEqual(
      [headers.get('user-agent'), headers.get('notion-version')],
      ['Slipway app', '2025-09-03'],
    )
  })

  test('a custom service whose token requests are JSON still gets revocations as a form (RFC 7009)', async () => {
    const own = { ...presetOf('notion'), revokeUrl: 'https://own.test/revoke', revokeForm: undefined }
    const sent = mockProvider({})
    assert.ok(await revoke(own, { token: 'access', refreshToken: null }))
    const fields = 'token=access token_type_hint=access_token'
    assert.equal(sent[0] && revocationOf(sent[0]), `POST basic form https://own.test/revoke ${fields}`)
  })

  test('a revocation counts as failed when it is rejected, even with status 200, or gets no response', async () => {
    const credential = { token: 'access', refreshToken: null }
    for (const response of [
      new Response('', { status: 401 }),
      Response.json({ ok: false, error: 'token_expired' }),
      new Response('{"ok": false}'),
    ]) {
      replaceFetch(async () => response)
      assert.equal(await revoke(presetOf('slack'), credential), false)
    }
    replaceFetch(() => Promise.reject(new Error('down')))
    assert.equal(await revoke(presetOf('slack'), credential), false)
    assert.equal(
      await revoke({ ...presetOf('slack'), kind: 'apiKey' }, credential),
      null,
      "a person's own key",
    )
  })

  test("Slack's user token is read from a nested field when a code is redeemed, and from the top level on refresh", async () => {
    const slack = presetOf('slack')
    const granted = { access_token: 'xoxp', refresh_token: 'xoxe', expires_in: 43_200 }
    mockProvider({ ok: true, access_token: 'xoxb', authed_user: { id: 'U1', ...granted } })
    assert.deepEqual(await redeem(slack, TRIP), { id: 'U1', ...granted })
    restoreFetch()
    mockProvider({ ok: true, ...granted, authed_user: { id: 'U1' } })
    assert.equal((await askToken(slack, { grant_type: 'refresh_token' })).access_token, 'xoxp')
    restoreFetch()
    for (const bot of [{ authed_user: { id: 'U1' } }, {}]) {
      mockProvider({ ok: true, access_token: 'xoxb', ...bot })
      await assert.rejects(redeem(slack, TRIP), { message: /no access token/ }, 'never the token of the bot')
      restoreFetch()
    }
    mockProvider({ ok: false, error: 'invalid_refresh_token' })
    await assert.rejects(askToken(slack, {}), { refusal: 'invalid_refresh_token' })
  })
})

/** Describes a request as `token` of `DOCUMENTED` does, and returns the fields of its body without the client id and the client secret. */
function shapeOf(sent: { url: string; init: RequestInit } | undefined) {
  assert.ok(sent !== undefined)
  const { url, init } = sent
  const headers = new Headers(init.headers)
  const isForm = init.body instanceof URLSearchParams
  const all = isForm ? Object.fromEntries(init.body as URLSearchParams) : JSON.parse(String(init.body))
  const { client_id: id, client_secret: secret, ...fields } = all as Record<string, string>
  const isBasic = headers.get('authorization') === `Basic ${btoa('client:secret')}`
  assert.deepEqual([id, secret], isBasic ? [undefined, undefined] : ['client', 'secret'])
  assert.equal(headers.get('content-type'), isForm ? null : 'application/json')
  return { as: `${isBasic ? 'basic ' : ''}${isForm ? 'form' : 'json'} ${url}`, fields }
}

/** Describes a revocation request as `revoke` of `DOCUMENTED` does. */
function revocationOf({ url, init }: { url: string; init: RequestInit }): string {
  const isBearer = new Headers(init.headers).get('authorization') === 'Bearer access'
  if (isBearer) return [init.method, 'bearer', url, ...(init.body ? [String(init.body)] : [])].join(' ')
  const { as, fields } = shapeOf({ url, init })
  return [init.method, as, ...Object.entries(fields).map((field) => field.join('='))].join(' ')
}

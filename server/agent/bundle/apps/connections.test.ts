import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type RunningApp, startApp } from '../../testing/bundle.ts'
import {
  ACCOUNT,
  asked,
  bearers,
  KEY,
  Member,
  OPTIONS,
  provider,
  services,
  shown,
  TREE,
  VARIABLES,
  vaultKey,
} from '../../testing/connect-app.ts'

describe('connected accounts of the people of a running app', () => {
  let app: RunningApp
  const lines: string[] = []
  let count = 0
  before(async () => {
    app = await startApp(TREE, { ...OPTIONS, onLog: (line) => lines.push(line) })
  })
  after(() => app.stop())
  beforeEach(() => {
    provider.change = {}
    provider.refuses = null
    provider.refusesCalls = null
    asked.length = 0
  })

  async function member(): Promise<Member & { id: string }> {
    const one = new Member(app)
    const { id } = await one.signUp(`member${++count}`)
    return Object.assign(one, { id })
  }
  const renewals = () => asked.filter((one) => one.includes('grant_type=refresh_token')).length

  test('after a person links an external account, the app can call its API and the person sees when it was linked', async () => {
    const ada = await member()
    const back = await ada.leave('club', '/settings?tab=links')
    assert.equal(back.pathname, '/_app/connect/club/callback')
    assert.equal(await ada.come(back), '/settings?tab=links&connect=linked')
    const [shown] = (await ada.call('GET', '/_app/connect')).data as unknown as object[]
    assert.deepEqual(Object.keys(shown ?? {}), ['provider', 'status', 'linkedAt'])
    assert.deepEqual(await ada.ask(), { status: 200, ...ACCOUNT })
    const status = await ada.fetch('GET', `/api/of/${ada.id}/club`)
    assert.deepEqual(await status.json(), { status: 'linked' })
    assert.deepEqual(await (await ada.fetch('GET', `/api/of/${ada.id}/other`)).json(), { status: null })
  })

  test('the authorization URL has a PKCE challenge, the scopes of the app and a state that works once', async () => {
    const ada = await member()
    const answer = await ada.fetch('GET', '/_app/connect/club/start')
    const url = new URL(answer.headers.get('location') ?? '')
    assert.equal(url.searchParams.get('code_challenge_method'), 'S256')
    assert.equal(url.searchParams.get('scope'), 'offline_access notes')
    const back = new URL(provider.authorize(url.href, ACCOUNT))
    assert.equal(await ada.come(back), '/?connect=linked')
    assert.equal(await ada.come(back), '/?connect=expired')
    const forged = new URL(back)
    forged.searchParams.set('state', 'made up')
    assert.equal(await ada.come(forged), '/?connect=expired')
  })

  test('an OAuth state of another person, another session or another service links no account', async () => {
    const [ada, bob] = [await member(), await member()]
    assert.equal(await bob.come(await ada.leave()), '/?connect=expired')
    const visitor = new Member(app)
    assert.equal(await visitor.come(await ada.leave()), '/?connect=expired')
    const phone = new Member(app)
    await phone.signIn(`member${count - 1}`)
    assert.equal(await phone.come(await ada.leave()), '/?connect=expired', 'the same person elsewhere')
    const mixed = await ada.leave('club')
    mixed.pathname = '/_app/connect/other/callback'
    assert.equal(await ada.come(mixed), '/?connect=expired')
    assert.deepEqual([await ada.connections(), await bob.connections()], [[], []])
  })

  test('a person whose linking is cancelled or refused by the provider is redirected back to the app with the reason', async () => {
    const ada = await member()
    const back = await ada.leave('club', '/settings')
    back.searchParams.delete('code')
    assert.equal(await ada.come(back), '/settings?connect=cancelled')
    const wrong = await ada.leave('club', '/settings')
    wrong.searchParams.set('code', 'wrong')
    assert.equal(await ada.come(wrong), '/settings?connect=failed')
    assert.deepEqual(await ada.connections(), [])
  })

  test('after linking an account a person is redirected only to pages of the app', async () => {
    const ada = await member()
    for (const returnTo of ['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)'])
      assert.equal(await ada.come(await ada.leave('club', returnTo)), '/?connect=linked', returnTo)
  })

  test('linking an external account is refused to visitors, and for services that are not declared or not set up', async () => {
    const [ada, visitor] = [await member(), new Member(app)]
    assert.equal((await visitor.call('GET', '/_app/connect')).error?.code, 'unauthorized')
    assert.equal(
      (await visitor.call('POST', '/_app/connect/crm/key', { key: KEY })).error?.code,
      'unauthorized',
    )
    assert.equal((await visitor.call('DELETE', '/_app/connect/club')).error?.code, 'unauthorized')
    const sent = await visitor.fetch('GET', '/_app/connect/club/start')
    assert.deepEqual([sent.status, sent.headers.get('location')], [302, '/sign-in'])
    assert.equal((await ada.call('GET', '/_app/connect/evil/start')).error?.code, 'not_found')
    assert.equal((await ada.call('GET', '/_app/connect/unset/start')).error?.code, 'not_enabled')
    assert.equal((await ada.call('GET', '/_app/connect/crm/start')).error?.code, 'invalid_request')
    assert.equal((await ada.ask('club')).error?.code, 'conflict', 'not linked yet')
    const nobody = await ada.fetch('GET', `/api/of/u_${'0'.repeat(26)}/club`)
    assert.equal(((await nobody.json()) as { error: { code: string } }).error.code, 'not_found')
  })

  test('a request path that leads outside the API of a connected service is refused without a request to that service', async () => {
    const ada = await member()
    await ada.link()
    asked.length = 0
    for (const path of ['//evil.test/me', '@evil.test/me', '/../token', '/..%2ftoken', '/\\evil.test'])
      assert.equal((await ada.ask('club', path)).error?.code, 'invalid_request', path)
    assert.deepEqual(asked, [])
  })

  test('fifty concurrent calls with an expired access token refresh the token once, and every call gets its response', async () => {
    const ada = await member()
    provider.change = { expires_in: 30 }
    await ada.link()
    provider.change = {}
    const answers = await Promise.all(Array.from({ length: 50 }, () => ada.ask()))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    assert.equal(renewals(), 1)
    await ada.ask()
    assert.equal(renewals(), 1, 'the next token holds for an hour')
  })

  test('a refresh token is used again when the provider sent no new refresh token with the last refresh', async () => {
    const ada = await member()
    provider.change = { expires_in: 30 }
    await ada.link()
    // The provider sends no new refresh token with this refresh, so the next refresh has to use the same token again.
    provider.change = { expires_in: 30, refresh_token: undefined }
    assert.equal((await ada.ask()).status, 200)
    const first = /refresh_token=([^& ]+)/.exec(asked.find((one) => one.includes('refresh_token')) ?? '')?.[1]
    await ada.ask()
    const last = asked.findLast((one) => one.includes('grant_type=refresh_token')) ?? ''
    assert.ok(first !== undefined && last.includes(first))
  })

  test('a connection whose refresh token is rejected is marked broken, and is not refreshed until the account is linked again', async () => {
    const ada = await member()
    provider.change = { expires_in: 30, refresh_token: 'spent' }
    await ada.link()
    assert.equal((await ada.ask()).error?.code, 'conflict')
    assert.equal((await ada.connections())[0]?.status, 'broken')
    const before = renewals()
    assert.equal((await ada.ask()).error?.code, 'conflict')
    assert.equal(renewals(), before)
    provider.change = {}
    await ada.link()
    assert.equal((await ada.ask()).status, 200)
    assert.equal((await ada.connections())[0]?.status, 'linked')
  })

  test('a connected account is not marked broken when its provider is unavailable for a short time', async () => {
    const ada = await member()
    provider.change = { expires_in: 30 }
    await ada.link()
    provider.refuses = 503
    assert.equal((await ada.ask()).error?.code, 'unavailable')
    provider.refuses = null
    assert.equal((await ada.ask()).status, 200)
  })

  const brokenOf = async (id: string) => {
    const users = await app.operate<{ id: string; brokenConnections: string[] }[]>('users', 'production', 99)
    return users.find((one) => one.id === id)?.brokenConnections
  }

  test('a connection whose grant was revoked at the service is marked broken at the next call until the account is linked again', async () => {
    for (const id of ['club', 'other']) {
      const ada = await member()
      await ada.link(id)
      assert.deepEqual(await brokenOf(ada.id), [])
      await provider.endLastGrant()
      assert.equal((await ada.ask(id)).error?.code, 'conflict')
      assert.equal((await ada.connections())[0]?.status, 'broken')
      assert.deepEqual(await brokenOf(ada.id), [id])
      await ada.link(id)
      assert.equal((await ada.ask(id)).status, 200)
      assert.equal((await ada.connections())[0]?.status, 'linked')
      assert.deepEqual(await brokenOf(ada.id), [])
    }
  })

  test('when a service refuses an unexpired access token, concurrent calls share one refresh and all get their responses', async () => {
    const ada = await member()
    await ada.link()
    provider.ended = new Set(provider.issued)
    const answers = await Promise.all(Array.from({ length: 20 }, () => ada.ask()))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    assert.equal(renewals(), 1)
    assert.equal((await ada.connections())[0]?.status, 'linked')
  })

  test('a connection is marked broken when the service also refuses the refreshed token, and is not listed after unlinking', async () => {
    const ada = await member()
    await ada.link()
    provider.refusesCalls = 401
    assert.equal((await ada.ask()).error?.code, 'conflict')
    assert.equal(renewals(), 1)
    assert.deepEqual(await brokenOf(ada.id), ['club'])
    await ada.call('DELETE', '/_app/connect/club')
    assert.deepEqual(await brokenOf(ada.id), [])
  })

  test('a connected account stays usable after the service was overloaded, failed or forbade a single call', async () => {
    const ada = await member()
    await ada.link()
    for (const status of [403, 404, 429, 500, 503]) {
      provider.refusesCalls = status
      assert.equal((await ada.ask()).status, status)
    }
    provider.refusesCalls = null
    assert.equal((await ada.ask()).status, 200)
    assert.equal(renewals(), 0)
    provider.ended = new Set(provider.issued)
    provider.refuses = 503
    assert.equal((await ada.ask()).error?.code, 'unavailable', 'a renewal that is not possible now')
    provider.refuses = null
    assert.equal((await ada.ask()).status, 200)
  })

  test('a connection is marked broken when Slack or Dropbox reports an invalid token, but not after other errors', async () => {
    const dropbox = (tag: string) => ({ error_summary: `${tag}/..`, error: { '.tag': tag } })
    for (const [id, status, body, isBroken] of [
      ['slack', 200, { ok: false, error: 'token_revoked' }, true],
      ['slack', 200, { ok: false, error: 'token_expired' }, true],
      ['slack', 200, { ok: false, error: 'account_inactive' }, true],
      ['slack', 200, { ok: false, error: 'channel_not_found' }, false],
      ['slack', 200, { ok: false, error: 'missing_scope', needed: 'users:read' }, false],
      ['slack', 200, { ok: true, members: [{ error: 'token_revoked' }] }, false],
      ['dropbox', 401, dropbox('invalid_access_token'), true],
      ['dropbox', 401, dropbox('expired_access_token'), true],
      ['dropbox', 401, dropbox('missing_scope'), false],
      ['dropbox', 409, dropbox('path'), false],
      ['dropbox', 401, 'no error that is known', true],
    ] as const) {
      const ada = await member()
      await ada.call('POST', `/_app/connect/${id}/key`, { key: 'a-token' })
      services.answer = () => Response.json(body, { status })
      const answer = await ada.fetch('GET', `/api/me/${id}`)
      const seen = [answer.status, (await ada.connections())[0]?.status]
      assert.deepEqual(seen, isBroken ? [409, 'broken'] : [status, 'linked'], JSON.stringify(body))
      if (!isBroken) assert.deepEqual(await answer.json(), body)
    }
  })

  test('a long response of Slack is passed on to the app complete', async () => {
    const ada = await member()
    await ada.call('POST', '/_app/connect/slack/key', { key: 'a-token' })
    const members = Array.from({ length: 20_000 }, (_, n) => ({ id: `U${n}`, name: 'someone' }))
    services.answer = () => Response.json({ ok: true, members })
    const answer = await ada.fetch('GET', '/api/me/slack')
    assert.deepEqual(await answer.json(), { ok: true, members })
  })

  test('an API key that a connected service refuses is marked broken until a new key is saved', async () => {
    const ada = await member()
    await ada.call('POST', '/_app/connect/crm/key', { key: 'withdrawn' })
    assert.equal((await ada.ask('crm')).error?.code, 'conflict')
    assert.equal((await ada.connections())[0]?.status, 'broken')
    await ada.call('POST', '/_app/connect/crm/key', { key: KEY })
    assert.deepEqual(await ada.ask('crm'), { status: 200, isKnown: true })
  })

  test('an API key of a connected service is saved, used and never shown', async () => {
    const ada = await member()
    const saved = await ada.call('POST', '/_app/connect/crm/key', { key: KEY })
    assert.doesNotMatch(JSON.stringify(saved), /canary/)
    assert.deepEqual(await ada.ask('crm'), { status: 200, isKnown: true })
    for (const key of ['', 'with space', 'line\nend', 'x'.repeat(5000), 7, null])
      assert.equal((await ada.call('POST', '/_app/connect/crm/key', { key })).error?.code, 'invalid_request')
    assert.equal(
      (await ada.call('POST', '/_app/connect/club/key', { key: KEY })).error?.code,
      'invalid_request',
    )
  })

  test('unlinking an account revokes its access at the provider and removes only that connection of that person', async () => {
    const [ada, bob] = [await member(), await member()]
    await ada.link()
    await ada.link('other')
    await bob.link()
    asked.length = 0
    const unlinked = await ada.call('DELETE', '/_app/connect/club')
    assert.deepEqual(unlinked.data, { revoked: true })
    assert.deepEqual(
      asked.map((one) => one.split(' ').slice(0, 2).join(' ')),
      [`POST ${provider.service.revokeUrl}`],
    )
    assert.deepEqual(
      (await ada.connections()).map((one) => one.provider),
      ['other'],
    )
    assert.equal((await ada.ask()).error?.code, 'conflict')
    assert.equal((await bob.ask()).status, 200)
    provider.refuses = 500
    const down = await ada.call('DELETE', '/_app/connect/other')
    assert.deepEqual([down.status, down.data], [200, { revoked: false }], 'a provider that is down')
    assert.deepEqual(await ada.connections(), [])
  })

  test('unlinking refreshes a nearly expired access token when the service needs a valid one to revoke access', async () => {
    const ada = await member()
    provider.change = { expires_in: 30 }
    await ada.link('bearer')
    provider.change = {}
    asked.length = 0
    bearers.length = 0
    assert.deepEqual((await ada.call('DELETE', '/_app/connect/bearer')).data, { revoked: true })
    assert.equal(renewals(), 1)
    assert.deepEqual(bearers, [`Bearer ${provider.issued.at(-2)}`])
    assert.deepEqual(await ada.connections(), [])
  })

  test('erasing a person removes all their connections, and the report counts them', async () => {
    const ada = await member()
    await ada.link()
    await ada.call('POST', '/_app/connect/crm/key', { key: KEY })
    asked.length = 0
    const report = await app.operate<{ removed: { connectedCredentials: number } }>(
      'erase',
      'production',
      ada.id,
    )
    assert.equal(report.removed.connectedCredentials, 2)
    assert.equal(asked.filter((one) => one.includes('/revoke')).length, 1)
    assert.deepEqual(await ada.call('GET', '/_app/connect').then(({ error }) => error?.code), 'unauthorized')
  })

  test('no response and no log line contains a token, a key or a secret of a connection', () => {
    const secrets = [...provider.issued, KEY, provider.client.secret, VARIABLES.CONNECT_VAULT_KEY]
    assert.ok(provider.issued.length > 20 && shown.length > 100 && lines.length > 0)
    const text = [...shown, ...lines].join('\n')
    for (const secret of secrets.filter((one) => one !== 'spent'))
      for (const form of [
        secret,
        Buffer.from(secret).toString('base64'),
        Buffer.from(secret).toString('hex'),
      ])
        assert.ok(!text.includes(form), form)
  })
})

describe('the vault of a running app', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-vault-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  test('a connection used after a key rotation survives the removal of the old key, and an unused connection is marked broken', async () => {
    const [old, fresh] = [vaultKey(), vaultKey()]
    const cookies = new Map<string, string>()
    const withKey = async <T>(key: string, work: (one: Member) => Promise<T>): Promise<T> => {
      const variables = { ...VARIABLES, CONNECT_VAULT_KEY: key }
      const app = await startApp(TREE, { ...OPTIONS, variables, stateFolder: folder })
      const one = new Member(app)
      for (const [name, value] of cookies) one.cookies.set(name, value)
      try {
        return await work(one)
      } finally {
        for (const [name, value] of one.cookies) cookies.set(name, value)
        await app.stop()
      }
    }
    await withKey(old, async (ada) => {
      await ada.signUp('ada')
      await ada.link()
      await ada.link('other')
    })
    // Using the first connection encrypts its credential again with the new key. The other connection is not used and keeps the old key.
    await withKey(`${fresh} ${old}`, async (ada) => assert.equal((await ada.ask()).status, 200))
    await withKey(fresh, async (ada) => {
      assert.equal((await ada.ask()).status, 200)
      assert.equal((await ada.ask('other')).error?.code, 'conflict')
      assert.deepEqual(
        (await ada.connections()).map(({ status }) => status),
        ['linked', 'broken'],
      )
    })
  })
})

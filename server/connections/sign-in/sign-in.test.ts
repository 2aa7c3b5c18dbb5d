import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  bodyResponse,
  closeProviders,
  errorResponse,
  okResponse,
  startProvider,
} from '../../cloudflare/testing.ts'
import { CORE_SCOPES } from '../../cloudflare/permissions.ts'
import { readConfig, withLocalWorld } from '../../config.ts'
import { startLocalWorld } from '../../process/local-world.ts'
import type { Client } from '../../testing/app.ts'
import { silentLog } from '../../testing/database.ts'
import { purgeSignIns } from './oauth-state.ts'
import { type ConnectionsApp, deployedIn, openConnectionsApp } from '../testing.ts'
import { leaves } from '../../testing/effects.ts'

describe('signing in at a provider', () => {
  let it: ConnectionsApp
  before(async () => {
    it = await openConnectionsApp()
  })
  after(() => it.close())
  after(closeProviders)

  const refused = (error: string, provider = 'cloudflare') => ({ provider, error })
  /** Returns the number of stored sign-ins in all organizations, so that a sign-in stored in a wrong organization is counted too. */
  const begun = async () => (await it.app.platform.db.selectFrom('oauth_states').selectAll().execute()).length
  const sameRow = async (person: Client, work: () => Promise<unknown>) => {
    const row = await it.rowOf(person)
    await work()
    assert.deepEqual(await it.rowOf(person), row, 'the connection was changed')
  }

  test('connecting the local Cloudflare emulator again after disconnecting it connects the same account', async () => {
    leaves({ activity: { 'connection.connected': 1, 'connection.disconnected': 1 } })
    const person = await it.newPerson()
    const first = await it.rowOf(person)
    assert.equal((await person.call('DELETE /connections/cloudflare')).status, 200)
    assert.equal((await it.look(person)).cloudflare.status, 'none')
    assert.deepEqual(await it.signIn(person), { connected: 'cloudflare' })
    const { cloudflare } = await it.look(person)
    assert.deepEqual([cloudflare.connected, cloudflare.account?.id], [true, first?.account_id])
    assert.deepEqual(
      [cloudflare.method, cloudflare.profile, cloudflare.missingScopes],
      ['oauth', 'local', []],
    )
    assert.deepEqual(
      (await it.actionsOf(person)).filter((one) => one.startsWith('cloudflare')),
      ['cloudflare connected', 'cloudflare disconnected', 'cloudflare connected'],
    )
  })

  test("connecting a provider again keeps the connection's id and account and returns to the page where the sign-in began", async () => {
    leaves({ activity: { 'connection.reconnected': 1 } })
    const person = await it.newPerson()
    const before = await it.rowOf(person)
    const page = await it.start(person, 'cloudflare', '?next=/welcome%3Fstep%3D2')
    const at = await it.comeBack(person, await it.visit(page))
    assert.equal(at.href, 'http://localhost:4300/welcome?step=2&connected=cloudflare')
    const row = await it.rowOf(person)
    assert.deepEqual([row?.id, row?.account_id], [before?.id, before?.account_id])
    assert.notEqual(row?.token, before?.token)
  })

  test('a started OAuth sign-in at a provider has a PKCE challenge, and its state is not stored in plain text', async () => {
    const person = await it.newPerson()
    const page = (await it.start(person)).searchParams
    assert.deepEqual([page.get('response_type'), page.get('code_challenge_method')], ['code', 'S256'])
    assert.match(page.get('state') ?? '', /^[\w-]{43}$/)
    const stored = JSON.stringify(await it.app.platform.db.selectFrom('oauth_states').selectAll().execute())
    assert.ok(!stored.includes(page.get('state') ?? ''))
  })

  test('an OAuth callback whose state is missing, made up, used or of another provider connects nothing', async () => {
    leaves({ activity: { 'connection.reconnected': 1 } })
    const person = await it.newPerson()
    const back = await it.visit(await it.start(person))
    await sameRow(person, async () => {
      const bad = (change: (url: URL) => void) => {
        const url = new URL(back)
        change(url)
        return it.comeBack(person, url)
      }
      const answers = [
        await bad((url) => url.searchParams.delete('state')),
        await bad((url) => url.searchParams.set('state', 'x'.repeat(43))),
        await bad((url) => (url.search = '')),
        await bad((url) => url.searchParams.set('state', '\0')),
      ]
      for (const answer of answers)
        assert.equal(
          answer.href,
          'http://localhost:4300/settings/connections?provider=cloudflare&error=state',
        )
      const elsewhere = await bad((url) => (url.pathname = url.pathname.replace('cloudflare', 'github')))
      assert.deepEqual(Object.fromEntries(elsewhere.searchParams), refused('state', 'github'))
    })
    assert.equal((await it.comeBack(person, back)).searchParams.get('connected'), 'cloudflare')
    await sameRow(person, async () =>
      assert.equal((await it.comeBack(person, back)).searchParams.get('error'), 'state'),
    )
  })

  test('an OAuth callback with the state of another session, person or organization connects nothing and leaves the state usable', async () => {
    leaves({ activity: { 'connection.reconnected': 1 } })
    const person = await it.newPerson()
    const stranger = await it.newPerson()
    const back = await it.visit(await it.start(person))
    await sameRow(stranger, async () =>
      assert.equal((await it.comeBack(stranger, back)).searchParams.get('error'), 'state'),
    )
    const again = await it.app.request('POST /api/auth/sign-in/email', {
      headers: { 'content-type': 'application/json', origin: it.app.config.baseUrl },
      body: JSON.stringify({ email: person.email, password: 'correct horse battery' }),
    })
    const cookie = again.headers
      .getSetCookie()
      .map((text) => text.split(';')[0])
      .join('; ')
    const other = await it.comeBack(person, back, { cookie })
    assert.equal(other.searchParams.get('error'), 'state')
    assert.equal((await it.comeBack(person, back)).searchParams.get('connected'), 'cloudflare')
  })

  test('an OAuth callback more than ten minutes after the start of the sign-in is refused as expired, and abandoned sign-ins are deleted', async () => {
    const person = await it.newPerson()
    const back = await it.visit(await it.start(person))
    it.app.clock.advance(10 * 60_000)
    await sameRow(person, async () =>
      assert.equal((await it.comeBack(person, back)).searchParams.get('error'), 'expired'),
    )
    await it.start(person)
    it.app.clock.advance(71 * 60_000)
    await purgeSignIns.run(it.app.platform, new AbortController().signal)
    assert.equal(await begun(), 0)
  })

  test('an OAuth callback with a code that was used, or never issued, connects nothing', async () => {
    leaves({ activity: { 'connection.reconnected': 1 } })
    const person = await it.newPerson()
    const used = await it.visit(await it.start(person))
    await it.comeBack(person, used)
    const next = await it.visit(await it.start(person))
    next.searchParams.set('code', used.searchParams.get('code') ?? '')
    await sameRow(person, async () => {
      assert.equal((await it.comeBack(person, next)).searchParams.get('error'), 'code')
      const without = await it.visit(await it.start(person))
      without.searchParams.delete('code')
      assert.equal((await it.comeBack(person, without)).searchParams.get('error'), 'code')
    })
  })

  test("when a person declines on the provider's consent page, the console shows the error denied and the existing connection stays unchanged", async () => {
    const person = await it.newPerson()
    for (const provider of ['cloudflare', 'github'])
      await sameRow(person, async () => {
        const told = await it.signIn(person, {
          provider,
          query: '?prompt=consent',
          decision: { decision: 'deny' },
        })
        assert.deepEqual(told, refused('denied', provider))
      })
  })

  test('a sign-in at a provider never redirects to a page outside the console', async () => {
    leaves({ activity: { 'connection.reconnected': 1 } })
    const person = await it.newPerson()
    const pages = ['https://evil.example', '//evil.example', '/\\evil.example', 'evil', '/a\tb', '/api/v1/me']
    const dots = ['/.//evil.example', '/a/..//evil.example', '/%2e//evil.example']
    for (const next of [...pages, ...dots, '/\t/evil.example', '\\/evil.example', 'javascript:alert(1)']) {
      const { status, error } = await person.call(
        `GET /connections/cloudflare/start?next=${encodeURIComponent(next)}`,
      )
      assert.equal(status, 400, next)
      assert.match(error?.message ?? '', /^next: /)
    }
    const back = await it.visit(await it.start(person))
    back.searchParams.set('next', 'https://evil.example')
    const at = await it.comeBack(person, back)
    assert.equal(at.origin + at.pathname, 'http://localhost:4300/settings/connections')
  })

  test('an OAuth callback of a caller without the right to connect accounts redirects browsers to the console; programs get 401 or 403', async () => {
    leaves({ activity: { 'connection.reconnected': 1 } })
    const person = await it.newPerson()
    const back = await it.visit(await it.start(person))
    const route = `GET ${back.pathname}${back.search}`
    const page = { accept: 'text/html,*/*' }
    const browser = await it.app.nobody.raw(route, { headers: page })
    const location = new URL(browser.headers.get('location') ?? '').searchParams
    assert.deepEqual([browser.status, location.get('error')], [302, 'signed_out'])
    assert.equal((await it.app.nobody.raw(route)).status, 401)
    const { db } = it.app.platform
    const member = db.updateTable('member').where('organizationId', '=', person.organizationId)
    await member.set({ role: 'member' }).execute()
    assert.equal((await it.comeBack(person, back, page)).searchParams.get('error'), 'not_allowed')
    assert.equal((await person.raw(route)).status, 403)
    await member.set({ role: 'owner' }).execute()
    const key = await it.app.keyFor(person)
    assert.equal((await key.raw(route, { headers: page })).status, 403)
    assert.equal((await it.comeBack(person, back)).searchParams.get('connected'), 'cloudflare')
  })

  test('a sign-in at an unreachable provider and a sign-in at a provider without OAuth settings fail with different errors', async () => {
    const person = await it.newPerson()
    for (const [provider, variable] of [
      ['cloudflare', 'SLIPWAY_CLOUDFLARE_CLIENT_ID'],
      ['github', 'SLIPWAY_GITHUB_CLIENT_ID'],
    ] as const) {
      const { status, error } = await person.call(`GET /connections/${provider}/start?profile=real`)
      assert.equal(status, 409)
      assert.ok(error?.message.includes(variable), String(error?.message))
    }
    assert.equal((await person.call('GET /connections/gitlab/start')).status, 404)
    const back = await it.visit(await it.start(person))
    const { cloudflare } = it.app.config
    it.app.config.cloudflare = { ...cloudflare, oauth: 'http://127.0.0.1:1/oauth2' }
    const at = await it.comeBack(person, back)
    it.app.config.cloudflare = cloudflare
    assert.equal(at.searchParams.get('error'), 'unreachable')
  })

  test('a grant of Cloudflare is revoked when its accounts cannot be read or its connection cannot be stored', async () => {
    const person = await it.newPerson()
    const { platform, config } = it.app
    const [{ cloudflare }, { keyring }] = [config, platform]
    const account = { id: (await it.rowOf(person))?.account_id, name: 'Mine' }
    const granted = bodyResponse({ access_token: 'a', refresh_token: 'r', scope: '' })
    for (const answers of [
      [granted, errorResponse(400, 1, 'no accounts today'), bodyResponse('')],
      [granted, okResponse([account]), okResponse({ subdomain: 'mine' }), bodyResponse('')],
    ])
      await sameRow(person, async () => {
        const { options, requests } = await startProvider(...answers)
        const back = await it.visit(await it.start(person))
        config.cloudflare = { ...cloudflare, api: options.api, oauth: options.api }
        platform.keyring = {
          ...keyring,
          seal: () => {
            throw new Error('cannot be sealed')
          },
        }
        const at = await it.comeBack(person, back)
        config.cloudflare = cloudflare
        platform.keyring = keyring
        assert.deepEqual(Object.fromEntries(at.searchParams), refused('failed'))
        assert.equal(requests.length, answers.length)
        assert.match(requests.at(-1)?.url ?? '', /revoke$/)
        assert.equal(new URLSearchParams(requests.at(-1)?.body).get('token'), 'r')
      })
  })

  test('a sign-in at Cloudflare itself requests the scopes needed now and those granted before', async () => {
    const person = await it.newPerson()
    const { real } = it.app.config
    const clientId = 'of-the-operator'
    it.app.config.real = {
      cloudflare: { ...real.cloudflare, clientId },
      github: { ...real.github, clientId, clientSecret: 's' },
    }
    assert.deepEqual((await it.look(person)).cloudflare.signIns, ['local', 'real'])
    const page = await it.start(person, 'cloudflare', '?profile=real')
    const { db } = it.app.platform
    const row = db.updateTable('connections').where('org_id', '=', person.organizationId)
    await row.set({ profile: 'real', scopes: ['dns.write', 'made.up'] }).execute()
    const again = await it.start(person, 'cloudflare', '?profile=real')
    const github = await it.start(person, 'github', '?profile=real')
    it.app.config.real = real

    assert.equal(page.origin + page.pathname, 'https://dash.cloudflare.com/oauth2/auth')
    assert.deepEqual(page.searchParams.get('scope')?.split(' '), [...CORE_SCOPES])
    assert.deepEqual(again.searchParams.get('scope')?.split(' '), [...CORE_SCOPES, 'dns.write'])
    const back = 'http://localhost:4300/api/v1/connections/'
    assert.equal(page.searchParams.get('redirect_uri'), `${back}cloudflare/callback`)
    assert.equal(page.searchParams.get('login_hint'), null)
    assert.equal(github.origin + github.pathname, 'https://github.com/login/oauth/authorize')
    assert.deepEqual(
      [github.searchParams.get('scope'), github.searchParams.get('redirect_uri')],
      ['repo', `${back}github/callback`],
    )
  })

  test('GitHub is connected by an OAuth sign-in, and disconnecting it revokes the grant at GitHub', async () => {
    leaves({ activity: { 'connection.disconnected': 1, 'connection.reconnected': 2 } })
    const person = await it.newPerson()
    await it.signIn(person, { provider: 'github' })
    const told = await it.signIn(person, {
      provider: 'github',
      query: '?prompt=consent',
      decision: { login: 'owner', grant: [] },
    })
    assert.deepEqual(told, { connected: 'github' })
    const { github } = await it.look(person)
    assert.deepEqual([github.login, github.connected, github.missingScopes], ['owner', true, ['repo']])
    const { data } = await person.call<{ revoked: boolean; stops: string[] }>('DELETE /connections/github')
    assert.ok(data.revoked && data.stops.length > 0)
    assert.equal((await person.call('DELETE /connections/github')).status, 404)
  })

  test('after the local Cloudflare emulator lost its data, connecting again restores the same account', async () => {
    leaves({
      events: { 'project.created': 1 },
      activity: { 'connection.expired failed': 1, 'connection.reconnected': 1 },
    })
    const person = await it.newPerson()
    const before = await it.rowOf(person)
    await deployedIn(it, person, before?.account_id ?? '')
    const dataDir = mkdtempSync(join(tmpdir(), 'slipway-lost-'))
    const world = await startLocalWorld({ dataDir, port: 0, appsPort: 0, control: false, log: silentLog })
    const { cloudflare } = it.app.config
    try {
      it.app.config.cloudflare = withLocalWorld(readConfig({}).config, world).cloudflare
      const lost = await person.call('GET /connections/cloudflare/r2')
      assert.deepEqual([lost.status, lost.error?.code], [502, 'upstream_error'])
      assert.equal((await it.look(person)).cloudflare.status, 'needs_reconnect')
      assert.deepEqual(await it.signIn(person), { connected: 'cloudflare' })
      const row = await it.rowOf(person)
      assert.deepEqual(
        [row?.id, row?.account_id, row?.subdomain],
        [before?.id, before?.account_id, before?.subdomain],
      )
      assert.equal((await person.call('GET /connections/cloudflare/r2')).status, 200)
    } finally {
      it.app.config.cloudflare = cloudflare
      await world.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { bodyResponse, closeProviders, startProvider } from '../cloudflare/testing.ts'
import type { CloudflareProfile, Config } from '../config.ts'
import type { PlatformPorts } from '../platform.ts'
import { silentLog, testDatabase, type TestDatabase } from '../testing/database.ts'
import { isStandIn, openStandIn } from './stand-in.ts'

type Responder = Parameters<typeof startProvider>[0]
const BASE_URL = 'https://slipway.test'
const OFF =
  'The project lives in the local cloud, which is switched off. Start Slipway with SLIPWAY_LOCAL_WORLD=on until it has moved.'

/** The emulator: every sign-in gets the next token, or is refused when `isRefused` returns true for its number. */
function emulator(isRefused = (_signIn: number) => false): Responder {
  let signIns = 0
  return (request, response) => {
    const url = new URL(request.url, 'http://x')
    if (request.method === 'POST') return bodyResponse({ access_token: `token${signIns}` })(request, response)
    if (isRefused(++signIns)) return bodyResponse('', 503)(request, response)
    const state = url.searchParams.get('state') ?? ''
    response.writeHead(302, { location: `${BASE_URL}/?code=c&state=${state}` }).end()
  }
}

describe('an account of the local emulator that the organization used before', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
    for (const org of ['o1', 'o2'])
      await database.pool.query(
        `insert into organization (id, name, slug, "createdAt") values ($1, $1, $1, now())`,
        [org],
      )
    const add = (org: string, account: string, profile: string, subdomain: string | null) =>
      database.pool.query(
        `insert into cloud_accounts (org_id, account_id, profile, name, subdomain, connected_at, created_at)
         values ($1, $2, $3, 'Shop', $4, now(), now())`,
        [org, account, profile, subdomain],
      )
    await add('o1', 'acc', 'local', 'demo')
    await add('o1', 'bare', 'local', null)
    await add('o1', 'real', 'real', 'demo')
  })
  after(async () => {
    await database.drop()
    await closeProviders()
  })

  async function start(answer = emulator()) {
    const { options, requests, seen } = await startProvider(answer)
    const local: CloudflareProfile = {
      name: 'local',
      api: options.api,
      oauth: `${options.api}/oauth2`,
      clientId: 'id',
      clientSecret: null,
      appUrl: (script) => `https://${script}.test`,
    }
    const platform = (cloudflare: Partial<CloudflareProfile> = {}): PlatformPorts<'config'> => ({
      db: database.db,
      log: silentLog,
      clock: { now: () => new Date('2026-11-26T10:00:00Z') },
      config: { baseUrl: BASE_URL, cloudflare: { ...local, ...cloudflare } } as Config,
    })
    const open = (orgId = 'o1', accountId = 'acc') => openStandIn(platform(), database.db, orgId, accountId)
    const signIns = () => seen.filter((call) => call === 'GET /oauth2/auth').length
    return { open, platform, requests, signIns, local }
  }

  test('an account of the local Cloudflare emulator gets its first token by a sign-in without user interaction', async () => {
    const { open, requests, local } = await start()
    const { credential, ...account } = await open()
    assert.deepEqual(account, {
      id: 'stand-in acc',
      account_id: 'acc',
      subdomain: 'demo',
      endpoints: local,
    })
    assert.equal(requests.length, 0)
    assert.equal(await credential().token(), 'token1')
    const { searchParams } = new URL(requests[0]?.url ?? '', 'http://x')
    const names = ['prompt', 'login_hint', 'account_name', 'account_id', 'account_subdomain', 'redirect_uri']
    assert.deepEqual(
      names.map((name) => searchParams.get(name)),
      ['none', 'o1', 'Shop', 'acc', 'demo', `${BASE_URL}/api/v1/connections/cloudflare/callback`],
    )
  })

  test('all calls to an account of the local Cloudflare emulator share one sign-in, even when the account is opened twice', async () => {
    const { open, signIns } = await start()
    const [first, second] = [(await open()).credential(), (await open()).credential()]
    assert.equal(first.id, second.id)
    assert.deepEqual(
      await Promise.all([first.token(), first.token(), second.token()]),
      Array(3).fill('token1'),
    )
    assert.equal(await second.token(), 'token1')
    assert.equal(signIns(), 1)
  })

  test('a token refused by the local Cloudflare emulator is renewed once, however many calls notice it at the same time', async () => {
    const { open, signIns } = await start()
    const { token, renew } = (await open()).credential()
    const stale = await token()
    assert.deepEqual(await Promise.all([renew(stale), renew(stale), renew(stale)]), Array(3).fill('token2'))
    assert.equal(await token(), 'token2')
    assert.equal(await renew(stale), 'token2')
    assert.equal(signIns(), 2)
  })

  test('after a failed sign-in at the local Cloudflare emulator, the next call signs in again', async () => {
    const { open, signIns } = await start(emulator((signIn) => signIn === 1))
    const { token } = (await open()).credential()
    await assert.rejects(token(), { message: 'The cloud account did not grant access.', retryable: true })
    assert.equal(await token(), 'token2')
    assert.equal(signIns(), 2)
  })

  test('after a failed token renewal at the local Cloudflare emulator, the next call signs in again', async () => {
    const { open } = await start(emulator((signIn) => signIn === 2))
    const { token, renew } = (await open()).credential()
    await assert.rejects(renew(await token()), { message: 'The cloud account did not grant access.' })
    assert.equal(await token(), 'token3')
  })

  test('an emulator account whose token was marked as dead signs in again instead of asking a person to reconnect', async () => {
    const { open } = await start()
    const { token, markDead } = (await open()).credential()
    await token()
    await markDead()
    assert.equal(await token(), 'token2')
  })

  test('the emulator opens no account that is unknown, has no subdomain, or belongs to another organization or to Cloudflare itself', async () => {
    const { open } = await start()
    for (const [org, account] of [
      ['o2', 'acc'],
      ['o1', 'real'],
      ['o1', 'bare'],
      ['o1', 'none'],
    ] as const)
      await assert.rejects(open(org, account), {
        code: 'conflict',
        message: `It belongs to the cloud account ${account}, which is not the connected one.`,
      })
  })

  test('opening an emulator account while the emulator is switched off throws an error that says how to switch it on', async () => {
    const { platform } = await start()
    await assert.rejects(openStandIn(platform({ name: 'real' }), database.db, 'o1', 'acc'), {
      code: 'conflict',
      message: OFF,
    })
  })

  test('a Cloudflare account counts as an account of the local emulator exactly when its stored profile is `local`', () => {
    assert.deepEqual([isStandIn({ profile: 'local' }), isStandIn({ profile: 'real' })], [true, false])
  })
})

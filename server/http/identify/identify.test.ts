import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { hashApiKey, newApiKey } from '../../crypto/api-key.ts'
import { makeKeyring } from '../../crypto/keyring.ts'
import { newSecrets } from '../../crypto/secrets.ts'
import type { Database } from '../../db/database.ts'
import { testDatabase } from '../../testing/database.ts'
import { openMinimalApp, type MinimalApp } from '../../testing/apps/minimal-app.ts'
import { ApiError } from '../errors.ts'
import { identify } from './identify.ts'
import { flushKeyUses } from '../../statements/keys/key-use.ts'

let database: Database & { drop(): Promise<void> }
let app: MinimalApp
let ada: Awaited<ReturnType<MinimalApp['signUp']>>
let organizationId: string
let queries = 0
let signedUpAt: number

const requestWith = (headers: Record<string, string>) =>
  new Request('http://localhost:4300/api/v1/me', { headers })
const identityOf = (headers: Record<string, string>) =>
  identify(app.platform, requestWith(headers), app.clock.now())
const callerOf = async (headers: Record<string, string>) => (await identityOf(headers)).caller

async function assertRefused(headers: Record<string, string>, code = 'unauthorized'): Promise<void> {
  await assert.rejects(callerOf(headers), (error) => {
    assert.ok(error instanceof ApiError, String(error))
    assert.equal(error.code, code)
    return true
  })
}

async function storeKey(row: { expires_at?: Date; created_by?: string | null } = {}) {
  const key = newApiKey()
  const id = `key_${key.prefix}`
  await database.db
    .insertInto('api_keys')
    .values({
      id,
      org_id: organizationId,
      created_by: ada.userId,
      name: 'k',
      prefix: key.prefix,
      key_hash: hashApiKey(key.text),
      scopes: ['projects:read'],
      source: 'console',
      expires_at: null,
      last_used_at: null,
      created_at: app.clock.now(),
      ...row,
    })
    .execute()
  return { id, authorization: `Bearer ${key.text}` }
}
const lastUse = async (id: string) =>
  (
    await database.db
      .selectFrom('api_keys')
      .select('last_used_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).last_used_at

describe('identifying the caller', () => {
  before(async () => {
    database = await testDatabase()
    app = openMinimalApp(database, [])
    signedUpAt = Date.now()
    ada = await app.signUp('Ada')
    organizationId = (await callerOf({ cookie: ada.cookie })).organizationId
    const query = database.pool.query.bind(database.pool)
    database.pool.query = ((...args: Parameters<typeof query>) => {
      queries++
      return query(...args)
    }) as typeof query
  })
  beforeEach(() => {
    queries = 0
  })
  after(async () => {
    await app.auth.close()
    await database.drop()
  })

  describe('an API key', () => {
    test('identifying an API key returns its scopes and its creator, and takes one query', async () => {
      const { id, authorization } = await storeKey()
      const found = await callerOf({ authorization })
      assert.equal(queries, 1)
      assert.deepEqual(found, {
        kind: 'key',
        organizationId,
        organizationName: "Ada's organization",
        plan: 'enterprise',
        suspendedAt: null,
        actorId: id,
        userId: ada.userId,
        userName: 'Ada',
        email: ada.email,
        role: null,
        scopes: new Set(['projects:read']),
      })
      assert.equal((await callerOf({ authorization: authorization.replace('Bearer', 'bEARER') })).actorId, id)
    })

    test('an API key with a wrong form or checksum is refused without a query', async () => {
      const { authorization } = await storeKey()
      const wrong = [
        '',
        'Bearer',
        'Bearer ',
        'Bearer svk_x',
        `${authorization}0`,
        authorization.slice(0, -1),
        authorization.slice(0, -1) + (authorization.endsWith('x') ? 'y' : 'x'),
        authorization.replace('Bearer', 'Basic'),
        authorization.replace('Bearer ', ''),
        `${authorization}, ${authorization}`,
        `Bearer ${'x'.repeat(5000)}`,
      ]
      for (const authorization of wrong) await assertRefused({ authorization })
      assert.equal(queries, 0)
    })

    test('an API key that does not exist, was revoked or has expired is refused', async () => {
      await assertRefused({ authorization: `Bearer ${newApiKey().text}` })
      const revoked = await storeKey()
      await database.db.deleteFrom('api_keys').where('id', '=', revoked.id).execute()
      await assertRefused({ authorization: revoked.authorization })
      const expiring = await storeKey({ expires_at: new Date(app.clock.now().getTime() + 1000) })
      assert.equal((await callerOf({ authorization: expiring.authorization })).kind, 'key')
      app.clock.at = new Date(app.clock.at.getTime() + 1000)
      await assertRefused({ authorization: expiring.authorization })
    })

    test('an API key still works after its creator was deleted', async () => {
      const { authorization } = await storeKey({ created_by: null })
      const found = await callerOf({ authorization })
      assert.deepEqual([found.userId, found.email], [null, null])
    })

    test('a request with an API key and a session cookie is identified by the key alone, and refused when the key is refused', async () => {
      const { authorization } = await storeKey()
      assert.equal((await callerOf({ authorization, cookie: ada.cookie })).kind, 'key')
      await assertRefused({ authorization: 'Bearer svk_wrong', cookie: ada.cookie })
    })

    test('the last-use times of API keys are written later in one batch, and an earlier time never replaces a later one', async () => {
      const [a, b] = [await storeKey(), await storeKey()]
      await callerOf({ authorization: a.authorization })
      await callerOf({ authorization: b.authorization })
      assert.equal(await lastUse(a.id), null)
      await flushKeyUses(app.platform.db)
      const used = app.clock.now()
      assert.deepEqual([await lastUse(a.id), await lastUse(b.id)], [used, used])
      app.clock.at = new Date(used.getTime() - 60_000)
      await callerOf({ authorization: a.authorization })
      await flushKeyUses(app.platform.db)
      app.clock.at = used
      assert.deepEqual(await lastUse(a.id), used)
    })
  })

  describe("the organization's policy", () => {
    const policyRow = (row: object) =>
      database.db
        .insertInto('security_policies')
        .values({
          org_id: organizationId,
          require_sso: false,
          require_two_factor: true,
          session_lifetime_days: 7,
          allowed_ips: ['10.0.0.0/8'],
          updated_at: app.clock.now(),
          created_at: app.clock.now(),
          ...row,
        })
        .execute()

    test('an organization without a security policy requires nothing, and a policy is read in the same query as the caller', async () => {
      const { authorization } = await storeKey()
      const nothing = {
        requireSso: false,
        requireTwoFactor: false,
        sessionLifetimeDays: null,
        allowedIps: [],
      }
      assert.deepEqual((await identityOf({ authorization })).policy, nothing)
      assert.deepEqual((await identityOf({ cookie: ada.cookie })).policy, nothing)
      await policyRow({})
      queries = 0
      const asked = { ...nothing, requireTwoFactor: true, sessionLifetimeDays: 7, allowedIps: ['10.0.0.0/8'] }
      assert.deepEqual((await identityOf({ authorization })).policy, asked)
      assert.deepEqual((await identityOf({ cookie: ada.cookie })).policy, asked)
      assert.equal(queries, 2)
      await database.db.deleteFrom('security_policies').execute()
    })

    test('identifying a session returns its creation time and its use of SSO and two-factor; an API key has no session', async () => {
      const { authorization } = await storeKey()
      assert.equal((await identityOf({ authorization })).session, null)
      const { session } = await identityOf({ cookie: ada.cookie })
      assert.deepEqual([session?.isThroughSso, session?.hasTwoFactor], [false, false])
      const late = (session?.createdAt.getTime() ?? 0) - signedUpAt
      assert.ok(late >= -1000 && late < 30_000, `${late} ms`)
    })
  })

  describe('a session', () => {
    test('a session is identified with one query and has every scope', async () => {
      const found = await callerOf({ cookie: `theme=dark; ${ada.cookie}; other=1` })
      assert.equal(queries, 1)
      assert.equal(found.kind, 'session')
      assert.equal(found.role, 'owner')
      assert.equal(found.actorId, ada.userId)
      assert.equal(found.scopes.size, 5)
    })

    test('a session cookie that is forged, cut or signed by another installation is refused without a query', async () => {
      const [name = '', value = ''] = (ada.cookie.split('; ')[0] ?? '').split('=')
      const [token = '', signature = ''] = decodeURIComponent(value).split('.')
      const foreign = openMinimalApp(database, [])
      const wrong = [
        '',
        'theme=dark',
        `${name}=`,
        `${name}=${token}`,
        `${name}=${token}.`,
        `${name}=.${signature}`,
        `${name}=${encodeURIComponent(`${token}x.${signature}`)}`,
        `${name}=${encodeURIComponent(`${token}.${signature.slice(1)}`)}`,
        `${name}=%E0%A4%A`,
        `x${ada.cookie}`,
      ]
      for (const cookie of wrong) await assertRefused({ cookie })
      foreign.platform.keyring = makeKeyring(newSecrets())
      await assert.rejects(identify(foreign.platform, requestWith({ cookie: ada.cookie }), new Date()), {
        code: 'unauthorized',
      })
      await foreign.auth.close()
      assert.equal(queries, 0)
      await assertRefused({})
    })

    test('over https only the session cookie with the __Host- prefix is read', async () => {
      const { platform } = app
      const secure = { ...platform, config: { ...platform.config, baseUrl: 'https://slipway.test' } }
      const identifyCookie = (cookie: string) => identify(secure, requestWith({ cookie }), app.clock.now())
      assert.equal((await identifyCookie(`__Host-${ada.cookie}`)).caller.userId, ada.userId)
      // Another subdomain could set cookies with these names.
      for (const cookie of [ada.cookie, `__Secure-${ada.cookie}`])
        await assert.rejects(identifyCookie(cookie), { code: 'unauthorized' })
    })

    test('the valid session cookie is used, with one query, when broken or expired cookies of the same name are sent too', async () => {
      const [own = ''] = ada.cookie.split('; ')
      const name = own.split('=')[0] ?? ''
      const gone = await app.signUp('Gone')
      await database.db.deleteFrom('session').where('userId', '=', gone.userId).execute()
      const [ended = ''] = gone.cookie.split('; ')
      queries = 0
      const planted = [`${name}=x.y`, `${name}=%E0%A4%A`, `${name}=`, ended]
      for (const bad of planted)
        for (const cookie of [`${bad}; ${own}`, `${own}; ${bad}`])
          assert.equal((await callerOf({ cookie })).userId, ada.userId, cookie)
      assert.equal(queries, planted.length * 2)
    })

    test('the session cookie of this host is preferred to a valid cookie of the same name that was planted with a longer path', async () => {
      const thief = await app.signUp('Thief')
      const [own = '', planted = ''] = [ada, thief].map(({ cookie }) => cookie.split('; ')[0] ?? '')
      // Browsers send cookies with longer paths first (RFC 6265, section 5.4).
      assert.equal((await callerOf({ cookie: `${planted}; ${own}` })).userId, ada.userId)
    })

    test('an expired session is refused and deleted', async () => {
      const before = app.clock.at
      const late = await app.signUp('Late')
      app.clock.at = new Date(before.getTime() + 31 * 86_400_000)
      await assertRefused({ cookie: late.cookie })
      app.clock.at = before
      const left = await database.db
        .selectFrom('session')
        .select('id')
        .where('userId', '=', late.userId)
        .execute()
      assert.deepEqual(left, [])
    })

    test('a session of an organization without a settings row has the default plan', async () => {
      await database.db.deleteFrom('organization_settings').where('org_id', '=', organizationId).execute()
      assert.equal((await callerOf({ cookie: ada.cookie })).plan, app.platform.config.defaultPlan)
    })

    test('a session of a person in no organization is refused as forbidden', async () => {
      const loner = await app.signUp('Loner')
      await database.db.deleteFrom('member').where('userId', '=', loner.userId).execute()
      await assertRefused({ cookie: loner.cookie }, 'forbidden')
      await database.db.updateTable('session').set({ activeOrganizationId: null }).execute()
      await assertRefused({ cookie: loner.cookie }, 'forbidden')
      assert.equal(
        (await callerOf({ cookie: ada.cookie })).organizationId,
        organizationId,
        'falls back to the oldest',
      )
    })
  })
})

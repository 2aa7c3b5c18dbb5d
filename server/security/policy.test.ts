import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Database } from '../db/database.ts'
import { keyRoutes } from '../keys/keys.routes.ts'
import { meRoutes } from '../me/me.routes.ts'
import { testDatabase } from '../testing/database.ts'
import { cookieOf, type MinimalApp, openMinimalApp, PASSWORD } from '../testing/apps/minimal-app.ts'
import { securityRoutes } from './security.routes.ts'
import { HOUR_MS } from '@slipway/runtime/kernel/durations.ts'

const NOTHING = { requireSso: false, requireTwoFactor: false, sessionLifetimeDays: null, allowedIps: [] }
/** Fields of the response that are not part of the policy. */
const TOLD = { ssoReady: false, callerAddress: '127.0.0.1' }

type Body = { data?: Record<string, unknown>; error?: { code: string; message: string } }

describe('the security policy', () => {
  let database: Database & { drop(): Promise<void> }
  let app: MinimalApp
  let people = 0
  let owner: Awaited<ReturnType<MinimalApp['signUp']>>
  before(async () => {
    database = await testDatabase()
    app = openMinimalApp(database, [...securityRoutes, ...keyRoutes, ...meRoutes])
  })
  beforeEach(async () => {
    owner = await app.signUp(`Owner ${++people}`)
  })
  after(async () => {
    await app.auth.close()
    await database.drop()
  })

  type Who = { cookie?: string; key?: string }
  const callAs = async (method: string, path: string, as: Who, body?: unknown) => {
    const answer = await app.send(method, `/api/v1${path}`, as, body)
    return { status: answer.status, ...((await answer.json()) as Body) }
  }
  const putPolicy = (change: object, as: Who = owner) =>
    callAs('PUT', '/security', as, { ...NOTHING, ...change })
  const signIn = async (email: string) =>
    cookieOf(await app.send('POST', '/api/auth/sign-in/email', {}, { email, password: PASSWORD }))
  const organizationOf = async (as: Who) => {
    const { data } = await callAs('GET', '/me', as)
    assert.ok(data)
    return (data['organization'] as { id: string }).id
  }
  const addMember = async (organizationId: string, role: string) => {
    const person = await app.signUp(`Joined ${++people}`)
    await database.db
      .updateTable('member')
      .set({ organizationId, role })
      .where('userId', '=', person.userId)
      .execute()
    await database.db
      .updateTable('session')
      .set({ activeOrganizationId: organizationId })
      .where('userId', '=', person.userId)
      .execute()
    return person
  }
  const listUpdates = async (organizationId: string) =>
    database.db
      .selectFrom('activity')
      .select(['action', 'actor', 'detail'])
      .where('org_id', '=', organizationId)
      .where('action', '=', 'security.updated')
      .orderBy('id')
      .execute()

  test("an organization's security policy requires nothing until it is set, and is then read back with normalized addresses", async () => {
    assert.deepEqual((await callAs('GET', '/security', owner)).data, {
      ...NOTHING,
      anyPackages: false,
      ...TOLD,
    })
    const change = { allowedIps: ['127.0.0.0/8', '10.1.2.3/8'], anyPackages: true }
    const set = await putPolicy(change)
    assert.equal(set.status, 200)
    const expected = { ...NOTHING, allowedIps: ['127.0.0.0/8', '10.0.0.0/8'], anyPackages: true, ...TOLD }
    assert.deepEqual(set.data, expected)
    assert.deepEqual((await callAs('GET', '/security', owner)).data, expected)
    assert.deepEqual(await listUpdates(await organizationOf(owner)), [
      {
        action: 'security.updated',
        actor: owner.email,
        detail: 'allowedIps: ["127.0.0.0/8","10.0.0.0/8"], anyPackages: true',
      },
    ])
  })

  test('the security policy is set as a whole: all four fields are required, and the error for an invalid field names it', async () => {
    for (const field of Object.keys(NOTHING)) {
      const { [field as keyof typeof NOTHING]: _, ...rest } = NOTHING
      const answer = await callAs('PUT', '/security', owner, rest)
      assert.deepEqual([answer.status, answer.error?.message], [400, `${field}: is required`])
    }
    for (const days of [0, 2, 31, '7', 1.5, -1]) {
      const answer = await putPolicy({ sessionLifetimeDays: days })
      assert.equal(answer.status, 400, String(days))
      assert.match(answer.error?.message ?? '', /^sessionLifetimeDays: /)
    }
    for (const [field, value] of [
      ['requireTwoFactor', 'yes'],
      ['requireSso', 1],
      ['allowedIps', '::/0'],
    ] as const)
      assert.match((await putPolicy({ [field]: value })).error?.message ?? '', new RegExp(`^${field}: `))
    assert.deepEqual(await listUpdates(await organizationOf(owner)), [])
  })

  test('every member can read the security policy, only owners and admins can set it, and API keys can do neither', async () => {
    const organizationId = await organizationOf(owner)
    const admin = await addMember(organizationId, 'admin')
    const member = await addMember(organizationId, 'member')
    assert.equal((await callAs('GET', '/security', member)).status, 200)
    assert.deepEqual(
      [(await putPolicy({}, member)).error?.code, (await putPolicy({}, admin)).status],
      ['forbidden', 200],
    )
    const made = await callAs('POST', '/keys', owner, { name: 'k' })
    const refused = await putPolicy({}, { key: String(made.data?.['key']) })
    assert.deepEqual([refused.status, refused.error?.code], [403, 'forbidden'])
  })

  test('the IP allowlist of an organization applies to sessions and API keys alike, from the next request on', async () => {
    const proxied = openMinimalApp(database, [...securityRoutes, ...keyRoutes, ...meRoutes], {
      trustedProxies: ['127.0.0.1'],
    })
    // With the keyring of `app`, `proxied` accepts the sessions of `app`.
    proxied.platform.keyring = app.platform.keyring
    const made = await callAs('POST', '/keys', owner, { name: 'k' })
    const outcomeOfMe = async (address: string, headers: Record<string, string>) => {
      const answer = await proxied.request('/api/v1/me', {
        headers: { ...headers, 'x-forwarded-for': address },
      })
      return ((await answer.json()) as Body).error?.code ?? 'in'
    }
    const both = [{ cookie: owner.cookie }, { authorization: `Bearer ${String(made.data?.['key'])}` }]
    for (const headers of both) assert.equal(await outcomeOfMe('203.0.113.9', headers), 'in')
    await putPolicy({ allowedIps: ['127.0.0.1', '198.51.100.0/24'] })
    for (const headers of both) {
      assert.equal(await outcomeOfMe('203.0.113.9', headers), 'ip_not_allowed')
      assert.equal(await outcomeOfMe('198.51.100.77', headers), 'in')
      assert.equal(await outcomeOfMe('::ffff:198.51.100.77', headers), 'in')
    }
    await proxied.auth.close()
  })

  test('a policy whose IP allowlist excludes the caller is refused with an error that names the field, and changes nothing', async () => {
    for (const allowedIps of [['10.0.0.0/8'], ['::/0'], ['::1'], ['127.0.0.2', '126.0.0.0/8']]) {
      const answer = await putPolicy({ allowedIps })
      assert.equal(answer.status, 400, String(allowedIps))
      assert.match(answer.error?.message ?? '', /^allowedIps: must contain .*127\.0\.0\.1$/)
    }
    assert.deepEqual((await callAs('GET', '/security', owner)).data?.['allowedIps'], [])
  })

  test('the IP allowlist of a security policy may have thirty-two addresses and no more', async () => {
    const list = Array.from({ length: 31 }, (_, i) => `192.0.2.${i}`)
    assert.equal((await putPolicy({ allowedIps: ['127.0.0.1', ...list] })).status, 200)
    const doubled = await putPolicy({ allowedIps: ['127.0.0.1', ...list, '127.0.0.1'] })
    assert.match(doubled.error?.message ?? '', /^allowedIps: must have at most 32 items/)
  })

  for (const change of [{ requireTwoFactor: true }, { sessionLifetimeDays: 30 }])
    test(`setting ${JSON.stringify(change)} in the security policy signs out every member and keeps API keys valid`, async () => {
      const organizationId = await organizationOf(owner)
      const member = await addMember(organizationId, 'member')
      const elsewhere = await signIn(member.email)
      const stranger = await app.signUp(`Stranger ${++people}`)
      const made = await callAs('POST', '/keys', owner, { name: 'k' })
      assert.equal((await putPolicy(change)).status, 200)
      for (const cookie of [owner.cookie, member.cookie, elsewhere])
        assert.equal((await callAs('GET', '/me', { cookie })).error?.code, 'unauthorized')
      assert.equal((await callAs('GET', '/me', stranger)).status, 200)
      assert.equal((await callAs('GET', '/me', { key: String(made.data?.['key']) })).status, 200)
    })

  test('shortening the session lifetime in the security policy signs people out; lengthening or removing it does not', async () => {
    await putPolicy({ sessionLifetimeDays: 7 })
    const signedIn = { cookie: await signIn(owner.email) }
    for (const days of [7, 30, null, null])
      assert.equal((await putPolicy({ sessionLifetimeDays: days }, signedIn)).status, 200, String(days))
    assert.equal((await callAs('GET', '/me', signedIn)).status, 200)
    await putPolicy({ sessionLifetimeDays: 30 }, signedIn)
    const again = { cookie: await signIn(owner.email) }
    await putPolicy({ sessionLifetimeDays: 1 }, again)
    assert.equal((await callAs('GET', '/me', again)).status, 401)
  })

  test("a session older than the policy's lifetime is refused and ended", async () => {
    await putPolicy({ sessionLifetimeDays: 1 })
    const cookie = await signIn(owner.email)
    const began = app.clock.at
    const setHours = (hours: number) => {
      app.clock.at = new Date(began.getTime() + hours * HOUR_MS)
    }
    const countSessions = async () => {
      const rows = await database.db
        .selectFrom('session')
        .select('id')
        .where('userId', '=', owner.userId)
        .execute()
      return rows.length
    }
    setHours(23)
    assert.equal((await callAs('GET', '/me', { cookie })).status, 200)
    setHours(25)
    assert.equal((await callAs('GET', '/me', { cookie })).error?.code, 'unauthorized')
    assert.equal(await countSessions(), 0)
    setHours(0)
    assert.equal((await callAs('GET', '/me', { cookie })).status, 401)
  })

  test("a session from before an organization's stricter security policy ends when its user switches to that organization", async () => {
    const strict = await organizationOf(owner)
    await putPolicy({ sessionLifetimeDays: 1 })
    const guest = await app.signUp(`Guest ${++people}`)
    await database.db
      .insertInto('member')
      .values({
        id: `m${people}`,
        organizationId: strict,
        userId: guest.userId,
        role: 'member',
        createdAt: new Date(),
      })
      .execute()
    const began = app.clock.at
    app.clock.at = new Date(began.getTime() + 25 * HOUR_MS)
    assert.equal((await callAs('GET', '/me', guest)).status, 200)
    const active = { organizationId: strict }
    assert.equal((await app.send('POST', '/api/auth/organization/set-active', guest, active)).status, 200)
    assert.match(
      (await callAs('GET', '/me', guest)).error?.message ?? '',
      /older than the organization allows/,
    )
    app.clock.at = began
  })

  test('requiring single sign-on is refused with 400 without a verified domain, and with 402 on a plan without single sign-on', async () => {
    const unverified = await putPolicy({ requireSso: true })
    assert.deepEqual([unverified.status, unverified.error?.message.split(':')[0]], [400, 'requireSso'])
    await database.db
      .updateTable('organization_settings')
      .set({ plan: 'pro' })
      .where('org_id', '=', await organizationOf(owner))
      .execute()
    const unpaid = await putPolicy({ requireSso: true })
    assert.deepEqual([unpaid.status, unpaid.error?.code], [402, 'payment_required'])
    assert.equal((await callAs('GET', '/security', owner)).data?.['requireSso'], false)
  })

  test('one of twenty simultaneous security policy changes is stored as a whole, and each has an activity log entry', async () => {
    const lists = Array.from({ length: 20 }, (_, i) => ['127.0.0.1', `10.0.0.${i}`])
    const answers = await Promise.all(lists.map((allowedIps) => putPolicy({ allowedIps })))
    assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200]))
    const left = (await callAs('GET', '/security', owner)).data?.['allowedIps']
    assert.ok(lists.some((list) => JSON.stringify(list) === JSON.stringify(left)))
    const log = await listUpdates(await organizationOf(owner))
    assert.equal(log.length, 20)
    assert.equal(log.at(-1)?.detail, `allowedIps: ${JSON.stringify(left)}`)
  })
})

import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { getMigrations } from 'better-auth/db/migration'
import { type Database, transact } from '../db/database.ts'
import { createLimits } from '../http/limits/limits.ts'
import { meRoutes } from '../me/me.routes.ts'
import { testDatabase } from '../testing/database.ts'
import { cookieOf, openMinimalApp, ORIGIN, PASSWORD, type MinimalApp } from '../testing/apps/minimal-app.ts'
import { createAuth } from './auth.ts'
import { authOptions } from './options.ts'
import { availableShortName } from './short-name.ts'

let database: Database & { drop(): Promise<void> }
let app: MinimalApp
const signIn = (email: string, password: string, at = app) =>
  at.send('POST', '/api/auth/sign-in/email', {}, { email, password })
const errorCode = async (response: Response) =>
  ((await response.json()) as { error?: { code: string } }).error?.code ?? null

describe('accounts over the API', () => {
  before(async () => {
    database = await testDatabase()
    app = openMinimalApp(database, meRoutes)
  })
  after(async () => {
    await app.auth.close()
    await database.drop()
  })

  test('a database that the migrations of the service created has every table and column that the auth library expects', async () => {
    const { toBeCreated, toBeAdded } = await getMigrations(authOptions(app.platform, database.pool))
    assert.deepEqual({ toBeCreated, toBeAdded }, { toBeCreated: [], toBeAdded: [] })
  })

  describe('sign-up', () => {
    test('sign-up returns a session that can use the API at once, in a new organization of the person', async () => {
      const { cookie, userId, email } = await app.signUp('Ada Lovelace')
      const response = await app.request('/api/v1/me', { headers: { cookie } })
      assert.equal(response.status, 200)
      const { data } = (await response.json()) as { data: { organization: { id: string } } }
      assert.deepEqual(data, {
        user: { id: userId, name: 'Ada Lovelace', email },
        organization: { id: data.organization.id, name: "Ada Lovelace's organization" },
        role: 'owner',
        scopes: ['projects:read', 'projects:write', 'tickets:write', 'build:write', 'deploy:write'],
        plan: 'enterprise',
      })
      const session = await database.db
        .selectFrom('session')
        .selectAll()
        .where('userId', '=', userId)
        .executeTakeFirstOrThrow()
      assert.equal(session.activeOrganizationId, data.organization.id)
      assert.equal(session.authMethod, '/sign-up/email')
      assert.equal(session.ipAddress, '127.0.0.1')
      const settings = await database.db
        .selectFrom('organization_settings')
        .select('plan')
        .where('org_id', '=', data.organization.id)
        .execute()
      assert.deepEqual(settings, [{ plan: 'enterprise' }])
    })

    test("the organization's short name is made from the person's name, with a number added when that name is taken", async () => {
      const shortNameOf = async (name: string) => {
        const { userId } = await app.signUp(name)
        const { slug } = await database.db
          .selectFrom('organization as o')
          .innerJoin('member as m', 'm.organizationId', 'o.id')
          .select('o.slug')
          .where('m.userId', '=', userId)
          .executeTakeFirstOrThrow()
        return slug
      }
      assert.deepEqual(
        [await shortNameOf('Maria'), await shortNameOf('Maria Lindqvist')],
        ['maria', 'maria-lindqvist'],
      )
      const shortNameFor = (name: string) => transact(database.db, (trx) => availableShortName(trx, name))
      assert.deepEqual(
        [
          await shortNameFor('Müller & Söhne'),
          await shortNameFor('日本'),
          await shortNameFor('x'.repeat(80)),
        ],
        ['mueller-and-soehne', 'team', 'x'.repeat(40)],
      )
      const insertOrganization = (id: string) =>
        transact(database.db, async (trx) => {
          const slug = await availableShortName(trx, 'Maria')
          await trx
            .insertInto('organization')
            .values({ id, name: 'Maria', slug, createdAt: new Date() })
            .execute()
          return slug
        })
      const many = await Promise.all(['one', 'two', 'three', 'four', 'five'].map(insertOrganization))
      assert.deepEqual(many.toSorted(), ['maria-2', 'maria-3', 'maria-4', 'maria-5', 'maria-6'])
    })

    test('the service stores passwords as scrypt hashes with a cost of 16384', async () => {
      const auth = createAuth(app.platform)
      const body = JSON.stringify({ name: 'Hashed', email: 'hashed@acme.test', password: PASSWORD })
      const headers = { origin: ORIGIN, 'content-type': 'application/json' }
      const asked = new Request(`${ORIGIN}/api/auth/sign-up/email`, { method: 'POST', headers, body })
      const limits = createLimits(app.platform.config.limits, app.platform.counters)
      assert.equal((await auth.handler(asked, '127.0.0.1', limits)).status, 200)
      await auth.close()
      const { password } = await database.db
        .selectFrom('account')
        .innerJoin('user', 'user.id', 'account.userId')
        .select('account.password')
        .where('user.email', '=', 'hashed@acme.test')
        .executeTakeFirstOrThrow()
      const [salt = '', key] = password?.split(':') ?? []
      const cost = { N: 16_384, r: 16, p: 1, maxmem: 2 ** 26 }
      assert.equal(scryptSync(PASSWORD, salt, 64, cost).toString('hex'), key)
    })

    test('the session cookie is for this host only and scripts cannot read it', async () => {
      const body = { name: 'Cookie', email: 'cookie@acme.test', password: PASSWORD }
      const response = await app.send('POST', '/api/auth/sign-up/email', {}, body)
      const [cookie = ''] = response.headers
        .getSetCookie()
        .filter((set) => set.startsWith('slipway.session_token='))
      assert.match(cookie, /; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
      assert.ok(response.headers.get('x-request-id'))
    })

    test('sign-up with a taken address, a short password or a malformed address is refused', async () => {
      const { email } = await app.signUp('Grace')
      const signUpWith = (more: object) =>
        app.send(
          'POST',
          '/api/auth/sign-up/email',
          {},
          { name: 'X', email: 'x@acme.test', password: PASSWORD, ...more },
        )
      assert.equal((await signUpWith({ email: email.toUpperCase() })).status, 422)
      assert.equal((await signUpWith({ password: 'ninechars' })).status, 400)
      assert.equal((await signUpWith({ email: 'nobody' })).status, 400)
      assert.equal(await errorCode(await signUpWith({ name: 'a\0b' })), 'invalid_request')
      assert.equal(await errorCode(await signUpWith({ name: 'x'.repeat(70_000) })), 'invalid_request')
    })

    test('twenty simultaneous sign-ups with one address create one user with one organization', async () => {
      const body = { name: 'Twin', email: 'twin@acme.test', password: PASSWORD }
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => app.send('POST', '/api/auth/sign-up/email', {}, body)),
      )
      assert.deepEqual(answers.map((answer) => answer.status).toSorted(), [
        200,
        ...Array<number>(19).fill(422),
      ])
      const places = await database.db
        .selectFrom('member')
        .innerJoin('user', 'user.id', 'member.userId')
        .select('member.id')
        .where('user.email', '=', 'twin@acme.test')
        .execute()
      assert.equal(places.length, 1)
    })

    test('a person who was invited before signing up gets no personal organization', async () => {
      const { cookie } = await app.signUp('Inviter')
      const invite = await app.send(
        'POST',
        '/api/auth/organization/invite-member',
        { cookie },
        {
          email: 'invited@acme.test',
          role: 'member',
        },
      )
      assert.equal(invite.status, 200)
      const { id } = (await invite.json()) as { id: string }
      const invited = await app.signUp('Invited')
      assert.equal((await app.request('/api/v1/me', { headers: { cookie: invited.cookie } })).status, 403)
      const accept = await app.send('POST', '/api/auth/organization/accept-invitation', invited, {
        invitationId: id,
      })
      assert.equal(accept.status, 200)
      const me = await app.request('/api/v1/me', { headers: { cookie: invited.cookie } })
      const { data } = (await me.json()) as { data: { organization: { name: string }; role: string } }
      assert.equal(data.organization.name, "Inviter's organization")
      assert.equal(data.role, 'member')
    })

    test('when sign-up is by invitation only, strangers are refused and invited people can sign up', async () => {
      const { cookie } = await app.signUp('Host')
      const guest = { email: 'guest@acme.test', role: 'member' }
      await app.send('POST', '/api/auth/organization/invite-member', { cookie }, guest)
      const closed = openMinimalApp(database, meRoutes, { signup: 'invite' })
      const signUpClosed = (email: string) =>
        closed.send('POST', '/api/auth/sign-up/email', {}, { name: 'G', email, password: PASSWORD })
      assert.equal(await errorCode(await signUpClosed('stranger@acme.test')), 'forbidden')
      assert.equal((await signUpClosed('Guest@acme.test')).status, 200)
      await closed.auth.close()
    })
  })

  describe('sign-in', () => {
    test('signing in with the right password returns a session that can use the API, and creates no second organization', async () => {
      const { email, userId } = await app.signUp('Linus')
      const response = await signIn(email, PASSWORD)
      assert.equal(response.status, 200)
      const me = await app.request('/api/v1/me', { headers: { cookie: cookieOf(response) } })
      assert.equal(me.status, 200)
      const members = await database.db
        .selectFrom('member')
        .selectAll()
        .where('userId', '=', userId)
        .execute()
      assert.equal(members.length, 1)
    })

    test('a wrong password and an unknown address get the same response', async () => {
      const { email } = await app.signUp('Margaret')
      const [wrong, unknown] = await Promise.all([
        signIn(email, 'not her password'),
        signIn('nobody@acme.test', PASSWORD),
      ])
      assert.equal(wrong.status, 401)
      assert.equal(unknown.status, 401)
      assert.equal(await wrong.text(), await unknown.text())
    })

    test('an account whose sign-up was interrupted gets one organization at its next sign-in, even at simultaneous sign-ins', async () => {
      const { email, userId } = await app.signUp('Half Way')
      await database.db.deleteFrom('member').where('userId', '=', userId).execute()
      const answers = await Promise.all([
        signIn(email, PASSWORD),
        signIn(email, PASSWORD),
        signIn(email, PASSWORD),
      ])
      for (const answer of answers) {
        const me = await app.request('/api/v1/me', { headers: { cookie: cookieOf(answer) } })
        assert.equal(me.status, 200)
      }
      const members = await database.db
        .selectFrom('member')
        .selectAll()
        .where('userId', '=', userId)
        .execute()
      assert.equal(members.length, 1)
    })

    test('a session is refused at once after sign-out', async () => {
      const { cookie } = await app.signUp('Leaver')
      assert.equal((await app.send('POST', '/api/auth/sign-out', { cookie }, {})).status, 200)
      assert.equal((await app.request('/api/v1/me', { headers: { cookie } })).status, 401)
    })

    test("ten failed sign-ins block the IP address they came from, not the account's owner at another IP address", async () => {
      const guarded = openMinimalApp(database, meRoutes, { trustedProxies: ['127.0.0.1'] })
      const { email } = await guarded.signUp('Target')
      const signInFrom = (address: string, password: string) =>
        guarded.request('/api/auth/sign-in/email', {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: ORIGIN, 'x-forwarded-for': address },
          body: JSON.stringify({ email, password }),
        })
      const guesses = await Promise.all(
        Array.from({ length: 14 }, () => signInFrom('203.0.113.7', 'wrong password')),
      )
      assert.deepEqual(guesses.map((guess) => guess.status).toSorted(), [
        ...Array<number>(10).fill(401),
        ...Array<number>(4).fill(429),
      ])
      const refused = await signInFrom('203.0.113.7', PASSWORD)
      assert.equal(refused.status, 429)
      assert.ok(Number(refused.headers.get('retry-after')) > 60)
      assert.equal(await errorCode(refused), 'rate_limited')
      for (let i = 0; i < 12; i++) assert.equal((await signInFrom('203.0.113.8', PASSWORD)).status, 200)
      await guarded.auth.close()
    })
  })

  describe('organizations', () => {
    test("a person's second organization gets its settings and becomes active in the session that created it", async () => {
      const { cookie } = await app.signUp('Founder')
      const create = await app.send(
        'POST',
        '/api/auth/organization/create',
        { cookie },
        { name: 'Second', slug: 'second' },
      )
      assert.equal(create.status, 200)
      const { id } = (await create.json()) as { id: string }
      const me = await app.request('/api/v1/me', { headers: { cookie } })
      const { data } = (await me.json()) as { data: { organization: { id: string } } }
      assert.equal(data.organization.id, id)
      const settings = await database.db
        .selectFrom('organization_settings')
        .select('plan')
        .where('org_id', '=', id)
        .execute()
      assert.equal(settings.length, 1)
    })

    test('a member removed from an organization is refused at the next request, and not switched to another organization', async () => {
      const owner = await app.signUp('Owner')
      const member = await app.signUp('Removed')
      const invite = await app.send('POST', '/api/auth/organization/invite-member', owner, {
        email: member.email,
        role: 'member',
      })
      const { id } = (await invite.json()) as { id: string }
      const accept = await app.send('POST', '/api/auth/organization/accept-invitation', member, {
        invitationId: id,
      })
      assert.equal(accept.status, 200)
      assert.equal((await app.request('/api/v1/me', { headers: { cookie: member.cookie } })).status, 200)
      const remove = await app.send('POST', '/api/auth/organization/remove-member', owner, {
        memberIdOrEmail: member.email,
      })
      assert.equal(remove.status, 200)
      const refused = await app.request('/api/v1/me', { headers: { cookie: member.cookie } })
      assert.equal(refused.status, 403)
      assert.equal(await errorCode(refused), 'forbidden')
    })

    test('twenty simultaneous invitations of one address create one invitation, and twenty simultaneous acceptances create one membership', async () => {
      const [host, guest] = [await app.signUp('Racing Host'), await app.signUp('Racing Guest')]
      const postTwentyTimes = async (path: string, as: { cookie: string }, body: object) =>
        (
          await Promise.all(
            Array.from({ length: 20 }, () => app.send('POST', `/api/auth/organization/${path}`, as, body)),
          )
        ).map((answer) => answer.status)
      const invited = await postTwentyTimes('invite-member', host, { email: guest.email, role: 'member' })
      assert.ok(
        invited.every((status) => [200, 409, 429].includes(status)),
        String(invited),
      )
      const pending = await database.db
        .selectFrom('invitation')
        .select('id')
        .where('email', '=', guest.email)
        .where('status', '=', 'pending')
        .execute()
      assert.equal(pending.length, 1)
      const accepted = await postTwentyTimes('accept-invitation', guest, { invitationId: pending[0]?.id })
      assert.ok(
        accepted.every((status) => [200, 400, 409].includes(status)),
        String(accepted),
      )
      const places = await database.db
        .selectFrom('member')
        .selectAll()
        .where('userId', '=', guest.userId)
        .execute()
      assert.equal(places.length, 2, 'the own organization and the joined one')
    })

    test('routes of the auth library that the service does not offer, such as deleting a user, return 404', async () => {
      const { cookie } = await app.signUp('Prober')
      for (const path of [
        'delete-user',
        'organization/delete',
        'update-session',
        'sign-in/social',
        'link-social',
        'get-access-token',
        'unlink-account',
        'verify-password',
        'two-factor/get-totp-uri',
      ]) {
        const answer = await app.send('POST', `/api/auth/${path}`, { cookie }, {})
        assert.equal(answer.status, 404, path)
        assert.equal(await errorCode(answer), 'not_found', path)
      }
    })
  })

  describe('requests to the auth library', () => {
    test('an Authorization header is refused on every route of the auth library', async () => {
      const { cookie } = await app.signUp('Keyholder')
      for (const path of ['get-session', 'organization/list', 'sign-out']) {
        const refused = await app.request(`/api/auth/${path}`, {
          headers: { cookie, authorization: 'Bearer x' },
        })
        assert.equal(refused.status, 403, path)
        assert.equal(await errorCode(refused), 'forbidden', path)
      }
    })

    test("a page of another origin can neither use a visitor's session nor sign the visitor in or up", async () => {
      const { cookie, email } = await app.signUp('Visitor')
      const postWithHeaders = (path: string, headers: Record<string, string>, body: object = {}) =>
        app.request(`/api/auth/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        })
      const pair = { name: 'V', email, password: PASSWORD }
      for (const origin of ['http://evil.test', 'null', 'http://app.localhost:4320']) {
        assert.equal(
          await errorCode(await postWithHeaders('sign-out', { cookie, origin })),
          'forbidden',
          origin,
        )
        assert.equal(
          await errorCode(await postWithHeaders('sign-in/email', { origin }, pair)),
          'forbidden',
          origin,
        )
        assert.equal(
          await errorCode(await postWithHeaders('sign-up/email', { origin }, pair)),
          'forbidden',
          origin,
        )
      }
      assert.equal(await errorCode(await postWithHeaders('sign-out', { cookie })), 'forbidden')
      assert.equal(
        (await postWithHeaders('sign-in/email', { origin: 'http://127.0.0.1:4300' }, pair)).status,
        200,
      )
      assert.equal(
        (await postWithHeaders('sign-out', { cookie, 'sec-fetch-site': 'same-origin' })).status,
        200,
      )
    })

    test('a client cannot choose the IP address that is stored with its session', async () => {
      const body = { name: 'Spoofer', email: 'spoofer@acme.test', password: PASSWORD }
      const response = await app.request('/api/auth/sign-up/email', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          origin: ORIGIN,
          'x-slipway-client-ip': '198.51.100.1',
          'x-forwarded-for': '198.51.100.1',
        },
        body: JSON.stringify(body),
      })
      const { user } = (await response.json()) as { user: { id: string } }
      const sessions = await database.db
        .selectFrom('session')
        .select('ipAddress')
        .where('userId', '=', user.id)
        .execute()
      assert.deepEqual(sessions, [{ ipAddress: '127.0.0.1' }])
    })
  })
})

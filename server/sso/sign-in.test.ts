import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { resetPolicy } from '../admin-commands/organizations.ts'
import type { Database } from '../db/database.ts'
import { testDatabase } from '../testing/database.ts'
import { openSsoWorld, type Person, type SsoWorld } from '../testing/providers/sso-world.ts'

const POLICY = { requireSso: true, requireTwoFactor: false, sessionLifetimeDays: null, allowedIps: [] }

describe('single sign-on', () => {
  let database: Database & { drop(): Promise<void> }
  let world: SsoWorld
  let owner: Person
  let domain: string
  let domains = 0
  before(async () => {
    database = await testDatabase()
    world = await openSsoWorld(database)
  })
  beforeEach(async () => {
    owner = await world.owner()
    domain = `corp${++domains}.test`
    world.useDomain(domain)
  })
  after(async () => {
    await world.close()
    await database.drop()
  })

  describe('signing in', () => {
    for (const kind of ['oidc', 'saml'] as const) {
      const providerInput = () => (kind === 'oidc' ? world.oidc(domain) : world.samlInput(domain))
      const signIn = (provider: Parameters<SsoWorld['signInSaml']>[1]) =>
        kind === 'oidc'
          ? world.signInOidc(`Ada@${domain.toUpperCase()}`)
          : world.signInSaml(`ada@${domain}`, provider)

      test(`a first ${kind} sign-in makes the person a member of the organization, and a second sign-in signs in the same person`, async () => {
        const provider = await world.ready(owner, providerInput())
        const first = await signIn(provider)
        assert.deepEqual(
          [first.status, first.isSignedIn, first.page, first.error],
          [302, true, '/home', null],
        )
        const me = (await world.call('GET', '/me', first)).data as Record<string, Record<string, unknown>>
        assert.deepEqual(
          [me['role'], me['organization']?.['id']],
          ['member', await world.organizationOf(owner)],
        )
        assert.equal(me['user']?.['email'], `ada@${domain}`)
        const second = await signIn(provider)
        const again = (await world.call('GET', '/me', second)).data
        assert.deepEqual(again, me)
        const user = await database.db
          .selectFrom('user')
          .select(['id', 'emailVerified'])
          .where('email', '=', `ada@${domain}`)
          .executeTakeFirstOrThrow()
        assert.equal(user.emailVerified, true)
        const memberships = await database.db
          .selectFrom('member')
          .select('id')
          .where('userId', '=', user.id)
          .execute()
        assert.equal(memberships.length, 1, 'no personal organization')
        const session = await database.db
          .selectFrom('session')
          .select(['ssoProviderId', 'authMethod'])
          .where('userId', '=', user.id)
          .execute()
        assert.equal(session.length, 2)
        for (const { ssoProviderId } of session) assert.match(ssoProviderId ?? '', /^sso-/)
      })

      test(`${kind} sign-in is refused before the domain is verified and after the provider is removed`, async () => {
        const made = await world.setUp(owner, providerInput())
        assert.equal((await world.begin(`ada@${domain}`)).code, 'NO_SSO_PROVIDER')
        await world.verify(owner, made)
        assert.equal((await signIn(made)).isSignedIn, true)
        await world.call('DELETE', '/sso', owner)
        assert.equal((await world.begin(`ada@${domain}`)).code, 'NO_SSO_PROVIDER')
      })
    }

    test('the OIDC sign-in request has PKCE, a nonce and the e-mail address as login hint, and does not request a refresh token', async () => {
      await world.ready(owner, world.oidc(domain))
      await world.signInOidc(`ada@${domain}`)
      const { asked } = world.issuer
      assert.equal(asked.get('code_challenge_method'), 'S256')
      assert.match(asked.get('nonce') ?? '', /^[\w-]{22}$/)
      assert.equal(asked.get('login_hint'), `ada@${domain}`)
      assert.equal(asked.get('scope'), 'openid email profile')
    })

    test("signing in through SSO accepts an open invitation and assigns the invitation's role", async () => {
      await world.ready(owner, world.oidc(domain))
      const organizationId = await world.organizationOf(owner)
      const invited = await world.app.send('POST', '/api/auth/organization/invite-member', owner, {
        email: `ada@${domain}`,
        role: 'admin',
        organizationId,
      })
      assert.equal(invited.status, 200)
      const session = await world.signInOidc(`ada@${domain}`)
      assert.equal((await world.call('GET', '/me', session)).data?.['role'], 'admin')
      const rows = await database.db
        .selectFrom('invitation')
        .select('status')
        .where('organizationId', '=', organizationId)
        .execute()
      assert.deepEqual(rows, [{ status: 'accepted' }])
    })

    test('eight simultaneous first SSO sign-ins create one person with one membership', async () => {
      await world.ready(owner, world.oidc(domain))
      const ended = await Promise.all(Array.from({ length: 8 }, () => world.signInOidc(`ada@${domain}`)))
      assert.deepEqual(
        ended.map(({ isSignedIn, error }) => [isSignedIn, error]),
        ended.map(() => [true, null]),
      )
      const { rows } = await database.pool.query(
        `select count(distinct u.id)::int users, count(m.id)::int members from "user" u
         left join member m on m."userId" = u.id where u.email = $1`,
        [`ada@${domain}`],
      )
      assert.deepEqual(rows, [{ users: 1, members: 1 }])
    })

    test('SSO sign-in links to a password account with the same verified e-mail address, and the account keeps its password', async () => {
      const organizationId = await world.organizationOf(owner)
      await world.ready(owner, world.oidc(domain))
      const person = await world.join(organizationId, 'admin')
      await database.db
        .updateTable('user')
        .set({ email: `ada@${domain}`, emailVerified: true })
        .where('id', '=', person.userId)
        .execute()
      const session = await world.signInOidc(`ada@${domain}`)
      const me = (await world.call('GET', '/me', session)).data as Record<string, Record<string, unknown>>
      assert.deepEqual([me['user']?.['id'], me['role']], [person.userId, 'admin'])
      assert.equal((await world.signInByPassword(`ada@${domain}`)).status, 200)
    })

    test('an SSO provider is kept when the person who set it up is deleted', async () => {
      const organizationId = await world.organizationOf(owner)
      const admin = await world.join(organizationId, 'admin')
      await world.ready(admin, world.oidc(domain))
      await database.db.deleteFrom('user').where('id', '=', admin.userId).execute()
      assert.equal((await world.call('GET', '/sso', owner)).data?.['domainVerified'], true)
      assert.equal((await world.signInOidc(`ada@${domain}`)).isSignedIn, true)
    })
  })

  describe('requiring single sign-on', () => {
    test('requiring SSO is refused before the domain is verified; afterwards it ends all sessions and accepts only SSO sessions', async () => {
      const made = await world.setUp(owner, world.oidc(domain))
      assert.match(await world.refusal('PUT', '/security', owner, POLICY), /^400 invalid_request: requireSso/)
      await world.verify(owner, made)
      const { status, data } = await world.call('PUT', '/security', owner, POLICY)
      assert.deepEqual([status, data?.['requireSso'], data?.['ssoReady']], [200, true, true])
      assert.match(await world.refusal('GET', '/me', owner), /^401 unauthorized/)
      const { cookie } = await world.signInByPassword(owner.email)
      assert.match(
        await world.refusal('GET', '/me', { cookie }),
        /^401 unauthorized: This organization requires single sign-on/,
      )
      assert.equal((await world.call('GET', '/me', await world.signInOidc(`ada@${domain}`))).status, 200)
    })

    test("an organization that requires SSO refuses a session from another organization's SSO provider", async () => {
      await world.ready(owner, world.oidc(domain))
      const organizationId = await world.organizationOf(owner)
      const elsewhere = await world.owner()
      await world.ready(elsewhere, world.oidc(`other-${domain}`))
      world.issuer.person = { ...world.issuer.person, email: `ada@other-${domain}` }
      const session = await world.signInOidc(`ada@other-${domain}`)
      const { data } = await world.call('GET', '/me', session)
      const userId = (data?.['user'] as { id: string } | undefined)?.id ?? ''
      await database.db
        .insertInto('member')
        .values({ id: `m-${domain}`, organizationId, userId, role: 'member', createdAt: new Date() })
        .execute()
      const setActive = { organizationId }
      await world.app.send('POST', '/api/auth/organization/set-active', session, setActive)
      assert.equal((await world.call('GET', '/me', session)).status, 200)
      await world.call('PUT', '/security', owner, POLICY)
      const again = await world.signInOidc(`ada@other-${domain}`)
      await world.app.send('POST', '/api/auth/organization/set-active', again, setActive)
      assert.match(await world.refusal('GET', '/me', again), /^401 unauthorized: This organization requires/)
    })

    for (const [what, act] of [
      ['removing', (as: Person) => world.call('DELETE', '/sso', as)],
      ['replacing', (as: Person) => world.call('POST', '/sso', as, world.samlInput(domain))],
    ] as const)
      test(`${what} the SSO provider ends its sessions and the SSO requirement, and keeps the members`, async () => {
        await world.ready(owner, world.oidc(domain))
        await world.call('PUT', '/security', owner, POLICY)
        const session = await world.signInOidc(`ada@${domain}`)
        const organizationId = await world.organizationOf(session)
        await database.db
          .updateTable('member')
          .set({ role: 'admin' })
          .where('organizationId', '=', organizationId)
          .execute()
        assert.equal((await act({ ...owner, ...session })).status, 200)
        assert.match(await world.refusal('GET', '/me', session), /^401/)
        const { cookie } = await world.signInByPassword(owner.email)
        assert.equal((await world.call('GET', '/security', { cookie })).data?.['requireSso'], false)
        if (what === 'removing') return
        const next = await world.call('GET', '/sso', { cookie })
        assert.deepEqual([next.data?.['kind'], next.data?.['domainVerified']], ['saml', false])
        await world.verify({ ...owner, cookie }, next.data as never)
        const relinked = await world.signInSaml(`ada@${domain}`, next.data as never)
        assert.equal(relinked.isSignedIn, true)
        const people = await database.db
          .selectFrom('user')
          .select('id')
          .where('email', '=', `ada@${domain}`)
          .execute()
        assert.equal(people.length, 1)
      })

    test('after requiring SSO has locked everyone out of an organization, resetting its policy allows sign-in by password again', async () => {
      await world.ready(owner, world.oidc(domain))
      const id = await world.organizationOf(owner)
      await world.call('PUT', '/security', owner, POLICY)
      world.issuer.forgery = { withoutIdToken: true }
      assert.equal((await world.signInOidc(`ada@${domain}`)).isSignedIn, false)
      await resetPolicy({ db: database.db, now: new Date(), defaultPlan: 'enterprise' }, id, { all: true })
      const { cookie } = await world.signInByPassword(owner.email)
      assert.deepEqual((await world.call('DELETE', '/sso', { cookie })).data, { removed: true })
    })
  })
})

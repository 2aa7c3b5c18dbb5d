import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { resetPolicy } from '../admin/organizations.ts'
import { sealAgain } from '../admin/sealed-values.ts'
import { makeKeyring } from '../crypto/keyring.ts'
import { newSecrets } from '../crypto/secrets.ts'
import type { Database } from '../db/database.ts'
import { testDatabase } from '../testing/database.ts'
import { CLIENT } from '../testing/oidc-issuer.ts'
import { type Caller, openSsoWorld, type Person, type SsoWorld } from '../testing/sso-world.ts'

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
    world.issuer.person = { sub: `sub-${domain}`, email: `ada@${domain}`, name: 'Ada' }
    world.issuer.forgery = {}
    world.saml.person = `ada@${domain}`
  })
  after(async () => {
    await world.close()
    await database.drop()
  })

  const organizationOf = async (as: { cookie: string }) => {
    const { data, error } = await world.call('GET', '/me', as)
    assert.ok(data, String(error?.message))
    return (data['organization'] as { id: string }).id
  }
  const join = async (organizationId: string, role: string) => {
    const person = await world.owner()
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
  const refusal = async (method: string, path: string, as: Caller, body?: unknown) => {
    const { status, error } = await world.call(method, path, as, body)
    return `${status} ${error?.code}: ${error?.message}`
  }

  describe('the provider', () => {
    test('an SSO provider is set up, verified by its TXT records, read back without its secret, and removed', async () => {
      assert.equal((await world.call('GET', '/sso', owner)).data, null)
      const made = await world.setUp(owner, world.oidc(` ${domain.toUpperCase()} , münchen-${domain}`))
      const ascii = `xn--mnchen-${domain.replace('.test', '')}-`
      assert.equal(made.kind, 'oidc')
      assert.equal(made.issuer, world.issuer.origin)
      assert.equal(made.domainVerified, false)
      assert.equal(made.domain.split(',').length, 2)
      assert.ok(made.domain.includes(ascii.slice(0, 10)), made.domain)
      assert.match(
        made.redirectUri ?? '',
        /^http:\/\/localhost:4300\/api\/auth\/sso\/callback\/sso-[0-9a-f]{18}$/,
      )
      for (const { name, value, isVerified, domain: of } of made.txt) {
        assert.match(name, new RegExp(`^_slipway-sso-[0-9a-f]{18}\\.${of.replaceAll('.', '\\.')}$`))
        assert.match(value, /^slipway-verify=[\w-]{24}$/)
        assert.equal(isVerified, false)
      }
      const verify = () => world.call('POST', '/sso/verify-domain', owner)
      assert.deepEqual((await verify()).data, { domainVerified: false })
      const [one, two] = made.txt
      assert.ok(one && two)
      // The first record is correct: in pieces and among others. The second has a wrong value.
      world.dns.records.set(one.name, [['v=spf1 -all'], [one.value.slice(0, 9), one.value.slice(9)]])
      world.dns.records.set(two.name, [[`${two.value}x`]])
      assert.deepEqual((await verify()).data, { domainVerified: false })
      const half = (await world.call('GET', '/sso', owner)).data?.['txt'] as { isVerified: boolean }[]
      assert.deepEqual(
        half.map(({ isVerified }) => isVerified),
        [true, false],
      )
      assert.equal((await world.begin(`ada@${one.domain}`)).status, 404)
      await world.verify(owner, { txt: [two] })
      const read = await world.call('GET', '/sso', owner)
      assert.equal(read.data?.['domainVerified'], true)
      assert.ok(!JSON.stringify([made, read]).includes(CLIENT.clientSecret))
      assert.deepEqual((await world.call('DELETE', '/sso', owner)).data, { removed: true })
      assert.deepEqual((await world.call('DELETE', '/sso', owner)).data, { removed: false })
      assert.equal((await world.call('GET', '/sso', owner)).data, null)
      const log = await database.db
        .selectFrom('activity')
        .select(['action', 'actor'])
        .where('org_id', '=', await organizationOf(owner))
        .where('action', 'like', 'sso.%')
        .orderBy('id')
        .execute()
      assert.deepEqual(
        log.map(({ action }) => action),
        ['sso.set_up', 'sso.verified', 'sso.removed'],
      )
      assert.equal(log[0]?.actor, owner.email)
    })

    test('members read the SSO provider; only owners and admins change it, no key can, and it belongs to one organization', async () => {
      const organizationId = await organizationOf(owner)
      const [admin, member] = [await join(organizationId, 'admin'), await join(organizationId, 'member')]
      const made = await world.setUp(admin, world.oidc(domain))
      assert.deepEqual((await world.call('GET', '/sso', member)).data, made)
      const { data } = await world.call('POST', '/keys', owner, { name: 'k' })
      const key = { key: String(data?.['key']) }
      for (const [method, path, body] of [
        ['POST', '/sso', world.oidc(domain)],
        ['POST', '/sso/verify-domain', undefined],
        ['DELETE', '/sso', undefined],
      ] as const) {
        assert.match(await refusal(method, path, member, body), /^403 forbidden: Only owners/)
        assert.match(await refusal(method, path, key, body), /^403 forbidden: This route takes/)
      }
      assert.match(await refusal('GET', '/sso', key), /^403 forbidden/)
      const stranger = await world.owner()
      assert.equal((await world.call('GET', '/sso', stranger)).data, null)
      assert.match(await refusal('POST', '/sso/verify-domain', stranger), /^404 not_found/)
      assert.deepEqual((await world.call('DELETE', '/sso', stranger)).data, { removed: false })
      assert.deepEqual((await world.call('GET', '/sso', owner)).data, made)
    })

    test('below Enterprise an SSO provider is refused with 402, and an existing one does not count as ready', async () => {
      await world.ready(owner, world.oidc(domain))
      assert.equal((await world.call('GET', '/security', owner)).data?.['ssoReady'], true)
      await database.db
        .updateTable('organization_settings')
        .set({ plan: 'pro' })
        .where('org_id', '=', await organizationOf(owner))
        .execute()
      assert.match(await refusal('POST', '/sso', owner, world.oidc(domain)), /^402 payment_required/)
      assert.match(await refusal('PUT', '/security', owner, POLICY), /^402 payment_required/)
      assert.equal((await world.call('GET', '/security', owner)).data?.['ssoReady'], false)
    })

    test('a wrong SSO configuration is refused with the name of its field and changes nothing', async () => {
      const kept = await world.setUp(owner, world.oidc(domain))
      const oidc = world.oidc(domain)
      const saml = world.samlInput(domain)
      const eleven = Array.from({ length: 11 }, (_, i) => `d${i}.test`).join(',')
      const wrong: [string, object][] = [
        ['oidcConfig', { issuer: oidc.issuer, domain }],
        ['oidcConfig', { ...saml, ...oidc }],
        ...[
          '',
          ' ',
          'com',
          'co.uk',
          'github.io',
          'localhost',
          '10.0.0.1',
          'https://acme.com',
          'a@acme.com',
          'acme.com,',
          '*.acme.com',
          'acme.com:80',
          eleven,
        ].map((listed): [string, object] => ['domain', { ...oidc, domain: listed }]),
        ...[
          'no url',
          'http://idp.example.com',
          'https://user:pass@idp.example.com',
          'https://127.0.0.1:9443',
          'https://169.254.169.254',
          'file:///etc/passwd',
          `${world.issuer.origin}/other`,
        ].map((issuer): [string, object] => ['issuer', { ...oidc, issuer }]),
        ['oidcConfig.clientSecret', { ...oidc, oidcConfig: { clientId: 'x' } }],
        ['samlConfig.cert', { ...saml, samlConfig: { ...saml.samlConfig, cert: 'no certificate' } }],
        [
          'samlConfig.entryPoint',
          { ...saml, samlConfig: { ...saml.samlConfig, entryPoint: 'http://idp.example.com' } },
        ],
      ]
      for (const [field, input] of wrong)
        assert.match(
          await refusal('POST', '/sso', owner, input),
          new RegExp(`^400 invalid_request: ${field.replace('.', '\\.')}`),
          JSON.stringify(input),
        )
      assert.deepEqual((await world.call('GET', '/sso', owner)).data, kept)
    })

    test('unknown fields of an SSO configuration are ignored, also those that the sign-in library knows', async () => {
      const lax = { tokenEndpoint: 'https://evil.test/token', skipDiscovery: true }
      const oidc = { ...world.oidc(domain, { ...CLIENT, ...lax }), providerId: 'mine' }
      const made = await world.ready(owner, oidc)
      assert.doesNotMatch(made.redirectUri ?? '', /mine/)
      assert.equal((await world.signInOidc(`ada@${domain}`)).isSignedIn, true)
      const saml = world.samlInput(domain)
      const samlConfig = { ...saml.samlConfig, wantAssertionsSigned: false, audience: 'any' }
      const provider = await world.ready(owner, { ...saml, samlConfig })
      const { url } = await world.begin(`ada@${domain}`)
      const unsigned = world.saml.respond(url, provider, { signs: null })
      assert.equal((await world.post(provider.acsUrl ?? '', unsigned)).isSignedIn, false)
      assert.equal((await world.signInSaml(`ada@${domain}`, provider)).isSignedIn, true)
    })

    test('an SSO issuer that does not respond is an upstream error', async () => {
      const gone = 'http://127.0.0.1:1'
      const lost = await openSsoWorld(database, { trustedIdpOrigins: [gone] })
      const person = await lost.owner()
      const { status, error } = await lost.call('POST', '/sso', person, {
        ...lost.oidc(domain),
        issuer: gone,
      })
      assert.deepEqual([status, error?.code], [502, 'upstream_error'])
      await lost.close()
    })

    test("the sign-in library's own routes for SSO providers are not served", async () => {
      await world.ready(owner, world.oidc(domain))
      for (const path of [
        'providers',
        'get-provider?providerId=x',
        'register',
        'update-provider',
        'delete-provider',
        'verify-domain',
        'request-domain-verification',
        'callback',
      ])
        for (const method of ['GET', 'POST'])
          assert.equal(
            (await world.app.send(method, `/api/auth/sso/${path}`, owner, method === 'POST' ? {} : undefined))
              .status,
            404,
            `${method} ${path}`,
          )
    })

    test('the SSO secret is stored encrypted, and a key rotation encrypts it again', async () => {
      await world.ready(owner, world.oidc(domain))
      await world.signInOidc(`ada@${domain}`)
      const { rows } = await database.pool.query(
        `select p.*::text as p from "ssoProvider" p union all select a.*::text from account a
         union all select v.*::text from verification v`,
      )
      assert.ok(!JSON.stringify(rows).includes('canary'), 'a secret or token is stored in clear')
      const secrets = newSecrets()
      const [key] = secrets.ring
      assert.ok(key)
      const stored = () =>
        database.db
          .selectFrom('ssoProvider')
          .select(['id', 'oidcConfig'])
          .where('oidcConfig', 'is not', null)
          .execute()
      const before = await stored()
      const { authSecrets: _, ...ring } = world.app.platform.keyring
      const other = makeKeyring({ ...secrets, ring: [{ ...key, id: 'k2' }] })
      const both = { open: ring.open, seal: other.seal }
      const { unreadable } = await sealAgain(database.db, both, 'k2', () => {})
      // Only values of `sso` columns are compared, because another test stored mails that these keys do not decrypt.
      assert.deepEqual(
        unreadable.filter((place) => place.startsWith('sso')),
        [],
      )
      const after = await stored()
      assert.deepEqual(
        after.map(({ oidcConfig }) => oidcConfig?.split('.')[0]),
        before.map(() => 'k2'),
      )
      // Encrypts with the original key again, which the other tests of this database use.
      await sealAgain(database.db, { open: other.open, seal: ring.seal }, 'k1', () => {})
    })
  })

  describe('signing in', () => {
    for (const kind of ['oidc', 'saml'] as const) {
      const input = () => (kind === 'oidc' ? world.oidc(domain) : world.samlInput(domain))
      const signIn = (provider: Parameters<SsoWorld['signInSaml']>[1]) =>
        kind === 'oidc'
          ? world.signInOidc(`Ada@${domain.toUpperCase()}`)
          : world.signInSaml(`ada@${domain}`, provider)

      test(`a first ${kind} sign-in makes a member of the organization, and a second one signs in the same person`, async () => {
        const provider = await world.ready(owner, input())
        const first = await signIn(provider)
        assert.deepEqual(
          [first.status, first.isSignedIn, first.page, first.error],
          [302, true, '/home', null],
        )
        const me = (await world.call('GET', '/me', first)).data as Record<string, Record<string, unknown>>
        assert.deepEqual([me['role'], me['organization']?.['id']], ['member', await organizationOf(owner)])
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
        const made = await world.setUp(owner, input())
        assert.equal((await world.begin(`ada@${domain}`)).code, 'NO_SSO_PROVIDER')
        await world.verify(owner, made)
        assert.equal((await signIn(made)).isSignedIn, true)
        await world.call('DELETE', '/sso', owner)
        assert.equal((await world.begin(`ada@${domain}`)).code, 'NO_SSO_PROVIDER')
      })
    }

    test('the OIDC request carries PKCE, a nonce and the address as a hint, and asks for no refresh token', async () => {
      await world.ready(owner, world.oidc(domain))
      await world.signInOidc(`ada@${domain}`)
      const { asked } = world.issuer
      assert.equal(asked.get('code_challenge_method'), 'S256')
      assert.match(asked.get('nonce') ?? '', /^[\w-]{22}$/)
      assert.equal(asked.get('login_hint'), `ada@${domain}`)
      assert.equal(asked.get('scope'), 'openid email profile')
    })

    test('signing in through SSO accepts an open invitation and gives its role', async () => {
      await world.ready(owner, world.oidc(domain))
      const organizationId = await organizationOf(owner)
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
      assert.ok(ended.some(({ isSignedIn }) => isSignedIn))
      const { rows } = await database.pool.query(
        `select count(distinct u.id)::int users, count(m.id)::int members from "user" u
         left join member m on m."userId" = u.id where u.email = $1`,
        [`ada@${domain}`],
      )
      assert.deepEqual(rows, [{ users: 1, members: 1 }])
    })

    test('SSO links a password account with a verified address, which keeps its password', async () => {
      const organizationId = await organizationOf(owner)
      await world.ready(owner, world.oidc(domain))
      const person = await join(organizationId, 'admin')
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
      const organizationId = await organizationOf(owner)
      const admin = await join(organizationId, 'admin')
      await world.ready(admin, world.oidc(domain))
      await database.db.deleteFrom('user').where('id', '=', admin.userId).execute()
      assert.equal((await world.call('GET', '/sso', owner)).data?.['domainVerified'], true)
      assert.equal((await world.signInOidc(`ada@${domain}`)).isSignedIn, true)
    })
  })

  describe('requiring it', () => {
    test('requiring SSO is refused before the domain is verified; then it ends all sessions and accepts only SSO sessions', async () => {
      const made = await world.setUp(owner, world.oidc(domain))
      assert.match(await refusal('PUT', '/security', owner, POLICY), /^400 invalid_request: requireSso/)
      await world.verify(owner, made)
      const { status, data } = await world.call('PUT', '/security', owner, POLICY)
      assert.deepEqual([status, data?.['requireSso'], data?.['ssoReady']], [200, true, true])
      assert.match(await refusal('GET', '/me', owner), /^401 unauthorized/)
      const { cookie } = await world.signInByPassword(owner.email)
      assert.match(
        await refusal('GET', '/me', { cookie }),
        /^401 unauthorized: This organization requires single sign-on/,
      )
      assert.equal((await world.call('GET', '/me', await world.signInOidc(`ada@${domain}`))).status, 200)
    })

    test("where SSO is required, a session made by another organization's provider does not count", async () => {
      await world.ready(owner, world.oidc(domain))
      const organizationId = await organizationOf(owner)
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
      assert.match(await refusal('GET', '/me', again), /^401 unauthorized: This organization requires/)
    })

    for (const [what, act] of [
      ['removing', (as: Person) => world.call('DELETE', '/sso', as)],
      ['replacing', (as: Person) => world.call('POST', '/sso', as, world.samlInput(domain))],
    ] as const)
      test(`${what} the SSO provider ends its sessions and the SSO requirement, and keeps the members`, async () => {
        await world.ready(owner, world.oidc(domain))
        await world.call('PUT', '/security', owner, POLICY)
        const session = await world.signInOidc(`ada@${domain}`)
        const organizationId = await organizationOf(session)
        await database.db
          .updateTable('member')
          .set({ role: 'admin' })
          .where('organizationId', '=', organizationId)
          .execute()
        assert.equal((await act({ ...owner, ...session })).status, 200)
        assert.match(await refusal('GET', '/me', session), /^401/)
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

    test('the admin command lets people into an organization that has locked itself out by requiring SSO', async () => {
      await world.ready(owner, world.oidc(domain))
      const id = await organizationOf(owner)
      await world.call('PUT', '/security', owner, POLICY)
      world.issuer.forgery = { withoutIdToken: true }
      assert.equal((await world.signInOidc(`ada@${domain}`)).isSignedIn, false)
      await resetPolicy({ db: database.db, now: new Date(), defaultPlan: 'enterprise' }, id, { all: true })
      const { cookie } = await world.signInByPassword(owner.email)
      assert.deepEqual((await world.call('DELETE', '/sso', { cookie })).data, { removed: true })
    })
  })
})

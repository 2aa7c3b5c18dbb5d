import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { reencryptSealedValues } from '../admin/sealed-values.ts'
import { makeKeyring } from '../crypto/keyring.ts'
import { newSecrets } from '../crypto/secrets.ts'
import type { Database } from '../db/database.ts'
import { testDatabase } from '../testing/database.ts'
import { CLIENT } from '../testing/providers/oidc-issuer.ts'
import { openSsoWorld, type Person, type SsoWorld } from '../testing/providers/sso-world.ts'

const POLICY = { requireSso: true, requireTwoFactor: false, sessionLifetimeDays: null, allowedIps: [] }

describe('the single sign-on provider', () => {
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
    const verifyDomain = () => world.call('POST', '/sso/verify-domain', owner)
    assert.deepEqual((await verifyDomain()).data, { domainVerified: false })
    const [one, two] = made.txt
    assert.ok(one && two)
    // The first TXT record is correct, even though it is split in two strings and another record has the same name. The second TXT record
    // has a wrong value.
    world.dns.records.set(one.name, [['v=spf1 -all'], [one.value.slice(0, 9), one.value.slice(9)]])
    world.dns.records.set(two.name, [[`${two.value}x`]])
    assert.deepEqual((await verifyDomain()).data, { domainVerified: false })
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
      .where('org_id', '=', await world.organizationOf(owner))
      .where('action', 'like', 'sso.%')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      log.map(({ action }) => action),
      ['sso.set_up', 'sso.verified', 'sso.removed'],
    )
    assert.equal(log[0]?.actor, owner.email)
  })

  test("members can read their organization's SSO provider, only its owners and admins can change it, and no API key can", async () => {
    const organizationId = await world.organizationOf(owner)
    const [admin, member] = [
      await world.join(organizationId, 'admin'),
      await world.join(organizationId, 'member'),
    ]
    const made = await world.setUp(admin, world.oidc(domain))
    assert.deepEqual((await world.call('GET', '/sso', member)).data, made)
    const { data } = await world.call('POST', '/keys', owner, { name: 'k' })
    const key = { key: String(data?.['key']) }
    for (const [method, path, body] of [
      ['POST', '/sso', world.oidc(domain)],
      ['POST', '/sso/verify-domain', undefined],
      ['DELETE', '/sso', undefined],
    ] as const) {
      assert.match(await world.refusal(method, path, member, body), /^403 forbidden: Only owners/)
      assert.match(await world.refusal(method, path, key, body), /^403 forbidden: This route takes/)
    }
    assert.match(await world.refusal('GET', '/sso', key), /^403 forbidden/)
    const stranger = await world.owner()
    assert.equal((await world.call('GET', '/sso', stranger)).data, null)
    assert.match(await world.refusal('POST', '/sso/verify-domain', stranger), /^404 not_found/)
    assert.deepEqual((await world.call('DELETE', '/sso', stranger)).data, { removed: false })
    assert.deepEqual((await world.call('GET', '/sso', owner)).data, made)
  })

  test('without the Enterprise plan, setting up an SSO provider is refused with 402 and an existing provider does not count as ready', async () => {
    await world.ready(owner, world.oidc(domain))
    assert.equal((await world.call('GET', '/security', owner)).data?.['ssoReady'], true)
    await database.db
      .updateTable('organization_settings')
      .set({ plan: 'pro' })
      .where('org_id', '=', await world.organizationOf(owner))
      .execute()
    assert.match(await world.refusal('POST', '/sso', owner, world.oidc(domain)), /^402 payment_required/)
    assert.match(await world.refusal('PUT', '/security', owner, POLICY), /^402 payment_required/)
    assert.equal((await world.call('GET', '/security', owner)).data?.['ssoReady'], false)
  })

  test('a wrong SSO configuration is refused with an error that names the field, and changes nothing', async () => {
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
        await world.refusal('POST', '/sso', owner, input),
        new RegExp(`^400 invalid_request: ${field.replace('.', '\\.')}`),
        JSON.stringify(input),
      )
    assert.deepEqual((await world.call('GET', '/sso', owner)).data, kept)
  })

  test('unknown fields of an SSO configuration are ignored, even those that the sign-in library knows', async () => {
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

  test('an SSO issuer that does not respond causes an upstream error', async () => {
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

  test('the SSO secret is stored encrypted, and a key rotation re-encrypts it', async () => {
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
    const storedConfigs = () =>
      database.db
        .selectFrom('ssoProvider')
        .select(['id', 'oidcConfig'])
        .where('oidcConfig', 'is not', null)
        .execute()
    const before = await storedConfigs()
    const { authSecrets: _, ...ring } = world.app.platform.keyring
    const other = makeKeyring({ ...secrets, ring: [{ ...key, id: 'k2' }] })
    const both = { open: ring.open, seal: other.seal }
    const { unreadable } = await reencryptSealedValues(database.db, both, 'k2', () => {})
    // Only values of `sso` columns are compared, because another test stored mails that these keys cannot decrypt.
    assert.deepEqual(
      unreadable.filter((place) => place.startsWith('sso')),
      [],
    )
    const after = await storedConfigs()
    assert.deepEqual(
      after.map(({ oidcConfig }) => oidcConfig?.split('.')[0]),
      before.map(() => 'k2'),
    )
    // Encrypts again with the original key, which the other tests of this database use.
    await reencryptSealedValues(database.db, { open: other.open, seal: ring.seal }, 'k1', () => {})
  })
})

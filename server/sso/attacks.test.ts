import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Database } from '../db/database.ts'
import { testDatabase } from '../testing/database.ts'
import { type Forgery, foreignKey } from '../testing/providers/oidc-issuer.ts'
import type { SamlAssertionFields } from '../testing/providers/saml-provider.ts'
import { openSsoWorld, type Person, type Provider, type SsoWorld } from '../testing/providers/sso-world.ts'
import { HOUR_MS } from '@slipway/runtime/kernel/durations.ts'

type End = { isSignedIn: boolean; error: string | null }
type Attack = (at: Target) => Promise<End>

interface Target {
  world: SsoWorld
  provider: Provider
  domain: string
  recount(): Promise<void>
}

const epochSeconds = (ms = 0) => Math.floor((Date.now() + ms) / 1000)
const MINE = '<saml:NameID>mallory@evil.test</saml:NameID>'

/** An attack by an issuer that forges its responses, or by an attacker who changes them in the network. */
const forgedToken =
  (forgery: Forgery | ((at: Target) => Forgery)): Attack =>
  async (at) => {
    at.world.issuer.forgery = typeof forgery === 'function' ? forgery(at) : forgery
    return at.world.signInOidc(`ada@${at.domain}`)
  }
const withClaim = (email: (domain: string) => unknown): Attack =>
  forgedToken(({ domain }) => ({ claims: { email: email(domain) }, userInfo: { email: email(domain) } }))

/** An attack that changes the redirect from the identity provider back to the service. */
const withDetour =
  (change: (back: URL, at: Target) => URL | Promise<URL>, keepsCookie = true): Attack =>
  async (at) => {
    const { url, cookie } = await at.world.begin(`ada@${at.domain}`)
    const back = await change(new URL(await at.world.authorize(url)), at)
    return at.world.back(back.href, keepsCookie ? cookie : '')
  }

const OIDC: Record<string, Attack> = {
  'a token without a signature (alg none)': forgedToken({ header: { alg: 'none' }, key: null }),
  'a token signed with another key': forgedToken({ key: foreignKey() }),
  'a token that names an unknown key': forgedToken({ header: { kid: 'other' }, key: foreignKey() }),
  'a token whose header carries its own key': forgedToken({
    header: { jwk: { kty: 'RSA', n: 'AQAB', e: 'AQAB' } },
    key: foreignKey(),
  }),
  'a token that claims HMAC with the public key as secret': forgedToken({
    header: { alg: 'HS256' },
    key: foreignKey(),
  }),
  'a token of another issuer': forgedToken({ claims: { iss: 'https://evil.test' } }),
  'a token for another audience': forgedToken({ claims: { aud: 'another-client' } }),
  'a token for several audiences without an authorized party': forgedToken({
    claims: { aud: ['slipway', 'another-client'] },
  }),
  'a token authorized for another party': forgedToken({ claims: { azp: 'another-client' } }),
  'an expired token': forgedToken({ claims: { exp: epochSeconds(-HOUR_MS) } }),
  'a token without an expiry': forgedToken({ claims: { exp: undefined } }),
  'a token that is not valid yet': forgedToken({ claims: { nbf: epochSeconds(HOUR_MS) } }),
  'a token without a subject': forgedToken({ claims: { sub: undefined }, userInfo: { sub: undefined } }),
  'a token with the nonce of another sign-in': forgedToken({ claims: { nonce: 'of-another-sign-in' } }),
  'a token without a nonce': forgedToken({ claims: { nonce: undefined } }),
  'no token at all, only user info': forgedToken({ withoutIdToken: true }),
  'user info of another subject': forgedToken({ userInfo: { sub: 'sub-of-the-ceo' } }),
  'an address that the issuer has not verified': forgedToken({ claims: { email_verified: false } }),
  'an address that the user info calls unverified': forgedToken({ userInfo: { email_verified: 'false' } }),
  'an address at a foreign domain': withClaim(() => 'victim@other.test'),
  'an address at a sub-domain': withClaim((domain) => `ceo@mail.${domain}`),
  'an address at a parent domain': withClaim((domain) => `ceo@${domain.split('.').slice(1).join('.')}`),
  'an address at a look-alike domain': withClaim((domain) => `ceo@x${domain}`),
  'an address at a domain in look-alike letters': withClaim((domain) => `ceo@${domain.replace('o', 'о')}`),
  'an address with the domain before a second @': withClaim((domain) => `ceo@${domain}@evil.test`),
  'an address with the domain in a comment': withClaim((domain) => `victim@evil.test(@${domain})`),
  'an address with a quoted @': withClaim((domain) => `"victim@evil.test"@${domain}`),
  'several addresses in one claim': withClaim((domain) => [`ada@${domain}`, 'victim@other.test']),
  'the state of another browser (login CSRF)': withDetour((back) => back, false),
  'a changed state': withDetour((back) => {
    back.searchParams.set('state', 'x'.repeat(32))
    return back
  }),
  'no state': withDetour((back) => {
    back.searchParams.delete('state')
    return back
  }),
  'a guessed code': withDetour((back) => {
    back.searchParams.set('code', 'guessed')
    return back
  }),
  'a code of another sign-in (PKCE)': withDetour(async (back, { world, domain }) => {
    const other = await world.begin(`ada@${domain}`)
    back.searchParams.set('code', new URL(await world.authorize(other.url)).searchParams.get('code') ?? '')
    return back
  }),
  "a way back to another organization's provider (mix-up)": withDetour(async (back, { world }) => {
    const other = await world.owner()
    const { redirectUri } = await world.ready(other, world.oidc(`mix${Date.now()}.test`))
    return new URL(new URL(redirectUri ?? '').pathname + back.search, back)
  }),
  'the same code and state twice': async ({ world, domain, recount }) => {
    const { url, cookie } = await world.begin(`ada@${domain}`)
    const back = await world.authorize(url)
    assert.equal((await world.back(back, cookie)).isSignedIn, true)
    await recount()
    return world.back(back, cookie)
  },
  'a provider that was replaced between the two steps': async ({ world, recount }) => {
    const owner = await world.owner()
    const email = `ada@replaced${Date.now()}.test`
    const input = world.oidc(email.slice(4))
    await world.ready(owner, input)
    world.issuer.person = { ...world.issuer.person, email }
    const { url, cookie } = await world.begin(email)
    const back = await world.authorize(url)
    await world.ready(owner, input)
    await recount()
    return world.back(back, cookie)
  },
  'a sign-in that ends on a foreign page (open redirect)': async ({ world, domain }) => {
    for (const callbackURL of [
      'https://evil.test',
      '//evil.test',
      '/\\evil.test',
      '/\t/evil.test',
      '/\n/evil.test',
      `${world.issuer.origin}/x`,
    ]) {
      const answer = await world.app.send(
        'POST',
        '/api/auth/sign-in/sso',
        {},
        { email: `ada@${domain}`, callbackURL },
      )
      assert.equal(answer.status, 400, callbackURL)
    }
    return { isSignedIn: false, error: 'refused' }
  },
  'a request that names a provider or an organization itself': async ({ world, provider }) => {
    const providerId = /sso-[0-9a-f]+/.exec(provider.redirectUri ?? '')?.[0]
    const answer = await world.app.send('POST', '/api/auth/sign-in/sso', {}, { providerId, callbackURL: '/' })
    assert.equal(answer.status, 400)
    return { isSignedIn: false, error: 'refused' }
  },
}

const postedResponse =
  (changes: Partial<SamlAssertionFields> | ((at: Target) => Partial<SamlAssertionFields>)): Attack =>
  async (at) => {
    const { world, provider, domain } = at
    const { url } = await world.begin(`ada@${domain}`)
    const facts = typeof changes === 'function' ? changes(at) : changes
    return world.post(provider.acsUrl ?? '', world.saml.respond(url, provider, facts))
  }
const rewrittenResponse = (after: (xml: string) => string): Attack => postedResponse({ after })
const signedFor = (email: (domain: string) => string): Attack =>
  postedResponse(({ domain }) => ({ email: email(domain), nameId: email(domain) }))

const assertionIn = (xml: string) => /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)?.[0] ?? ''
/** Returns a copy of the signed assertion without its signature, with another id and another person. */
const evilOf = (xml: string) =>
  assertionIn(xml)
    .replace(/<ds:Signature.*<\/ds:Signature>/s, '')
    .replace(/ ID="[^"]+"/, ' ID="_evil"')
    .replaceAll(/ada@/g, 'ceo@')
const signatureIn = (xml: string) => /<ds:Signature.*<\/ds:Signature>/s.exec(xml)?.[0] ?? ''

const SAML: Record<string, Attack> = {
  'a response without a signature': postedResponse({ signs: null }),
  'a signature on the response only': postedResponse({ signs: 'Response' }),
  'a signature of another key': postedResponse(() => ({
    key: foreignKey().export({ type: 'pkcs8', format: 'pem' }),
  })),
  'a SHA-1 signature': postedResponse({ signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }),
  'a SHA-1 digest': postedResponse({ digest: 'http://www.w3.org/2000/09/xmldsig#sha1' }),
  'a name changed after signing': rewrittenResponse((xml) => xml.replaceAll('ada@', 'ceo@')),
  'a signature taken out after signing': rewrittenResponse((xml) => xml.replace(signatureIn(xml), '')),
  'wrapping: a second assertion before the signed one': rewrittenResponse((xml) =>
    xml.replace(assertionIn(xml), evilOf(xml) + assertionIn(xml)),
  ),
  'wrapping: a second assertion after the signed one': rewrittenResponse((xml) =>
    xml.replace(assertionIn(xml), assertionIn(xml) + evilOf(xml)),
  ),
  'wrapping: the signed assertion inside an extension': rewrittenResponse((xml) =>
    xml.replace(assertionIn(xml), `<samlp:Extensions>${assertionIn(xml)}</samlp:Extensions>${evilOf(xml)}`),
  ),
  'wrapping: the signed assertion inside the signature of a forged one': rewrittenResponse((xml) => {
    const original = assertionIn(xml)
    const holder = signatureIn(xml).replace(
      '</ds:Signature>',
      `<ds:Object>${original}</ds:Object></ds:Signature>`,
    )
    return xml.replace(original, evilOf(xml).replace('</saml:Issuer>', `</saml:Issuer>${holder}`))
  }),
  'wrapping: the signed response inside a forged one': rewrittenResponse((xml) =>
    xml
      .replace('<samlp:Status>', `<samlp:Extensions>${xml}</samlp:Extensions><samlp:Status>`)
      .replace('ada@', 'ceo@'),
  ),
  'wrapping: two assertions with one id': rewrittenResponse((xml) =>
    xml.replace(
      assertionIn(xml),
      evilOf(xml).replace('_evil', / ID="(_a[^"]+)"/.exec(assertionIn(xml))?.[1] ?? '') + assertionIn(xml),
    ),
  ),
  'wrapping: an assertion in another namespace': rewrittenResponse((xml) =>
    xml.replace(
      assertionIn(xml),
      `<x:Assertion xmlns:x="urn:x" ID="_evil">${MINE}</x:Assertion>${assertionIn(xml)}`,
    ),
  ),
  'a second name after the signed one': rewrittenResponse((xml) =>
    xml.replace('</saml:Subject>', `${MINE}</saml:Subject>`),
  ),
  'a comment inside a signed name': postedResponse(({ domain }) => ({
    email: `ceo@${domain}<!---->.evil.test`,
    nameId: `ceo@${domain}<!---->.evil.test`,
  })),
  'CDATA inside a signed name': postedResponse(({ domain }) => ({ nameId: `ceo<![CDATA[@${domain}]]>` })),
  'a processing instruction inside a signed name': postedResponse(({ domain }) => ({
    nameId: `ceo<?x y?>@${domain}`,
  })),
  'a DOCTYPE with an entity': rewrittenResponse((xml) => `<!DOCTYPE x [<!ENTITY e "ceo">]>${xml}`),
  'an external entity': rewrittenResponse((xml) => `<!DOCTYPE x SYSTEM "file:///etc/passwd">${xml}`),
  'an unsafe transform': rewrittenResponse((xml) =>
    xml.replace(
      'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
      'http://www.w3.org/TR/1999/REC-xslt-19991116',
    ),
  ),
  'an algorithm spelled with character references': rewrittenResponse((xml) =>
    xml.replace('xmlenc#sha256', 'xmlenc#&#115;ha256'),
  ),
  'another encoding than UTF-8': rewrittenResponse((xml) => `<?xml version="1.0" encoding="UTF-7"?>${xml}`),
  'another issuer': postedResponse({ issuer: 'https://evil.test/metadata' }),
  'an assertion for another audience': postedResponse({ audience: 'https://other-service.test' }),
  'an assertion for no audience': postedResponse({ audience: null }),
  'an assertion for another recipient': postedResponse({ recipient: 'https://other-service.test/acs' }),
  'a response for another destination': postedResponse({ destination: 'https://other-service.test/acs' }),
  'an expired assertion': postedResponse({ notOnOrAfter: new Date(Date.now() - HOUR_MS) }),
  'an assertion that is not valid yet': postedResponse({
    notBefore: new Date(Date.now() + HOUR_MS),
    notOnOrAfter: new Date(Date.now() + 2 * HOUR_MS),
  }),
  'a response to a request that was never made': postedResponse({ inResponseTo: '_never' }),
  'a response without a request (started by the provider)': postedResponse({ inResponseTo: null }),
  'a response that reports a failure': postedResponse({
    status: 'urn:oasis:names:tc:SAML:2.0:status:Responder',
  }),
  'an address at a foreign domain': signedFor(() => 'victim@other.test'),
  'an address at a sub-domain': signedFor((domain) => `ceo@mail.${domain}`),
  'an address at a look-alike domain': signedFor((domain) => `ceo@x${domain}`),
  'an address with the domain before a second @': signedFor((domain) => `ceo@${domain}@evil.test`),
  'the same response twice': async ({ world, provider, domain, recount }) => {
    const { url } = await world.begin(`ada@${domain}`)
    const form = world.saml.respond(url, provider)
    assert.equal((await world.post(provider.acsUrl ?? '', form)).isSignedIn, true)
    await recount()
    return world.post(provider.acsUrl ?? '', form)
  },
  'a used assertion as the response to a new request': async ({ world, provider, domain, recount }) => {
    const first = await world.begin(`ada@${domain}`)
    const form = world.saml.respond(first.url, provider)
    await world.post(provider.acsUrl ?? '', form)
    await recount()
    const { url } = await world.begin(`ada@${domain}`)
    return world.post(provider.acsUrl ?? '', {
      ...form,
      RelayState: new URL(url).searchParams.get('RelayState') ?? '',
    })
  },
  'a response in base64 that decoders read differently': async ({ world, provider, domain }) => {
    const { url } = await world.begin(`ada@${domain}`)
    const form = world.saml.respond(url, provider)
    return world.post(provider.acsUrl ?? '', { ...form, SAMLResponse: `${form.SAMLResponse}====QUJD` })
  },
  "a response posted to another organization's address": async ({ world, provider, domain }) => {
    const other = await world.owner()
    const { acsUrl } = await world.ready(other, world.samlInput(`acs${Date.now()}.test`))
    const { url } = await world.begin(`ada@${domain}`)
    return world.post(acsUrl ?? '', world.saml.respond(url, provider))
  },
}

describe('attacks on single sign-on', () => {
  let database: Database & { drop(): Promise<void> }
  let world: SsoWorld
  let owner: Person
  let domain: string
  let domains = 0
  before(async () => {
    database = await testDatabase()
    world = await openSsoWorld(database)
    owner = await world.owner()
  })
  beforeEach(() => {
    domain = `firm${++domains}.test`
    world.useDomain(domain)
  })
  after(async () => {
    await world.close()
    await database.drop()
  })

  for (const [kind, attacks] of [
    ['OpenID Connect', OIDC],
    ['SAML', SAML],
  ] as const)
    describe(kind, () => {
      const proven = `${kind === 'SAML' ? 'saml' : 'oidc'}.test`
      let provider: Provider
      before(async () => {
        provider = await world.ready(owner, kind === 'SAML' ? world.samlInput(proven) : world.oidc(proven))
      })
      beforeEach(() => world.useDomain(proven))
      for (const [name, attack] of Object.entries(attacks))
        test(`${kind} sign-in refuses ${name}, and creates no session, person or membership`, async () => {
          let before = await countStrangers()
          const recountStrangers = async () => {
            before = await countStrangers()
          }
          const end = await attack({ world, provider, domain: proven, recount: recountStrangers })
          assert.equal(end.isSignedIn, false)
          assert.ok(end.error)
          assert.deepEqual(await countStrangers(), before)
        })
    })

  test('an SSO sign-in whose provider sends user info of two megabytes ends with an error, and the next sign-in succeeds', async () => {
    await world.ready(owner, world.oidc('large.test'))
    world.useDomain('large.test')
    world.issuer.forgery = { userInfo: { padding: 'x'.repeat(2_000_000) } }
    const end = await world.signInOidc('ada@large.test')
    assert.equal(end.isSignedIn, false)
    assert.ok(end.error)
    world.issuer.forgery = {}
    assert.equal((await world.signInOidc('ada@large.test')).isSignedIn, true)
  })

  /**
   * Counts the people, sessions, members and accounts that a sign-in creates. Owners are left out, because
   * the tests create them.
   */
  async function countStrangers() {
    const { rows } = await database.pool.query(
      `select (select count(*)::int from "user" where email not like 'owner%') users,
         (select count(*)::int from session where "ssoProviderId" is not null) sessions,
         (select count(*)::int from member where role = 'member') members,
         (select count(*)::int from account where "providerId" like 'sso-%') accounts`,
    )
    return rows[0] as Record<string, number>
  }

  describe('taking over an account or a domain', () => {
    test('an unverified SSO claim of a domain does not block the organization that owns the domain, and cannot be verified later', async () => {
      const squatter = await world.owner()
      const claimed = await world.setUp(squatter, world.samlInput(domain))
      await world.ready(owner, world.oidc(domain))
      assert.equal((await world.signInOidc(`ada@${domain}`)).isSignedIn, true)
      for (const { name, value } of claimed.txt) world.dns.records.set(name, [[value]])
      const { status, error } = await world.call('POST', '/sso/verify-domain', squatter)
      assert.deepEqual([status, error?.code], [409, 'conflict'])
      assert.equal((await world.signInOidc(`ada@${domain}`)).isSignedIn, true)
    })

    test("an account created in advance with a victim's e-mail address loses its password, sessions and keys when the victim signs in by SSO", async () => {
      const victim = await world.owner()
      await database.db
        .updateTable('user')
        .set({ email: `ada@${domain}` })
        .where('id', '=', victim.userId)
        .execute()
      const { data } = await world.call('POST', '/keys', victim, { name: 'squatter' })
      await world.ready(owner, world.oidc(domain))
      const session = await world.signInOidc(`ada@${domain}`)
      assert.equal(session.isSignedIn, true)
      assert.equal((await world.call('GET', '/me', victim)).status, 401)
      assert.equal((await world.call('GET', '/me', { key: String(data?.['key']) })).status, 401)
      const byPassword = await world.app.send(
        'POST',
        '/api/auth/sign-in/email',
        {},
        { email: `ada@${domain}`, password: 'correct horse battery' },
      )
      assert.equal(byPassword.status, 401)
      const { rows } = await database.pool.query(`select "emailVerified" from "user" where id = $1`, [
        victim.userId,
      ])
      assert.deepEqual(rows, [{ emailVerified: true }])
    })

    test("an SSO provider cannot sign in a person whose e-mail address has moved from the provider's domain to another", async () => {
      await world.ready(owner, world.oidc(domain))
      assert.equal((await world.signInOidc(`ada@${domain}`)).isSignedIn, true)
      await database.db
        .updateTable('user')
        .set({ email: `ada@home-${domain}` })
        .where('email', '=', `ada@${domain}`)
        .execute()
      const end = await world.signInOidc(`ada@${domain}`)
      assert.deepEqual([end.isSignedIn, end.error], [false, 'domain_not_claimed'])
    })
  })
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/database.ts'
import { invitationRoutes } from '../../invitations/invitations.routes.ts'
import { keyRoutes } from '../../keys/keys.routes.ts'
import { meRoutes } from '../../me/me.routes.ts'
import { securityRoutes } from '../../security/security.routes.ts'
import { ssoRoutes } from '../../sso/sso.routes.ts'
import { openDnsServer } from './dns-server.ts'
import { cookieOf, openMinimalApp, ORIGIN, PASSWORD } from '../apps/minimal-app.ts'
import { CLIENT, openOidcIssuer } from './oidc-issuer.ts'
import { openSamlProvider } from './saml-provider.ts'

export type Txt = { domain: string; name: string; value: string; isVerified: boolean }
export type Provider = {
  issuer: string
  domain: string
  kind: 'oidc' | 'saml'
  domainVerified: boolean
  txt: Txt[]
  redirectUri: string | null
  acsUrl: string | null
  entityId: string | null
}
/** The credentials that `MinimalApp.send` takes. */
export type Caller = { cookie?: string; key?: string }
type Body = { data?: Record<string, unknown>; error?: { code: string; message: string } }

export type SsoWorld = Awaited<ReturnType<typeof openSsoWorld>>
export type Person = { cookie: string; email: string; userId: string }

/** Opens an application together with an OpenID Connect issuer, a SAML provider and a DNS server. */
export async function openSsoWorld(database: Database, changes: Partial<Config> = {}) {
  const [issuer, saml, dns] = await Promise.all([openOidcIssuer(), openSamlProvider(), openDnsServer()])
  const app = openMinimalApp(
    database,
    [...ssoRoutes, ...securityRoutes, ...keyRoutes, ...meRoutes, ...invitationRoutes],
    { trustedIdpOrigins: [issuer.origin, saml.origin], dnsServers: [dns.address], ...changes },
  )

  const world = {
    app,
    issuer,
    saml,
    dns,
    /** Signs up the owner of a new organization. No SSO provider is set up for the domain of the email address. */
    owner: () => app.signUp(`Owner ${randomUUID()}`),
    async call(method: string, path: string, as: Caller, body?: unknown) {
      const answer = await app.send(method, `/api/v1${path}`, as, body)
      return { status: answer.status, ...((await answer.json()) as Body) }
    },
    /** Returns the status, error code and message of a call that is refused. */
    async refusal(method: string, path: string, as: Caller, body?: unknown) {
      const { status, error } = await world.call(method, path, as, body)
      return `${status} ${error?.code}: ${error?.message}`
    },
    async organizationOf(as: { cookie: string }) {
      const { data, error } = await world.call('GET', '/me', as)
      assert.ok(data, String(error?.message))
      return (data['organization'] as { id: string }).id
    },
    /** Signs up a person whose only organization is `organizationId`. */
    async join(organizationId: string, role: string) {
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
    },
    /** Makes the OIDC and the SAML provider sign in a person named Ada with an email address at this domain. */
    useDomain(domain: string): void {
      issuer.person = { sub: `sub-${domain}`, email: `ada@${domain}`, name: 'Ada' }
      issuer.forgery = {}
      saml.person = `ada@${domain}`
    },
    oidc: (domain: string, config: object = CLIENT) => ({
      issuer: issuer.origin,
      domain,
      oidcConfig: config,
    }),
    samlInput: (domain: string) => ({
      issuer: saml.entityId,
      domain,
      samlConfig: { entryPoint: `${saml.origin}/sso`, cert: saml.cert },
    }),
    async setUp(owner: Person, input: object): Promise<Provider> {
      const { status, data, error } = await world.call('POST', '/sso', owner, input)
      assert.equal(status, 200, String(error?.message))
      return data as Provider
    },
    async verify(owner: Person, { txt }: Pick<Provider, 'txt'>): Promise<void> {
      for (const { name, value } of txt) dns.records.set(name, [[value]])
      const { data, error } = await world.call('POST', '/sso/verify-domain', owner)
      assert.deepEqual(data, { domainVerified: true }, String(error?.message))
    },
    async ready(owner: Person, input: object): Promise<Provider> {
      const provider = await world.setUp(owner, input)
      await world.verify(owner, provider)
      return provider
    },
    /** Begins a sign-in. Returns the URL to which the browser is sent, and the cookies. */
    async begin(email: string) {
      const answer = await app.send('POST', '/api/auth/sign-in/sso', {}, { email, callbackURL: '/home' })
      const body = (await answer.json()) as { url?: string; code?: string }
      return { status: answer.status, url: body.url ?? '', code: body.code, cookie: cookieOf(answer) }
    },
    /** Sends an authorization request to the issuer. Returns the URL to which the issuer redirects the browser. */
    async authorize(url: string): Promise<string> {
      const { headers } = await fetch(url, { redirect: 'manual' })
      return headers.get('location') ?? ''
    },
    async back(location: string, cookie: string) {
      const { pathname, search } = new URL(location)
      return signInEnd(await app.request(pathname + search, { headers: { cookie } }))
    },
    async signInOidc(email: string) {
      const { url, cookie } = await world.begin(email)
      return world.back(await world.authorize(url), cookie)
    },
    /** Posts a SAML response like the page of the provider: from the provider's origin and without the cookies of the service. */
    async post(acsUrl: string, form: Record<string, string>) {
      return signInEnd(
        await app.request(new URL(acsUrl).pathname, {
          method: 'POST',
          headers: { origin: saml.origin, 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(form).toString(),
        }),
      )
    },
    async signInSaml(email: string, provider: Provider) {
      const { url } = await world.begin(email)
      return world.post(provider.acsUrl ?? '', saml.respond(url, provider))
    },
    async signInByPassword(email: string) {
      const answer = await app.send('POST', '/api/auth/sign-in/email', {}, { email, password: PASSWORD })
      return { status: answer.status, cookie: cookieOf(answer) }
    },
    async close() {
      await app.auth.close()
      await Promise.all([issuer.close(), saml.close(), dns.close()])
    },
  }
  return world
}

/** Returns the session cookie of a sign-in response, if there is one, and the page or the error to which the response redirects. */
async function signInEnd(answer: Response) {
  const location = answer.headers.get('location')
  const url = location === null ? null : new URL(location, ORIGIN)
  const cookie = cookieOf(answer)
  return {
    status: answer.status,
    cookie,
    isSignedIn: cookie.includes('session_token='),
    page: url?.pathname ?? null,
    error: url?.searchParams.get('error') ?? (url === null ? await answer.text() : null),
  }
}

import { createHash, createHmac, randomBytes } from 'node:crypto'
import { Hono } from 'hono'

/**
 * The host name to which apps send requests to this provider. It has no DNS record: the egress worker, which receives all
 * outgoing requests of apps, forwards them to this stand-in.
 */
export const PROVIDER_HOST = 'oauth.slipway.test'

/** The secret is public, like the keys of a test mode, and protects nothing. */
export const LOCAL_CLIENT = { id: 'local-app', secret: 'local-secret' }

/** The lifetime of a code. RFC 6749 4.1.2 recommends at most 10 minutes. */
const CODE_LIFETIME_MS = 60_000
const TOKEN_MS = 3_600_000
const REFRESH_MS = 30 * 24 * TOKEN_MS
/**
 * The maximum number of codes, and of tokens of each kind. Every program on this machine can request codes and tokens, so the oldest are
 * dropped to limit memory.
 */
const ENTRIES_MAX = 1000

/** An account, with the claim names of OpenID Connect. */
export interface ProviderAccount {
  sub: string
  email: string
  email_verified: boolean
  name: string
}

interface ConsentGrant {
  account: ProviderAccount
  challenge: string
  redirectUri: string
  nonce: string | null
  isOpenId: boolean
  /** Whether the app gets a refresh token, with which it can use the account while the person is not present. */
  isOffline: boolean
}

/**
 * What a token gives access to. `consent` is the id of the consent that the token was issued for: revoking a token revokes all tokens of
 * the same consent.
 */
interface TokenAccess {
  account: ProviderAccount
  consent: string
}

interface ExpiringValue<T> {
  value: T
  expiresAt: number
}

/**
 * A stand-in for an OAuth provider. People sign in to an app with an account of this provider, or connect the
 * account to an app. Supports the authorization code flow with PKCE, OpenID Connect, single-use refresh tokens,
 * revocation (RFC 7009) and an API with one resource. Codes and tokens are only in memory, so that no
 * personal data is stored; after a restart people must sign in and connect their accounts again.
 */
export class OauthProvider {
  readonly issuer = `https://${PROVIDER_HOST}`
  readonly addresses = { tokenUrl: `${this.issuer}/token`, userInfoUrl: `${this.issuer}/userinfo` }
  readonly service = {
    tokenUrl: this.addresses.tokenUrl,
    apiBase: `${this.issuer}/api`,
    revokeUrl: `${this.issuer}/revoke`,
  }
  readonly #now: () => number
  readonly #codes = new Map<string, ExpiringValue<ConsentGrant>>()
  readonly #tokens = new Map<string, ExpiringValue<TokenAccess>>()
  readonly #refreshTokens = new Map<string, ExpiringValue<TokenAccess>>()
  readonly #endpoints = new Hono()
    .post('/token', async (c) => {
      const form = await c.req.parseBody()
      const client = basicClient(c.req.header('authorization'))
      const fields: Record<string, unknown> = client === null ? form : { ...form, ...client }
      return this.#tokenResponse((name) => {
        const value = fields[name]
        return typeof value === 'string' ? value : ''
      })
    })
    .post('/revoke', async (c) => {
      const form = await c.req.parseBody()
      this.#revokeConsent(typeof form['token'] === 'string' ? form['token'] : '')
      return c.body(null, 200)
    })
    .on('GET', ['/userinfo', '/api/me'], (c) => {
      const token = (c.req.header('authorization') ?? '').replace(/^Bearer +/i, '')
      const access = this.#readEntry(this.#tokens, token)
      if (access !== null) return c.json(access.account)
      return c.json({ error: 'invalid_token' }, 401, { 'www-authenticate': 'Bearer error="invalid_token"' })
    })

  constructor(now: () => number) {
    this.#now = now
  }

  readonly answer = async (request: Request): Promise<Response> => this.#endpoints.fetch(request)

  /** Returns the redirect address after the person has agreed. `query` has the parameters of the authorization request. */
  grantConsent(query: URLSearchParams, account: ProviderAccount): string {
    const problem = authorizeProblem(query)
    if (problem !== null) throw new Error(`The authorization request is refused: ${problem}`)
    const code = newToken()
    const scopes = (query.get('scope') ?? '').split(' ')
    const grant = {
      account,
      challenge: query.get('code_challenge') ?? '',
      redirectUri: query.get('redirect_uri') ?? '',
      nonce: query.get('nonce'),
      isOpenId: scopes.includes('openid'),
      isOffline: scopes.includes('offline_access'),
    }
    this.#storeEntry(this.#codes, code, grant, CODE_LIFETIME_MS)
    return redirectWithParams(query, { code })
  }

  #tokenResponse(field: (name: string) => string): Response {
    if (field('client_id') !== LOCAL_CLIENT.id || field('client_secret') !== LOCAL_CLIENT.secret)
      return Response.json({ error: 'invalid_client' }, { status: 401 })
    if (field('grant_type') === 'refresh_token') return this.#refreshAccess(field('refresh_token'))
    if (field('grant_type') !== 'authorization_code')
      return Response.json({ error: 'unsupported_grant_type' }, { status: 400 })
    const grant = this.#readEntry(this.#codes, field('code'))
    // Delete the code before checking it, so that a failed attempt uses it up too.
    this.#codes.delete(field('code'))
    const challenge = createHash('sha256').update(field('code_verifier')).digest('base64url')
    if (grant === null || grant.redirectUri !== field('redirect_uri') || grant.challenge !== challenge)
      return Response.json({ error: 'invalid_grant' }, { status: 400 })
    const answer = this.#issueTokens({ account: grant.account, consent: newToken() }, grant.isOffline)
    return Response.json(grant.isOpenId ? { ...answer, id_token: this.#idToken(grant) } : answer)
  }

  #issueTokens(access: TokenAccess, isOffline: boolean) {
    const [token, refresh] = [newToken(), newToken()]
    this.#storeEntry(this.#tokens, token, access, TOKEN_MS)
    if (isOffline) this.#storeEntry(this.#refreshTokens, refresh, access, REFRESH_MS)
    const answer = { access_token: token, token_type: 'Bearer', expires_in: TOKEN_MS / 1000 }
    return isOffline ? { ...answer, refresh_token: refresh } : answer
  }

  /** A refresh token works once: the response contains the next one (RFC 9700 2.2.2). */
  #refreshAccess(token: string): Response {
    const access = this.#readEntry(this.#refreshTokens, token)
    this.#refreshTokens.delete(token)
    if (access === null) return Response.json({ error: 'invalid_grant' }, { status: 400 })
    return Response.json(this.#issueTokens(access, true))
  }

  #revokeConsent(token: string): void {
    const access = this.#readEntry(this.#refreshTokens, token) ?? this.#readEntry(this.#tokens, token)
    for (const map of [this.#tokens, this.#refreshTokens])
      for (const [key, { value }] of map) if (value.consent === access?.consent) map.delete(key)
  }

  /** Returns an id token. It is signed with the client's secret, as OpenID Connect Core 10.1 permits. */
  #idToken({ account, nonce }: ConsentGrant): string {
    const iat = Math.floor(this.#now() / 1000)
    const head = { ...account, iss: this.issuer, aud: LOCAL_CLIENT.id, iat, exp: iat + 300 }
    // A client that sent no nonce may refuse a token that has one, even null.
    const claims = nonce === null ? head : { ...head, nonce }
    const text = [{ alg: 'HS256' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    return `${text}.${createHmac('sha256', LOCAL_CLIENT.secret).update(text).digest('base64url')}`
  }

  #storeEntry<T>(map: Map<string, ExpiringValue<T>>, key: string, value: T, lifeMs: number): void {
    const [oldest] = map.keys()
    if (map.size >= ENTRIES_MAX && oldest !== undefined) map.delete(oldest)
    map.set(key, { value, expiresAt: this.#now() + lifeMs })
  }

  #readEntry<T>(map: Map<string, ExpiringValue<T>>, key: string): T | null {
    const kept = map.get(key)
    return kept === undefined || kept.expiresAt <= this.#now() ? null : kept.value
  }
}

/**
 * Returns the client id and secret of Basic authentication, which contains both in URI encoding (RFC 6749 2.3.1); null without it. An app
 * sends them this way or as form fields.
 */
function basicClient(header: string | undefined): { client_id: string; client_secret: string } | null {
  const encoded = /^Basic +(\S+)$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return null
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  const parts = [text.slice(0, Math.max(colon, 0)), text.slice(colon + 1)]
  try {
    const [client_id = '', client_secret = ''] = parts.map((part) =>
      decodeURIComponent(part.replaceAll('+', ' ')),
    )
    return { client_id, client_secret }
  } catch {
    return { client_id: '', client_secret: '' }
  }
}

const newToken = (): string => randomBytes(24).toString('base64url')

/** Returns the OAuth error code of an invalid authorization request, such as `invalid_request`; null for a valid one. */
export function authorizeProblem(query: URLSearchParams): string | null {
  if (query.get('client_id') !== LOCAL_CLIENT.id) return 'unauthorized_client'
  if (!isAppAddress(query.get('redirect_uri') ?? '')) return 'redirect_uri_mismatch'
  if (query.get('response_type') !== 'code') return 'unsupported_response_type'
  const isProved = query.get('code_challenge_method') === 'S256' && (query.get('code_challenge') ?? '') !== ''
  return isProved ? null : 'invalid_request'
}

/** Accepts only addresses on this machine, where all apps of the local cloud are. */
function isAppAddress(uri: string): boolean {
  if (!URL.canParse(uri)) return false
  const { protocol, hostname } = new URL(uri)
  return protocol === 'http:' && /^(?:127\.0\.0\.1|\[::1\]|(?:.+\.)?localhost)$/.test(hostname)
}

/**
 * Returns the redirect address with the parameters in `told` and the `state` of the authorization request, if it had one.
 */
export function redirectWithParams(query: URLSearchParams, told: Record<string, string>): string {
  const url = new URL(query.get('redirect_uri') ?? '')
  for (const [name, value] of Object.entries(told)) url.searchParams.set(name, value)
  const state = query.get('state')
  if (state !== null) url.searchParams.set('state', state)
  return url.href
}

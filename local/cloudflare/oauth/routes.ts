import { Hono } from 'hono'
import type { Context } from 'hono'
import { isAllowedRedirect } from '../../world/allowed-redirect.ts'
import type { Store } from '../../world/store.ts'
import { createAccount, findAccountByHint } from '../accounts.ts'
import { owner } from '../api/identity.ts'
import { findToken, isLive } from '../tokens.ts'
import type { Account } from '../types.ts'
import { GrantFailure, issueCode, redeemCode, refresh, revoke } from './grants.ts'

interface OAuthOptions {
  store: Store
  now(): number
  /** Outside address of the service: its redirects are allowed beside loopback. */
  baseUrl: string | null
}

/** The client this cloud knows from the start; it alone may ask without a person. */
const BUILT_IN_CLIENT = 'slipway-local'
const SCOPE_NAME = /^[a-z0-9-]+\.[a-z]+$/

/** The provider's OAuth server, mounted at /cloudflare/oauth2. */
export function oauthRoutes(options: OAuthOptions): Hono {
  const { store } = options
  return new Hono()
    .get('/auth', (c) => authorize(options, c))
    .post('/token', async (c) => {
      const form = await c.req.parseBody()
      const field = (name: string) => (typeof form[name] === 'string' ? form[name] : '')
      const clientId = basicClient(c.req.header('authorization')) ?? field('client_id')
      if (clientId !== BUILT_IN_CLIENT) return c.json(oauthError('invalid_client', 'unknown client'), 401)
      try {
        switch (field('grant_type')) {
          case 'authorization_code':
            return c.json(
              redeemCode(store, {
                code: field('code'),
                clientId,
                redirectUri: field('redirect_uri'),
                verifier: field('code_verifier'),
                at: options.now(),
              }),
            )
          case 'refresh_token':
            return c.json(refresh(store, { token: field('refresh_token'), clientId, at: options.now() }))
          default:
            return c.json(oauthError('unsupported_grant_type', 'grant_type is not supported'), 400)
        }
      } catch (error) {
        if (error instanceof GrantFailure) return c.json(oauthError(error.code, error.message), 400)
        throw error
      }
    })
    .post('/revoke', async (c) => {
      const { token } = await c.req.parseBody()
      if (typeof token === 'string') revoke(store, token, options.now())
      return c.body(null, 200)
    })
    .get('/userinfo', (c) => {
      const secret = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
      const token = secret === undefined ? null : findToken(store, secret)
      if (token === null || !isLive(token, options.now()))
        return c.json(oauthError('invalid_token', 'not valid'), 401)
      return c.json({ sub: owner.id, email: owner.email })
    })
}

/**
 * A silent authorization: the embedded service connects each organization to an account of its own. The hint names
 * the organization, so that a request repeated after a crash finds the account it made.
 */
function authorize(options: OAuthOptions, c: Context): Response {
  const query = (name: string) => c.req.query(name) ?? ''
  const redirectUri = query('redirect_uri')
  // Checked before anything is sent there.
  if (query('client_id') !== BUILT_IN_CLIENT) return c.text('Unknown client.', 400)
  if (!isAllowedRedirect(redirectUri, options.baseUrl))
    return c.text('This redirect_uri is not allowed.', 400)
  const back = (fields: Record<string, string>) => {
    const url = new URL(redirectUri)
    for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
    if (query('state') !== '') url.searchParams.set('state', query('state'))
    return c.redirect(url.href, 302)
  }
  if (query('response_type') !== 'code') return back({ error: 'unsupported_response_type' })
  if (query('code_challenge_method') !== 'S256' || query('code_challenge') === '') {
    return back({ error: 'invalid_request', error_description: 'PKCE with S256 is required' })
  }
  const scopes = query('scope')
    .split(' ')
    .filter((scope) => scope !== '')
  if (!scopes.every((scope) => SCOPE_NAME.test(scope))) return back({ error: 'invalid_scope' })
  if (query('prompt') !== 'none' || query('login_hint') === '') {
    return back({
      error: 'interaction_required',
      error_description: 'this cloud authorizes with prompt=none and login_hint',
    })
  }
  const account = accountFor(options, query('login_hint'), query('account_name'))
  const code = issueCode(
    options.store,
    {
      accountId: account.id,
      clientId: BUILT_IN_CLIENT,
      redirectUri,
      scopes,
      challenge: query('code_challenge'),
    },
    options.now(),
  )
  return back({ code })
}

function accountFor(options: OAuthOptions, hint: string, name: string): Account {
  const known = findAccountByHint(options.store, hint)
  if (known !== null) return known
  const account = {
    name: name === '' ? hint : name,
    plan: 'paid' as const,
    loginHint: hint,
    at: options.now(),
  }
  return createAccount(options.store, account)
}

function basicClient(header: string | undefined): string | null {
  const encoded = /^Basic +(\S+)$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return null
  return decodeURIComponent(Buffer.from(encoded, 'base64').toString().split(':', 1)[0] ?? '')
}

function oauthError(error: string, description: string): object {
  return { error, error_description: description }
}

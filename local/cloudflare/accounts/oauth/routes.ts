import { Hono } from 'hono'
import { BUILT_IN_CLIENT } from '../../../world/ids.ts'
import { formOf, rejectCrossSiteForms } from '../../../world/page.ts'
import { localOwner } from '../accounts.ts'
import { findToken, isTokenValid } from '../tokens.ts'
import { authorize, type OAuthOptions } from './authorize.ts'
import { GrantFailure, redeemCode, refresh, revoke } from './grants.ts'

export function oauthRoutes(options: OAuthOptions): Hono {
  const { store } = options
  return new Hono()
    .get('/auth', (c) => authorize(options, c, (name) => c.req.queries(name) ?? [], false))
    .post('/auth', rejectCrossSiteForms, async (c) => authorize(options, c, await formOf(c), true))
    .post('/token', async (c) => {
      const form = await c.req.parseBody()
      const readField = (name: string) => (typeof form[name] === 'string' ? form[name] : '')
      const clientId = basicClient(c.req.header('authorization')) ?? readField('client_id')
      if (clientId !== BUILT_IN_CLIENT) return c.json(oauthError('invalid_client', 'unknown client'), 401)
      try {
        switch (readField('grant_type')) {
          case 'authorization_code':
            return c.json(
              redeemCode(store, {
                code: readField('code'),
                clientId,
                redirectUri: readField('redirect_uri'),
                verifier: readField('code_verifier'),
                at: options.now(),
              }),
            )
          case 'refresh_token':
            return c.json(refresh(store, { token: readField('refresh_token'), clientId, at: options.now() }))
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
      if (token === null || token.kind === 'refresh' || !isTokenValid(token, options.now()))
        return c.json(oauthError('invalid_token', 'not valid'), 401)
      return c.json({ sub: localOwner.id, email: localOwner.email })
    })
}

/** Returns the client id of Basic authentication; null without Basic authentication, or when the id is not URI-encoded (RFC 6749 2.3.1). */
function basicClient(header: string | undefined): string | null {
  const encoded = /^Basic +(\S+)$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return null
  try {
    return decodeURIComponent(Buffer.from(encoded, 'base64').toString().split(':', 1)[0] ?? '')
  } catch {
    return null
  }
}

function oauthError(error: string, description: string): object {
  return { error, error_description: description }
}

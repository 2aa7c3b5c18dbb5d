import { createMiddleware } from 'hono/factory'
import { readAccount } from '../accounts/accounts.ts'
import { findToken, isTokenValid } from '../accounts/tokens.ts'
import type { ApiEnv, Cloud } from './context.ts'
import { ApiFailure } from './failure.ts'

/** Accepts API tokens and OAuth access tokens alike. */
export function authenticate(cloud: Cloud) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    const secret = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
    const token = secret === undefined ? null : findToken(cloud.store, secret)
    if (token === null || token.kind === 'refresh' || !isTokenValid(token, cloud.now())) {
      const isVerify = c.req.path.endsWith('/tokens/verify')
      throw new ApiFailure(
        401,
        isVerify ? 1000 : 10000,
        isVerify ? 'Invalid API Token' : 'Authentication error',
      )
    }
    c.set('token', token)
    await next()
  })
}

/** Responds with the same 403 when the token is not for the account in the path and when that account does not exist. */
export function ownAccount(cloud: Cloud) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    const id = c.req.param('account')
    const isOwn = id !== undefined && c.get('token').accountIds.includes(id)
    const account = isOwn ? readAccount(cloud.store, id) : null
    if (account === null) throw new ApiFailure(403, 10000, 'Authentication error')
    c.set('account', account)
    await next()
  })
}

/** Refuses a token without the permission `scope`. A token with an empty list of scopes has every permission in its account. */
export function requireScope(scope: string) {
  const readScope = scope.replace(/\.write$/, '.read')
  return createMiddleware<ApiEnv>(async (c, next) => {
    const { scopes } = c.get('token')
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    const isAllowed = scopes.length === 0 || scopes.includes(scope) || (isRead && scopes.includes(readScope))
    if (!isAllowed)
      throw new ApiFailure(403, 10000, `Authentication error: the token lacks ${isRead ? readScope : scope}`)
    await next()
  })
}

import { createMiddleware } from 'hono/factory'
import { readAccount } from './accounts.ts'
import { type Github, type GithubEnv, GithubFailure, type Viewer } from './context.ts'
import { findToken } from './tokens.ts'

/** Accepts `Bearer`, `token`, or Basic with the token as name or password. Returns null without a valid token. */
export function viewerOf({ store }: Pick<Github, 'store'>, header: string | undefined): Viewer | null {
  for (const secret of secretsIn(header ?? '')) {
    const token = findToken(store, secret)
    const user = token === null ? null : readAccount(store, token.userId)
    if (token !== null && user !== null) return { token, user }
  }
  return null
}

function secretsIn(header: string): string[] {
  const [, scheme = '', value = ''] = /^(Bearer|token|Basic) +(\S+)$/i.exec(header) ?? []
  if (scheme.toLowerCase() !== 'basic') return value === '' ? [] : [value]
  const text = Buffer.from(value, 'base64').toString()
  const colon = text.indexOf(':')
  return [text.slice(colon + 1), text.slice(0, Math.max(colon, 0))].filter((part) => part !== '')
}

/** Throws a 401 error without a valid token. */
export const authenticate = (github: Github) =>
  createMiddleware<GithubEnv>(async (c, next) => {
    const header = c.req.header('authorization')
    const viewer = viewerOf(github, header)
    if (viewer === null)
      throw new GithubFailure(401, header === undefined ? 'Requires authentication' : 'Bad credentials')
    c.set('viewer', viewer)
    await next()
    c.header('X-OAuth-Scopes', viewer.token.scopes.join(', '))
    c.header('X-GitHub-Media-Type', 'github.v3; format=json')
  })

/** Throws unless the token has one of these scopes. */
export function requireScope(viewer: Viewer, ...scopes: string[]): void {
  if (scopes.some((scope) => viewer.token.scopes.includes(scope))) return
  throw new GithubFailure(403, 'Resource not accessible: the token lacks a scope', {
    headers: { 'X-Accepted-OAuth-Scopes': scopes.join(', ') },
  })
}

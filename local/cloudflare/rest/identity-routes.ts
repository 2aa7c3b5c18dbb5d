import { Hono } from 'hono'
import * as z from 'zod'
import { localOwner, readAccount, setSubdomain, subdomainProblem } from '../accounts/accounts.ts'
import { OAUTH_SCOPES } from '../accounts/oauth/scopes.ts'
import type { Token } from '../accounts/tokens.ts'
import type { Account } from '../types.ts'
import { requireScope } from './authenticate.ts'
import type { ApiEnv, Cloud } from './context.ts'
import { respond, isoTime, respondWithPage } from './envelope.ts'
import { ApiFailure } from './failure.ts'
import { sortList } from './list-filters.ts'
import { readBody } from './read-body.ts'

const Subdomain = z.object({ subdomain: z.string() })

/** Routes for /user, /accounts and /memberships, which return only what the token may access. */
export function identityRoutes(cloud: Cloud): Hono<ApiEnv> {
  const accountsOf = ({ accountIds }: Token) => accountIds.flatMap((id) => readAccount(cloud.store, id) ?? [])
  return new Hono<ApiEnv>()
    .get('/user', (c) =>
      respond(c, {
        ...localOwner,
        first_name: null,
        last_name: null,
        two_factor_authentication_enabled: false,
      }),
    )
    .get('/user/tokens/verify', (c) => respond(c, verifiedToken(c.get('token'))))
    .get('/accounts', (c) => {
      const name = c.req.query('name')
      const found = accountsOf(c.get('token')).filter(
        (account) => name === undefined || account.name === name,
      )
      return respondWithPage(c, sortList(c, found, {}).map(toAccount))
    })
    .get('/memberships', (c) => {
      const memberships = accountsOf(c.get('token')).map((account) => ({
        id: account.id,
        status: 'accepted',
        account: toAccount(account),
        roles: ['Administrator'],
      }))
      return respondWithPage(c, memberships)
    })
    .get('/oauth/scopes', (c) => respond(c, OAUTH_SCOPES))
}

export function accountRoutes(cloud: Cloud): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => respond(c, toAccount(c.get('account'))))
    .get('/tokens/verify', (c) => respond(c, verifiedToken(c.get('token'))))
    .get('/workers/subdomain', (c) => {
      const { subdomain } = c.get('account')
      if (subdomain === null)
        throw new ApiFailure(404, 10063, 'This account has no workers.dev subdomain yet.')
      return respond(c, { subdomain })
    })
    .put('/workers/subdomain', requireScope('workers-scripts.write'), async (c) => {
      const { subdomain } = await readBody(c, Subdomain)
      const account = c.get('account')
      if (account.subdomain !== subdomain) {
        const problem = subdomainProblem(cloud.store, subdomain)
        if (problem !== null) throw new ApiFailure(409, 10031, problem)
        setSubdomain(cloud.store, account.id, subdomain)
        cloud.apps.hosts.clear()
      }
      return respond(c, { subdomain })
    })
}

const verifiedToken = ({ id, expiresAt }: Token) => ({
  id,
  status: 'active',
  ...(expiresAt === null ? {} : { expires_on: isoTime(expiresAt) }),
})

function toAccount(account: Account): object {
  return {
    id: account.id,
    name: account.name,
    type: 'standard',
    settings: { enforce_twofactor: false },
    created_on: isoTime(account.createdAt),
  }
}

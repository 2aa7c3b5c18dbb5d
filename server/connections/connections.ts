import type { Db, Trx } from '../db/database.ts'
import type { Context } from '../platform.ts'

/** The stored connection of one provider, sealed tokens included; null when there is none. */
export async function readConnection(db: Db | Trx, orgId: string, provider: 'cloudflare' | 'github') {
  const row = await db
    .selectFrom('connections')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('provider', '=', provider)
    .executeTakeFirst()
  return row ?? null
}

/** Whether the organization has a model that could work on its projects. */
export async function hasModelConnection(db: Db | Trx, orgId: string): Promise<boolean> {
  const row = await db
    .selectFrom('model_connections')
    .select('id')
    .where('org_id', '=', orgId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Which accounts are connected, and what the caller may change about it. */
export async function describeConnections(ctx: Context) {
  const { organizationId } = ctx.caller
  const [cloudflare, github] = await Promise.all([
    readConnection(ctx.db, organizationId, 'cloudflare'),
    readConnection(ctx.db, organizationId, 'github'),
  ])
  return {
    cloudflare:
      cloudflare === null
        ? { connected: false, account: null, method: null, scopes: [], missingScopes: [] }
        : {
            connected: cloudflare.status === 'connected',
            account:
              cloudflare.account_id === null
                ? null
                : {
                    id: cloudflare.account_id,
                    name: cloudflare.account_name,
                    subdomain: cloudflare.subdomain,
                  },
            method: cloudflare.refresh_token === null ? ('token' as const) : ('oauth' as const),
            scopes: cloudflare.scopes,
            missingScopes: [],
          },
    github: { connected: github?.status === 'connected', login: github?.account_name ?? null },
    role: ctx.caller.role,
  }
}

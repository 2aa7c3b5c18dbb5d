import { type ExportedTable, listField } from '../lib/exported.ts'
import { isoTime } from '../lib/sql-json.ts'
import { missingPermissions } from '../cloudflare/permissions.ts'
import type { Db, Trx } from '../db/database.ts'
import type { ConnectedProvider } from '../db/tables/connections.ts'
import type { Context } from '../endpoint.ts'
import { GITHUB_SCOPES } from '../github/sign-in.ts'
import type { Ports } from '../platform.ts'
import { signInChoices } from './profiles.ts'
import { neededScopes } from './scopes.ts'

/** Returns the row with its encrypted tokens, or null. */
export async function readConnection(db: Db | Trx, orgId: string, provider: ConnectedProvider) {
  const row = await db
    .selectFrom('connections')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('provider', '=', provider)
    .executeTakeFirst()
  return row ?? null
}

export async function withCloudAccount(
  db: Db | Trx,
  orgIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (orgIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('connections')
    .select('org_id')
    .where('org_id', 'in', orgIds)
    .where('provider', '=', 'cloudflare')
    .where('status', '=', 'connected')
    .execute()
  return new Set(rows.map((row) => row.org_id))
}

/** Returns whether an account is one of the local emulator. Also finds an account that the organization connected earlier. */
export async function isLocalAccount(db: Db | Trx, orgId: string, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('cloud_accounts')
    .select('profile')
    .where('org_id', '=', orgId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.profile === 'local'
}

/** Returns whether the organization has a connection to a model. Only a call shows whether the connection works. */
export async function hasModelConnection(db: Db | Trx, orgId: string): Promise<boolean> {
  const row = await db
    .selectFrom('model_connections')
    .select('id')
    .where('org_id', '=', orgId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns which accounts are connected, which scopes they lack, and what the caller may change. */
export async function describeConnections(ctx: Context<'config'>) {
  const { organizationId } = ctx.caller
  const [cloudflare, github, needed] = await Promise.all([
    readConnection(ctx.db, organizationId, 'cloudflare'),
    readConnection(ctx.db, organizationId, 'github'),
    neededScopes(ctx.db, organizationId),
  ])
  return {
    cloudflare: {
      connected: cloudflare?.status === 'connected',
      ...sharedFields(ctx, 'cloudflare', cloudflare),
      account:
        cloudflare === null || cloudflare.account_id === null
          ? null
          : { id: cloudflare.account_id, name: cloudflare.account_name, subdomain: cloudflare.subdomain },
      method: cloudflare?.method ?? null,
      scopes: cloudflare?.scopes ?? [],
      missingScopes: cloudflare === null ? [] : missingPermissions(cloudflare.scopes, needed),
    },
    github: {
      connected: github?.status === 'connected',
      ...sharedFields(ctx, 'github', github),
      login: github?.account_name ?? null,
      scopes: github?.scopes ?? [],
      missingScopes: github === null ? [] : missingPermissions(github.scopes, GITHUB_SCOPES),
    },
    role: ctx.caller.role,
  }
}

type ConnectionRow = Awaited<ReturnType<typeof readConnection>>

const sharedFields = (ctx: Pick<Ports, 'config'>, provider: ConnectedProvider, row: ConnectionRow) => ({
  status: row?.status ?? ('none' as const),
  profile: row?.profile ?? null,
  signIns: signInChoices(ctx.config, provider),
})

/** Leaves out the tokens, because an export may be stored anywhere. */
export const EXPORTED_ACCOUNTS: ExportedTable = {
  fields: {
    id: 'id',
    type: "'account'",
    provider: 'provider',
    profile: 'profile',
    method: 'method',
    status: 'status',
    accountId: 'account_id',
    accountName: 'account_name',
    subdomain: 'subdomain',
    scopes: listField('scopes'),
    createdAt: isoTime('created_at'),
  },
  from: 'connections where org_id = $1 order by created_at, id',
}

/** Leaves out the keys, and a user name and password in a base URL. */
export const EXPORTED_MODELS: ExportedTable = {
  fields: {
    id: 'id',
    type: "'model'",
    provider: 'provider',
    label: 'label',
    baseUrl: "regexp_replace(base_url, '//[^/?#]*@', '//')",
    models: listField('models'),
    defaultModel: 'default_model',
    isDefault: { sql: 'is_default::text', isJson: true },
    createdAt: isoTime('created_at'),
  },
  from: 'model_connections where org_id = $1 order by created_at, id',
}

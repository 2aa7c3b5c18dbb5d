import { type Expression, type Selectable, sql, type SqlBool } from 'kysely'
import type { Schema } from '../db/schema.ts'

/** The table `cloud_accounts` under the alias `a`, for joins in the query builder. */
export const CLOUD_ACCOUNTS = sql<
  Pick<Selectable<Schema['cloud_accounts']>, 'org_id' | 'account_id' | 'profile'>
>`cloud_accounts`.as('a')

/** SQL for the name of an account. Its value is null when the account was never connected. */
export const accountName = (orgId: string, accountId: string) =>
  sql<string | null>`(select a.name from cloud_accounts a
    where a.org_id = ${sql.ref(orgId)} and a.account_id = ${sql.ref(accountId)})`

/** SQL condition: the organization has a connection to Cloudflare, which may have to be connected again. */
export const hasCloudConnection = (orgId: Expression<string>) =>
  sql<SqlBool>`exists (select from connections c where c.org_id = ${orgId} and c.provider = 'cloudflare')`

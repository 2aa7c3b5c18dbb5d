import { type Selectable, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

type JoinedResource = Pick<
  Selectable<Schema['resources']>,
  'org_id' | 'project_id' | 'account_id' | 'tier' | 'updated_at'
>

/**
 * The table of resources as `r`, for joins in the query builder. The SQL is the plain table name, so Postgres plans the query as for the
 * table.
 */
export const RESOURCES_AS_R = sql<JoinedResource>`resources`.as('r')

/** SQL that joins a project's custom domain in the account as `r`. `of` is a table alias with the columns `org_id` and `project_id`. */
export const joinCustomDomain = (of: string): string =>
  `join resources r on r.org_id = ${of}.org_id and r.project_id = ${of}.project_id and r.kind = 'custom_domain'`

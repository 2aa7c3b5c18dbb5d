import { type Selectable, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

type Joined = Pick<
  Selectable<Schema['resources']>,
  'org_id' | 'project_id' | 'account_id' | 'tier' | 'updated_at'
>

/** The resources as `r`, for joins in the query builder. A raw fragment of the table name, so it is planned like the table. */
export const RESOURCES = sql<Joined>`resources`.as('r')

/** SQL that joins as `r` the custom domain in the account. The row `of` must have an `org_id` and a `project_id`. */
export const joinCustomDomain = (of: string): string =>
  `join resources r on r.org_id = ${of}.org_id and r.project_id = ${of}.project_id and r.kind = 'custom_domain'`

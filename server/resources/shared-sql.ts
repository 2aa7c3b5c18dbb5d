import { type Selectable, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

/** The columns of a resource that statements of other folders read. */
type Joined = Pick<
  Selectable<Schema['resources']>,
  'org_id' | 'project_id' | 'account_id' | 'tier' | 'updated_at'
>

/** The resources as `r`, to be joined in the query builder. Planned like the table itself. */
export const RESOURCES = sql<Joined>`resources`.as('r')

/** SQL that joins as `r` the custom domain in the account for the row `of`, which has an `org_id` and a `project_id`. */
export const joinCustomDomain = (of: string): string =>
  `join resources r on r.org_id = ${of}.org_id and r.project_id = ${of}.project_id and r.kind = 'custom_domain'`

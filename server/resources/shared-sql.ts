import { type Selectable, sql } from 'kysely'
import type { ResourcesTable } from '../db/tables/projects.ts'

type Joined = Pick<Selectable<ResourcesTable>, 'org_id' | 'project_id' | 'account_id' | 'tier' | 'updated_at'>

/** The resources as `r`, to be joined in the query builder. Planned like the table itself. */
export const RESOURCES = sql<Joined>`resources`.as('r')

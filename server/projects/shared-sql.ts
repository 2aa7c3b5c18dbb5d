import { type Selectable, sql } from 'kysely'
import type { ProjectsTable } from '../db/tables/projects.ts'

/** The columns of a project that statements of other folders read. */
type Joined = Pick<
  Selectable<ProjectsTable>,
  | 'id'
  | 'org_id'
  | 'name'
  | 'slug'
  | 'lifecycle'
  | 'url'
  | 'live_at'
  | 'deleting_at'
  | 'provision_error'
  | 'model_connection_id'
  | 'model'
>

/** The projects as `p`, to be joined by `org_id` and `id` in the query builder. Planned like the table itself. */
export const PROJECTS = sql<Joined>`projects`.as('p')

/** SQL that joins as `p` the project of the row `of`, which has an `org_id` and a `project_id`. */
export const joinProject = (of: string): string =>
  `join projects p on p.org_id = ${of}.org_id and p.id = ${of}.project_id`

/** SQL of a condition on `p`: the project can be built (`requireActive` says why one cannot). */
export const IS_ACTIVE = "p.lifecycle <> 'archived' and p.deleting_at is null"

/**
 * SQL of a statement's part `project`: the project with this id when it is the organization's, else no row. Both are
 * placeholders.
 */
export const withProject = (orgId: string, id: string): string =>
  `project as (select org_id, id from projects where org_id = ${orgId} and id = ${id})`

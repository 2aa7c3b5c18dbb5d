import { type Selectable, sql } from 'kysely'
import type { ProjectsTable } from '../db/tables/projects.ts'

/** Only columns listed here may be read by other folders. */
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

/** As `p`, to be joined by `org_id` and `id` in the query builder. Planned like the table itself. */
export const PROJECTS = sql<Joined>`projects`.as('p')

/** Joins as `p` the project of the row `of`, which has an `org_id` and a `project_id`. */
export const joinProject = (of: string): string =>
  `join projects p on p.org_id = ${of}.org_id and p.id = ${of}.project_id`

/** A condition on `p`: the project can be built (`requireActive` says why one cannot). */
export const IS_ACTIVE = "p.lifecycle <> 'archived' and p.deleting_at is null"

/**
 * The part `project` of a statement: the project with this id when it is the organization's, else no row.
 * Both are placeholders.
 */
export const withProject = (orgId: string, id: string): string =>
  `project as (select org_id, id from projects where org_id = ${orgId} and id = ${id})`

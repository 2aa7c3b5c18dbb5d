import { type Selectable, sql } from 'kysely'
import type { ProjectsTable } from '../db/tables/projects.ts'

/** The only columns that other folders may read. */
const JOINED_COLUMNS = [
  'id',
  'org_id',
  'name',
  'slug',
  'lifecycle',
  'url',
  'live_at',
  'deleting_at',
  'provision_error',
  'model_connection_id',
  'model',
] as const

type JoinedProject = Pick<Selectable<ProjectsTable>, (typeof JOINED_COLUMNS)[number]>

/** The table of projects (`p`), for joins in the query builder by `org_id` and `id`. */
export const PROJECTS_AS_P = sql<JoinedProject>`projects`.as('p')

/**
 * A join with the project (`p`) of the row `of`, which has the columns `org_id` and `project_id`. Postgres plans the subquery like the
 * table itself.
 */
export const joinProject = (of: string): string =>
  `join (select ${JOINED_COLUMNS.join(', ')} from projects) p on p.org_id = ${of}.org_id and p.id = ${of}.project_id`

/** SQL for the name of the project of the row `of`, which has the columns `org_id` and `project_id`. */
export const projectName = (of: string): string =>
  `(select p.name from projects p where p.org_id = ${of}.org_id and p.id = ${of}.project_id)`

/** SQL of a condition on `p`: the project can be built. `requireActive` throws the reason when it cannot. */
export const IS_ACTIVE = "p.lifecycle <> 'archived' and p.deleting_at is null"

/**
 * The CTE `project` of a statement. It contains the project with this id if the project belongs to the organization, and otherwise no row.
 * Both parameters are placeholders.
 */
export const withProject = (orgId: string, id: string): string =>
  `project as (select org_id, id from projects where org_id = ${orgId} and id = ${id})`

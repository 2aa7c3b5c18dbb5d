import { type Expression, sql, type SqlBool } from 'kysely'
import type { ProjectIds } from '../db/tables/projects.ts'

/** SQL condition: a production ship of this project is in progress. */
export const isShipping = (orgId: string, projectId: Expression<string>) =>
  sql<SqlBool>`exists (select from deployments d where d.org_id = ${orgId} and d.project_id = ${projectId}
    and d.tier = 'production' and d.status = 'deploying')`

/** SQL expression: the address of a project's live worker; null when nothing is live. */
export const workerUrl = (project: ProjectIds) =>
  sql<string | null>`(select x.url from deployments x
    where x.org_id = ${project.org_id} and x.project_id = ${project.id} and x.tier = 'production'
      and x.status = 'live'
    order by x.created_at desc limit 1)`

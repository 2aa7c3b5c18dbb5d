import { sql } from 'kysely'

/** SQL for the host name of the project `p`; null when the project has no host name. */
export const HOSTNAME_SQL =
  '(select d.hostname from domains d where d.org_id = p.org_id and d.project_id = p.id)'

/** SQL condition: a project of the organization has a host name. */
export const hasDomain = (orgId: string) =>
  sql<boolean>`exists (select from domains d where d.org_id = ${orgId})`

/** SQL for the host name of the project `p`; null when it has none. */
export const HOSTNAME_SQL =
  '(select d.hostname from domains d where d.org_id = p.org_id and d.project_id = p.id)'

/** Null when the project `p` has no domain. */
export const HOSTNAME = '(select d.hostname from domains d where d.org_id = p.org_id and d.project_id = p.id)'

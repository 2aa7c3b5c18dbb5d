/** JSON text; null when the project `p` has no repository. */
export const REPOSITORY = `(select json_build_object('provider', 'github', 'url', b.url) from backups b
  where b.org_id = p.org_id and b.project_id = p.id)`

/** SQL for the repository of the project `p` as JSON; null when the project has no repository. */
export const REPOSITORY_JSON = `(select json_build_object('provider', 'github', 'url', b.url) from backups b
  where b.org_id = p.org_id and b.project_id = p.id)`

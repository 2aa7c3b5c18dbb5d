import type { Pool } from 'pg'

interface Entry {
  provider: string
  action: string
  target: string
  project_name: string | null
  name: string | null
  slug: string | null
  is_id: boolean
}

/** Changes of resources that are named after the slug of their project (resource-names.ts). */
const NAMED_AFTER_SLUG = /^(worker|bucket|queue|workflow)\.|^assets\.upload$/

/**
 * Reads each entry with the current name and slug of its project. These are null for a project that was deleted or renamed, because an
 * entry keeps the name that its project had.
 */
const ENTRIES = `
  select a.provider, a.action, a.target, a.project_name, p.name, p.slug,
    exists (select from "member" m where m."organizationId" = a.org_id and m."userId" = a.actor) as is_id
  from activity a left join projects p on p.id = a.project_id and p.org_id = a.org_id
    and not exists (select from events e where e.project_id = p.id and e.type = 'project.renamed')
  where a.id = any($1)`

/**
 * Returns one sentence for each of these activity log entries that names the wrong person, project or resource. Tests list only how often
 * each action is recorded, because the other fields of an entry follow from the project and its organization.
 */
export async function findActivityFaults(pool: Pool, ids: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<Entry>(ENTRIES, [ids])
  return rows.flatMap((entry) =>
    faultsOf(entry).map((fault) => `${entry.action} of ${entry.target}: ${fault}`),
  )
}

function faultsOf({ provider, action, target, project_name, name, slug, is_id }: Entry): string[] {
  const faults: string[] = []
  if (is_id) faults.push('the actor is an id and no name')
  if (name !== null && project_name !== name)
    faults.push(`the project is “${project_name}” instead of “${name}”`)
  const isNamed = provider === 'cloudflare' && NAMED_AFTER_SLUG.test(action)
  if (isNamed && slug !== null && target !== slug && !target.startsWith(`${slug}-`))
    faults.push(`the resource is none of “${slug}”`)
  return faults
}

import { workerUrl } from '../sql/deployments.ts'
import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { DomainsTable } from '../db/tables/domain.ts'
import type { ProjectIds } from '../db/tables/projects.ts'
import { parseJson } from '../lib/json.ts'
import { setLiveUrl } from '../projects/store.ts'
import { findOfKind } from '../resources/list.ts'
import { DomainFacts } from './facts.ts'

export type DomainRow = Selectable<DomainsTable>

/** Returns the row of the project's domain; null when it has none. */
export async function readDomain(db: Db | Trx, project: ProjectIds): Promise<DomainRow | null> {
  const row = await db
    .selectFrom('domains')
    .selectAll()
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .executeTakeFirst()
  return row ?? null
}

/** Returns the record of the attached domain; null while the host name is not attached. */
export async function readDomainAttachment(db: Db | Trx, project: ProjectIds) {
  return await findOfKind(db, project, 'custom_domain')
}

/** Returns the result of the last inspection. Null when there was none, or when the stored result has another format. */
export const domainFactsOf = (row: DomainRow): DomainFacts | null =>
  row.facts === null ? null : (DomainFacts.safeParse(parseJson(row.facts)).data ?? null)

export async function changeDomain(
  db: Db | Trx,
  project: ProjectIds,
  change: Partial<Pick<DomainRow, 'facts' | 'seen_at' | 'url' | 'problem' | 'zone_checked_at'>>,
): Promise<void> {
  await db
    .updateTable('domains')
    .set(change)
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .execute()
}

/** Returns the address under the project's domain; null while the domain is not active. */
export async function activeUrl(db: Db | Trx, project: ProjectIds): Promise<string | null> {
  const row = await db
    .selectFrom('domains')
    .select('url')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .executeTakeFirst()
  return row?.url ?? null
}

/**
 * Sets the project's address to its domain's address while the domain is active, otherwise to its worker's address.
 * Changes nothing for a project that is not live.
 */
export async function syncLiveUrl(trx: Trx, project: ProjectIds): Promise<void> {
  const url = sql<string | null>`coalesce(
    (select d.url from domains d where d.org_id = ${project.org_id} and d.project_id = ${project.id}),
    ${workerUrl(project)})`
  await setLiveUrl(trx, { orgId: project.org_id, projectId: project.id }, url)
}

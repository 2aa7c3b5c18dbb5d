import type { Db, Trx } from '../db/database.ts'
import type { ProjectIds } from '../db/tables/projects.ts'
import { readMove } from '../moves/moves.ts'
import type { RegisteredResource } from './kinds/kind.ts'
import { rankOf } from './kinds/table.ts'
import type { ResourceKind } from '../resource-names.ts'

// The order of removal: the workers of production and preview are first, because they serve visitors and bind shared resources.
const TIER_ORDER: readonly RegisteredResource['tier'][] = ['production', 'preview', 'shared']

/** Returns the project's rows in the order of removal. Rows whose removal has failed come last among the rows of their tier and kind. */
export async function listResources(db: Db | Trx, project: ProjectIds): Promise<RegisteredResource[]> {
  const rows = await db
    .selectFrom('resources')
    .selectAll()
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .orderBy('updated_at')
    .execute()
  return (rows as RegisteredResource[]).toSorted(
    (a, b) => TIER_ORDER.indexOf(a.tier) - TIER_ORDER.indexOf(b.tier) || rankOf(a.kind) - rankOf(b.kind),
  )
}

/**
 * Returns the rows of a project. While the project is moving, or has left resources in its former account, returns only the rows in
 * `accountId`. Otherwise returns the rows of all accounts. A row of another account cannot be inspected or repaired, which the caller must
 * report.
 */
export async function listResourcesIn(
  db: Db | Trx,
  project: ProjectIds,
  accountId: string,
): Promise<RegisteredResource[]> {
  const [rows, move] = await Promise.all([listResources(db, project), readMove(db, project)])
  return move === null ? rows : rows.filter((row) => row.account_id === accountId)
}

export async function listNewest(db: Db, project: ProjectIds) {
  const rows = await db
    .selectFrom('resources')
    .selectAll()
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows as (RegisteredResource & (typeof rows)[number])[]
}

/**
 * Returns the resources that production and preview share, as `<kind> <name>`, in all accounts when `accountId` is
 * null.
 */
export async function listShared(
  db: Db,
  project: ProjectIds,
  accountId: string | null,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('resources')
    .select(['kind', 'name'])
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('tier', '=', 'shared')
    .$if(accountId !== null, (all) => all.where('account_id', '=', accountId))
    .execute()
  return new Set(rows.map(({ kind, name }) => `${kind} ${name}`))
}

/** Returns the project's resource of this kind and name in any account, or null. */
export async function findNamed(
  db: Db | Trx,
  project: ProjectIds,
  { kind, name }: { kind: string; name: string },
): Promise<{ id: string; kind: string; name: string } | null> {
  const row = await db
    .selectFrom('resources')
    .select(['id', 'kind', 'name'])
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('kind', '=', kind)
    .where('name', '=', name)
    .executeTakeFirst()
  return row ?? null
}

export async function findOfKind(db: Db | Trx, project: ProjectIds, kind: ResourceKind) {
  const row = await db
    .selectFrom('resources')
    .select(['id', 'name', 'account_id', 'state', 'provider_id'])
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row ?? null
}

/** Returns whether another project of any organization has a resource of this kind and name. */
export async function isUsedElsewhere(
  db: Db | Trx,
  project: { id: string },
  { kind, name }: { kind: ResourceKind; name: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('resources')
    .select('id')
    .where('kind', '=', kind)
    .where('name', '=', name)
    .where('project_id', '!=', project.id)
    .executeTakeFirst()
  return row !== undefined
}

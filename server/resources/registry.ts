import { CloudflareError } from '../cloudflare/errors.ts'
import type { Db, Trx } from '../db/database.ts'
import type { ProjectIds } from '../db/tables/projects.ts'
import { newId } from '../lib/ids.ts'
import type { Core } from '../platform.ts'
import { requireUndeleted } from '../projects/lifecycle.ts'
import { adminName, type AppTier, FOLLOWING_LIKE, liveName, type ResourceKind } from '../resource-names.ts'
import type { ProjectRef } from '../resource-ports.ts'
import { findProject } from '../projects/store.ts'

export interface ResourceKey {
  orgId: string
  projectId: string
  accountId: string
  kind: ResourceKind
  name: string
}

export type ResourceTier = AppTier | 'shared'

export async function findResource(db: Db | Trx, key: ResourceKey) {
  const row = await db
    .selectFrom('resources')
    .selectAll()
    .where('org_id', '=', key.orgId)
    .where('account_id', '=', key.accountId)
    .where('kind', '=', key.kind)
    .where('name', '=', key.name)
    .executeTakeFirst()
  return row ?? null
}

export async function readResource(db: Db | Trx, project: ProjectIds, id: string) {
  const row = await db
    .selectFrom('resources')
    .selectAll()
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : (row as Omit<typeof row, 'kind'> & { kind: ResourceKind })
}

export async function listByProject(db: Db | Trx, projects: readonly ProjectIds[]) {
  const rows = await db
    .selectFrom('resources')
    .select(['id', 'project_id', 'kind', 'name', 'state', 'detail', 'updated_at'])
    .where((eb) => eb.or(projects.map(({ id, org_id }) => eb.and({ org_id, project_id: id }))))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return Map.groupBy(rows, (row) => row.project_id)
}

/**
 * Inserts the row before the call that creates the resource, so that no resource exists without a row. Throws `name_taken` when the account
 * has a resource of that name without a row: such a resource belongs to another owner and is never adopted or overwritten. `wasMissing` is
 * true when the account has no such resource, so that the creation need not repeat the look-up.
 */
export async function reserveResource(
  platform: Core,
  key: ResourceKey,
  about: { tier: ResourceTier; capability: string | null; exists: () => Promise<boolean> },
) {
  await requireKeptProject(platform.db, key)
  const known = await findResource(platform.db, key)
  if (known !== null) return { ...requireOwnRow(known, key), wasMissing: false }
  const isThere = await about.exists()
  // Another process may have inserted the row and made the resource in the meantime.
  if (isThere) return { ...requireOwnRow(await findResource(platform.db, key), key), wasMissing: false }
  const now = platform.clock.now()
  const inserted = await platform.db
    .insertInto('resources')
    .values({
      id: newId('res'),
      org_id: key.orgId,
      project_id: key.projectId,
      capability: about.capability,
      tier: about.tier,
      kind: key.kind,
      name: key.name,
      provider_id: null,
      account_id: key.accountId,
      state: 'creating',
      version_id: null,
      detail: null,
      updated_at: now,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'kind', 'name']).doNothing())
    .executeTakeFirst()
  // When nothing was inserted, another process has inserted the row and may already have made the resource.
  const wasMissing = inserted.numInsertedOrUpdatedRows === 1n
  return { ...requireOwnRow(await findResource(platform.db, key), key), wasMissing }
}

/** Throws for a project that is deleted or being deleted, because a job that is still running must not recreate the project's resources. */
async function requireKeptProject(db: Db, key: ResourceKey): Promise<void> {
  requireUndeleted(await findProject(db, key))
}

function requireOwnRow<Row extends { project_id: string }>(row: Row | null, key: ResourceKey): Row {
  if (row === null || row.project_id !== key.projectId) throw nameTaken(key)
  return row
}

/** The error for a name that a resource of another owner has. */
export function nameTaken(key: ResourceKey): CloudflareError {
  return new CloudflareError(
    'name_taken',
    `The cloud account already holds a ${key.kind.replace('_', ' ')} named ${key.name} that does not belong to this project. Remove it there, or change the project's address.`,
    { status: 409 },
  )
}

export const resourceKey = (
  project: ProjectIds,
  row: { account_id: string; kind: ResourceKind; name: string },
): ResourceKey => ({
  orgId: project.org_id,
  projectId: project.id,
  accountId: row.account_id,
  kind: row.kind,
  name: row.name,
})

/** Stores the result of a write to the account. */
export async function settleResource(
  platform: Core,
  key: ResourceKey,
  outcome: {
    state: 'ok' | 'error'
    versionId?: string | null
    providerId?: string | null
    detail?: string | null
  },
): Promise<void> {
  await platform.db
    .updateTable('resources')
    .set({
      state: outcome.state,
      found: null,
      looked_at: null,
      updated_at: platform.clock.now(),
      detail: outcome.detail ?? null,
      ...(outcome.versionId === undefined ? {} : { version_id: outcome.versionId }),
      ...(outcome.providerId === undefined ? {} : { provider_id: outcome.providerId }),
    })
    .where('org_id', '=', key.orgId)
    .where('account_id', '=', key.accountId)
    .where('kind', '=', key.kind)
    .where('name', '=', key.name)
    .execute()
}

/**
 * Stores the provider's id of the resource that a row describes. Call it in the transaction that stores the provider's
 * other values. Null means that the resource does not exist until it is created again.
 */
export async function storeProviderId(
  trx: Db | Trx,
  project: ProjectIds,
  row: { id: string },
  providerId: string | null,
): Promise<void> {
  await trx
    .updateTable('resources')
    .set({ provider_id: providerId })
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('id', '=', row.id)
    .execute()
}

/** Returns the names of live and admin workers that were made under an earlier slug of the project. */
export async function listFormerNames(
  db: Db,
  project: Omit<ProjectRef, 'name'>,
  accountId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('resources')
    .select('name')
    .distinct()
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('account_id', '=', accountId)
    .where('tier', '=', 'shared')
    // The upload worker and its bucket are not listed, because they keep their first name and their content.
    .where((eb) => eb.or(FOLLOWING_LIKE.map((pattern) => eb('name', 'like', pattern))))
    .where('name', 'not in', [liveName(project), adminName(project)])
    .execute()
  return rows.map((row) => row.name)
}

/** Deletes one row, and returns whether it existed. Call it only when the resource is gone from the account or was never made. */
export async function deleteResourceRow(db: Db | Trx, project: ProjectIds, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('resources')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Deletes the rows with this name that production and preview share. Call it when their resources are gone from the
 * account.
 */
export async function deleteSharedResourceRows(
  db: Db,
  project: ProjectIds,
  gone: { accountId: string; name: string },
): Promise<void> {
  await db
    .deleteFrom('resources')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('account_id', '=', gone.accountId)
    .where('tier', '=', 'shared')
    .where('name', '=', gone.name)
    .execute()
}

export async function deleteResourceRows(
  db: Db | Trx,
  project: ProjectIds,
  ids: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('resources')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('id', 'in', ids)
    .execute()
}

/** Stores why the provider refused to remove these resources. */
export async function recordRefusal(
  { db, clock }: Pick<Core, 'db' | 'clock'>,
  project: ProjectIds,
  ids: readonly string[],
  reason: string,
): Promise<void> {
  await db
    .updateTable('resources')
    .set({ state: 'error', detail: reason, updated_at: clock.now() })
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('id', 'in', ids)
    .execute()
}

/** Returns the provider's ids of the project's other resources of the same kind, in any account. */
export async function listOtherProviderIds(
  db: Db,
  project: ProjectIds,
  row: { id: string; kind: ResourceKind },
): Promise<Set<string | null>> {
  const rows = await db
    .selectFrom('resources')
    .select('provider_id')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('kind', '=', row.kind)
    .where('id', '!=', row.id)
    .execute()
  return new Set(rows.map(({ provider_id: id }) => id))
}

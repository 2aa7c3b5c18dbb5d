import { CloudflareError } from '../cloudflare/errors.ts'
import type { Db, Trx } from '../db/database.ts'
import { notFound } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import type { Platform } from '../platform.ts'
import { requireStanding } from '../projects/lifecycle.ts'

/** Kinds of things the registry can hold; each has a file in `kinds/` and a line in its table. */
export type ResourceKind = 'custom_domain' | 'worker' | 'object_namespace' | 'bucket'

export interface ResourceKey {
  orgId: string
  projectId: string
  accountId: string
  kind: ResourceKind
  name: string
}

export type Tier = 'production' | 'preview' | 'shared'

/** The registry's row for something in the account, or null. */
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

/** A project's row by its id, or null. */
export async function readResource(db: Db | Trx, project: { id: string; org_id: string }, id: string) {
  const row = await db
    .selectFrom('resources')
    .selectAll()
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : (row as Omit<typeof row, 'kind'> & { kind: ResourceKind })
}

/**
 * Writes the registry row before the call that makes the thing, so that nothing can exist unknown to us. What
 * stands there already without a row is somebody else's and is neither adopted nor overwritten.
 */
export async function reserveResource(
  platform: Platform,
  key: ResourceKey,
  about: { tier: Tier; capability: string | null; exists: () => Promise<boolean> },
) {
  await requireStandingProject(platform.db, key)
  const known = await findResource(platform.db, key)
  if (known !== null) return requireOurs(known, key)
  const stands = await about.exists()
  // Another process may have reserved and made it since: its row was there before the thing was.
  if (stands) return requireOurs(await findResource(platform.db, key), key)
  const now = platform.clock.now()
  await platform.db
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
    .execute()
  return requireOurs(await findResource(platform.db, key), key)
}

/** What is being taken down must not be put up again by work that was under way. */
async function requireStandingProject(db: Db, key: ResourceKey): Promise<void> {
  const project = await db
    .selectFrom('projects')
    .select('deleting_at')
    .where('org_id', '=', key.orgId)
    .where('id', '=', key.projectId)
    .executeTakeFirst()
  if (project === undefined) throw notFound('project')
  requireStanding(project)
}

function requireOurs<Row extends { project_id: string }>(row: Row | null, key: ResourceKey): Row {
  if (row === null || row.project_id !== key.projectId) throw nameTaken(key)
  return row
}

function nameTaken(key: ResourceKey): CloudflareError {
  return new CloudflareError(
    'name_taken',
    `The cloud account already holds a ${key.kind.replace('_', ' ')} named ${key.name} that does not belong to this project. Remove it there, or change the project's address.`,
    { status: 409 },
  )
}

/** The key under which a row is settled. */
export const keyOf = (
  project: { id: string; org_id: string },
  row: { account_id: string; kind: ResourceKind; name: string },
): ResourceKey => ({
  orgId: project.org_id,
  projectId: project.id,
  accountId: row.account_id,
  kind: row.kind,
  name: row.name,
})

/** Notes what the provider confirmed, or why it did not. */
export async function settleResource(
  platform: Platform,
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

/** Workers of an account beside the app under another name than today's: left over from before a rename. */
export async function listFormerNames(
  db: Db,
  project: { id: string; org_id: string; slug: string },
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
    // The upload worker and its bucket keep the name they were first given, and what is in them.
    .where((eb) => eb.or(['live', 'admin'].map((end) => eb('name', 'like', `%-${end}`))))
    .where('name', 'not in', [`${project.slug}-live`, `${project.slug}-admin`])
    .execute()
  return rows.map((row) => row.name)
}

/** Forgets one row: its thing is gone from the account, or was never made. */
export async function forgetResource(
  db: Db | Trx,
  project: { id: string; org_id: string },
  id: string,
): Promise<void> {
  await db
    .deleteFrom('resources')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('id', '=', id)
    .execute()
}

/** Forgets what the provider confirmed to be gone from an account. */
export async function forgetResources(
  db: Db,
  project: { id: string; org_id: string },
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

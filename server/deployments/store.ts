import { type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { DeploymentsTable, ProjectIds } from '../db/tables/projects.ts'
import { newId } from '../lib/ids.ts'
import { PROJECTS_AS_P } from '../sql/projects.ts'
import { changeProject, markOffline } from '../projects/store.ts'
import type { AppTier } from '../resource-names.ts'

export type Deployment = Selectable<DeploymentsTable>

export async function readDeployment(db: Db | Trx, orgId: string, id: string): Promise<Deployment | null> {
  const row = await db
    .selectFrom('deployments')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function insertDeployment(
  db: Db | Trx,
  begun: { orgId: string; projectId: string; tier: AppTier; sha: string; actor: string; at: Date },
): Promise<string> {
  const id = newId('dep')
  await db
    .insertInto('deployments')
    .values({
      id,
      org_id: begun.orgId,
      project_id: begun.projectId,
      tier: begun.tier,
      sha: begun.sha,
      status: 'deploying',
      version_id: null,
      content_hash: null,
      url: null,
      actor: begun.actor,
      error: null,
      live_at: null,
      created_at: begun.at,
    })
    .execute()
  return id
}

/** Returns the number of projects that are live or being deployed to production, without the project `except`. */
export async function countLiveProjects(
  db: Db | Trx,
  { orgId, except }: { orgId: string; except?: string },
): Promise<number> {
  const { count } = await db
    .selectFrom(PROJECTS_AS_P)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('p.org_id', '=', orgId)
    .where('p.id', '!=', except ?? '')
    .where((eb) =>
      eb.or([
        eb('p.lifecycle', '=', 'live'),
        eb.exists(
          eb
            .selectFrom('deployments as d')
            .select('d.id')
            .where('d.org_id', '=', orgId)
            .whereRef('d.project_id', '=', 'p.id')
            .where('d.tier', '=', 'production')
            .where('d.status', '=', 'deploying'),
        ),
      ]),
    )
    .executeTakeFirstOrThrow()
  return count
}

/** Returns the newest deployment of a tier in one of these states, or null. */
export async function latestDeployment(
  db: Db | Trx,
  project: ProjectIds,
  tier: AppTier,
  statuses: readonly Deployment['status'][],
) {
  const row = await db
    .selectFrom('deployments')
    .selectAll()
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('tier', '=', tier)
    .where('status', 'in', statuses)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** Returns whether a tier, production or preview, has or had a live deployment. */
export const hasServed = async (db: Db | Trx, project: ProjectIds, tier: AppTier): Promise<boolean> =>
  (await latestDeployment(db, project, tier, ['live', 'superseded'])) !== null

/** Returns whether a deployment to production or to the preview is running. */
export async function isDeploying(db: Db, project: ProjectIds): Promise<boolean> {
  const row = await db
    .selectFrom('deployments')
    .select('id')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('status', '=', 'deploying')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns the deployment that a rollback goes to: the newest earlier deployment with another version that was not rolled back itself. A
 * version with the content of the live one is skipped, because a rollback to it would change nothing: a project that was archived and
 * deployed again has the same content twice.
 */
export async function previousDeployment(db: Db | Trx, live: Deployment): Promise<Deployment | null> {
  const row = await db
    .selectFrom('deployments')
    .selectAll()
    .where('org_id', '=', live.org_id)
    .where('project_id', '=', live.project_id)
    .where('tier', '=', live.tier)
    .where('status', '=', 'superseded')
    .where('id', '<', live.id)
    .where('version_id', 'is not', null)
    .where('version_id', '!=', live.version_id ?? '')
    .where((eb) => eb.or([eb('content_hash', 'is', null), eb('content_hash', '!=', live.content_hash ?? '')]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** Returns the enabled capabilities whose bindings the version of this deployment has. */
export const boundAccountsAmong = (
  { wiring }: Pick<Deployment, 'wiring'>,
  enabled: ReadonlySet<string>,
): ReadonlySet<string> => enabled.intersection(new Set(wiring === null ? [] : JSON.parse(wiring)))

/** Stores the id of the uploaded version immediately after the upload, so that a repeated attempt does not upload it again. */
export const recordVersion = (db: Db, deployment: Deployment, versionId: string): Promise<void> =>
  changeDeployment(db, deployment, { version_id: versionId })

export async function changeDeployment(
  db: Db | Trx,
  { org_id, id }: Pick<Deployment, 'org_id' | 'id'>,
  change: Pick<
    Updateable<DeploymentsTable>,
    'status' | 'version_id' | 'url' | 'content_hash' | 'wiring' | 'live_at' | 'error'
  >,
): Promise<void> {
  await db.updateTable('deployments').set(change).where('org_id', '=', org_id).where('id', '=', id).execute()
}

/** Returns the production deployments that are or were live, newest first. */
export async function listReleases(db: Db, project: ProjectIds): Promise<Deployment[]> {
  return await db
    .selectFrom('deployments')
    .selectAll()
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('tier', '=', 'production')
    .where('status', 'in', ['live', 'superseded', 'rolled_back'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/**
 * Returns the id of the running deployment of this version to the preview, and stores one when there is none. Deletes
 * a running deployment of another version, so that the deployment's job does nothing when it starts, and stores no
 * result when it is already running.
 */
export async function claimPreview(
  trx: Trx,
  project: ProjectIds,
  version: { sha: string; actor: string; at: Date },
): Promise<string> {
  const { numDeletedRows } = await trx
    .deleteFrom('deployments')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('tier', '=', 'preview')
    .where('status', '=', 'deploying')
    .where('sha', '!=', version.sha)
    .executeTakeFirstOrThrow()
  if (numDeletedRows > 0n) await clearPreviewContentHash(trx, project)
  const running = await latestDeployment(trx, project, 'preview', ['deploying'])
  if (running !== null) return running.id
  const key = { orgId: project.org_id, projectId: project.id }
  return await insertDeployment(trx, { ...key, ...version, tier: 'preview' })
}

/**
 * Removes the content hash of the preview's live deployment. Call it when a newer deployment to the preview is aborted or
 * fails, because the preview may already serve the newer version. Without the hash, the next publication of the live
 * deployment's content is not skipped as unchanged.
 */
export async function clearPreviewContentHash(trx: Trx, project: ProjectIds): Promise<void> {
  await trx
    .updateTable('deployments')
    .set({ content_hash: null })
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('tier', '=', 'preview')
    .where('status', '=', 'live')
    .execute()
}

/** Records in the deployment and the project that a tier (production or preview) is offline. Returns whether the tier was live. */
export async function recordOffline(
  trx: Trx,
  project: ProjectIds,
  tier: AppTier,
  at: Date,
): Promise<boolean> {
  const wasLive = await markSuperseded(trx, project, tier)
  const key = { orgId: project.org_id, projectId: project.id }
  if (tier === 'production') await markOffline(trx, key, at)
  else await changeProject(trx, key, { preview_url: null, preview_sha: null, updated_at: at })
  return wasLive
}

/** Marks the live deployment of a tier as superseded; the project stays unchanged. Returns whether there was a live deployment. */
export async function markSuperseded(trx: Trx, project: ProjectIds, tier: AppTier): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('deployments')
    .set({ status: 'superseded' })
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('tier', '=', tier)
    .where('status', '=', 'live')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Returns at most `limit` deployments that still serve although their project is not live, because they could not be taken offline. Clears
 * their errors. In random order, because deployments that can never be taken offline would keep all others out of a fixed order.
 */
export async function takeFailedOffline(
  trx: Trx,
  limit: number,
): Promise<Pick<Deployment, 'id' | 'org_id' | 'project_id'>[]> {
  return await trx
    .updateTable('deployments')
    .set({ error: null })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('deployments as d')
        .innerJoin(PROJECTS_AS_P, (join) =>
          join.onRef('p.org_id', '=', 'd.org_id').onRef('p.id', '=', 'd.project_id'),
        )
        .select('d.id')
        .where('d.status', '=', 'live')
        .where('d.error', 'is not', null)
        .where('p.lifecycle', '!=', 'live')
        .where('p.deleting_at', 'is', null)
        .orderBy(sql`random()`)
        .limit(limit),
    )
    .returning(['id', 'org_id', 'project_id'])
    .execute()
}

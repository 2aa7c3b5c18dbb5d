import { sql } from 'kysely'
import { type Db, transact, type Trx } from '../db/database.ts'
import { activeUrl } from '../domain/domains.ts'
import { emit } from '../events/emit.ts'
import { recordActivity } from '../events/activity.ts'
import { newId } from '../lib/ids.ts'
import type { Platform } from '../platform.ts'
import { giveMoveBack } from '../moves/moves.ts'
import { recordHistory } from '../versions/record-history.ts'
import type { AppTier } from './app-worker.ts'

/** Told on every change of a deployment; the payload is its id. */
export const CHANNEL = 'deployments'

export type Deployment = NonNullable<Awaited<ReturnType<typeof readDeployment>>>

export async function readDeployment(db: Db | Trx, orgId: string, id: string) {
  const row = await db
    .selectFrom('deployments')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** A ship begins: it is `deploying` from now on, and whoever asks finds it by its id. */
export async function insertDeployment(
  db: Db | Trx,
  begun: { orgId: string; projectId: string; sha: string; actor: string; at: Date },
): Promise<string> {
  const id = newId('dep')
  await db
    .insertInto('deployments')
    .values({
      id,
      org_id: begun.orgId,
      project_id: begun.projectId,
      tier: 'production',
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

/** The newest deployment of a tier in one of these states. */
export async function latestDeployment(
  db: Db | Trx,
  project: { id: string; org_id: string },
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

/** What a tier served before a deployment, under another version, and what no rollback has taken off since. */
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
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** Keeps the version as soon as it is known, so that a continued deployment does not upload it again. */
export async function noteVersion(db: Db, deployment: Deployment, versionId: string): Promise<void> {
  await db
    .updateTable('deployments')
    .set({ version_id: versionId })
    .where('org_id', '=', deployment.org_id)
    .where('id', '=', deployment.id)
    .execute()
}

/** One transaction makes the new version the live one, with its event and with `also`; a repeat changes nothing. */
export async function finishDeployment(
  platform: Platform,
  deployment: Deployment,
  done: { url: string; hash: string; wiring: string; projectName: string },
  also?: (trx: Trx, at: Date) => Promise<void>,
): Promise<void> {
  const at = platform.clock.now()
  const { org_id: orgId, project_id: projectId, tier, sha } = deployment
  const { url } = done
  await transact(platform.db, async (trx) => {
    await trx
      .updateTable('deployments')
      .set({ status: 'superseded' })
      .where('org_id', '=', orgId)
      .where('project_id', '=', projectId)
      .where('tier', '=', tier)
      .where('status', '=', 'live')
      .where('id', '!=', deployment.id)
      .execute()
    const settled = await trx
      .updateTable('deployments')
      .set({ status: 'live', url, content_hash: done.hash, wiring: done.wiring, live_at: at, error: null })
      .where('org_id', '=', orgId)
      .where('id', '=', deployment.id)
      .where('status', '=', 'deploying')
      .executeTakeFirst()
    if (settled.numUpdatedRows === 0n) return
    const isProduction = tier === 'production'
    // The deployment keeps its worker's address; people are told the one the app is to be found at.
    const address = (isProduction ? await activeUrl(trx, { id: projectId, org_id: orgId }) : null) ?? url
    const served = isProduction
      ? { lifecycle: 'live' as const, url: address, live_at: at }
      : { preview_url: url, preview_sha: sha }
    await updateProject(trx, orgId, projectId, { ...served, provision_error: null, updated_at: at })
    if (isProduction) {
      await emit(trx, { type: 'project.deployed', orgId, projectId, data: { url: address, sha }, at })
      const { actor } = deployment
      await recordHistory(trx, { orgId, projectId, type: 'shipped', actor, sha, detail: address, at })
      await recordActivity(trx, {
        orgId,
        at,
        provider: 'slipway',
        actor: deployment.actor ?? 'slipway',
        action: 'project.deployed',
        target: address,
        status: 'ok',
        projectId,
        projectName: done.projectName,
      })
    }
    await also?.(trx, at)
    await announce(trx, deployment.id)
  })
}

/** Notes why a deployment did not happen. What served before goes on serving. */
export async function failDeployment(
  platform: Platform,
  deployment: Deployment,
  reason: string,
): Promise<void> {
  const at = platform.clock.now()
  const { org_id: orgId, project_id: projectId } = deployment
  await transact(platform.db, async (trx) => {
    const settled = await trx
      .updateTable('deployments')
      .set({ status: 'failed', error: reason })
      .where('org_id', '=', orgId)
      .where('id', '=', deployment.id)
      .where('status', '=', 'deploying')
      .executeTakeFirst()
    if (settled.numUpdatedRows === 0n) return
    await updateProject(trx, orgId, projectId, { provision_error: reason, updated_at: at })
    await giveMoveBack(trx, deployment, at)
    await announce(trx, deployment.id)
  })
}

async function updateProject(
  trx: Trx,
  orgId: string,
  projectId: string,
  change: {
    provision_error: string | null
    updated_at: Date
    lifecycle?: 'live'
    url?: string
    live_at?: Date
    preview_url?: string
    preview_sha?: string
  },
): Promise<void> {
  await trx
    .updateTable('projects')
    .set(change)
    .where('org_id', '=', orgId)
    .where('id', '=', projectId)
    .execute()
}

/** Wakes whoever waits for this deployment. */
export const announce = (trx: Trx, id: string) => sql`select pg_notify(${CHANNEL}, ${id})`.execute(trx)

import { transact, type Trx } from '../db/database.ts'
import { activeUrl } from '../domain/domains.ts'
import { recordActivity } from '../activity/log.ts'
import { emit } from '../events/emit.ts'
import { releaseMove } from '../moves/moves.ts'
import type { Core } from '../platform.ts'
import { clearErrors } from '../capability-state/errors.ts'
import { notifyDeploymentChange } from '../resources/wait.ts'
import { recordHistory } from '../history/record-history.ts'
import type { PublishedRelease } from './publish.ts'
import {
  changeDeployment,
  type Deployment,
  clearPreviewContentHash,
  markSuperseded,
} from '../deployments/store.ts'
import { changeProject } from '../projects/store.ts'

/** Makes the version the live one, and stores the event and the changes of `also` in the same transaction. A repeated call does nothing. */
export async function finishDeployment(
  platform: Core,
  deployment: Deployment,
  done: Pick<PublishedRelease, 'url' | 'hash' | 'bindingsKey'> & { projectName: string },
  also?: (trx: Trx, at: Date) => Promise<void>,
): Promise<void> {
  const at = platform.clock.now()
  const { org_id: orgId, project_id: projectId, tier, sha } = deployment
  const { url } = done
  await transact(platform.db, async (trx) => {
    const running = await trx
      .selectFrom('deployments')
      .select('id')
      .where('org_id', '=', orgId)
      .where('id', '=', deployment.id)
      .where('status', '=', 'deploying')
      .forUpdate()
      .executeTakeFirst()
    if (running === undefined) return
    await markSuperseded(trx, { id: projectId, org_id: orgId }, tier)
    await changeDeployment(trx, deployment, {
      status: 'live',
      url,
      content_hash: done.hash,
      wiring: done.bindingsKey,
      live_at: at,
      error: null,
    })
    const isProduction = tier === 'production'
    // The deployment has the address of its worker; the event has the address that visitors use.
    const address = (isProduction ? await activeUrl(trx, { id: projectId, org_id: orgId }) : null) ?? url
    const served = isProduction
      ? { lifecycle: 'live' as const, url: address, live_at: at }
      : { preview_url: url, preview_sha: sha }
    await changeProject(trx, { orgId, projectId }, { ...served, provision_error: null, updated_at: at })
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
    await notifyDeploymentChange(trx, deployment.id)
  })
}

/**
 * Ends a deployment to the preview that has the same content as the deployment `serving`. Deletes its row, because the
 * serving version reports the commit of `serving`.
 */
export async function keepServing(
  platform: Core,
  deployment: Deployment,
  serving: Deployment,
): Promise<void> {
  const { org_id: orgId, project_id: projectId, sha } = deployment
  await transact(platform.db, async (trx) => {
    const ended = await trx
      .deleteFrom('deployments')
      .where('org_id', '=', orgId)
      .where('id', '=', deployment.id)
      .where('status', '=', 'deploying')
      .executeTakeFirst()
    if (ended.numDeletedRows === 0n) return
    const shown = { preview_sha: sha, preview_url: serving.url, provision_error: null }
    await changeProject(trx, { orgId, projectId }, shown)
    await notifyDeploymentChange(trx, deployment.id)
  })
}

/** Stores why a deployment failed. The previous version still serves. */
export async function failDeployment(platform: Core, deployment: Deployment, reason: string): Promise<void> {
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
    if (deployment.tier === 'preview') await clearPreviewContentHash(trx, { id: projectId, org_id: orgId })
    await changeProject(trx, { orgId, projectId }, { provision_error: reason, updated_at: at })
    // After a failed move the project stays in its former account. The stored errors are about resources in the new account.
    if (await releaseMove(trx, deployment, at)) await clearErrors(trx, projectId)
    await notifyDeploymentChange(trx, deployment.id)
  })
}

/**
 * Call it in the transaction that finishes a move to another account. The versions of earlier deployments stayed in the
 * former account. So the stored bindings of these versions are deleted, and a rollback uploads the version again.
 * Earlier deployments of the live commit get the id of the live version, because rollbacks skip deployments with this
 * id: a rollback to the same commit would change nothing.
 */
export async function clearFormerVersions(trx: Trx, moved: Deployment): Promise<void> {
  const { org_id: orgId, project_id: projectId, sha } = moved
  const { version_id: versionId } = await trx
    .selectFrom('deployments')
    .select('version_id')
    .where('org_id', '=', orgId)
    .where('id', '=', moved.id)
    .executeTakeFirstOrThrow()
  await trx
    .updateTable('deployments')
    .set((eb) => ({
      wiring: null,
      version_id: eb.case().when('sha', '=', sha).then(versionId).else(eb.ref('version_id')).end(),
    }))
    .where('org_id', '=', orgId)
    .where('project_id', '=', projectId)
    .where('id', '!=', moved.id)
    .execute()
  // The preview is removed together with the former account's other resources, and is published again in the new account.
  await markSuperseded(trx, { id: projectId, org_id: orgId }, 'preview')
}

import { disableAddress } from '../cloudflare/products/workers.ts'
import { transact } from '../db/database.ts'
import { detachDomain } from '../domain/detach.ts'
import type { Core, PlatformPorts } from '../platform.ts'
import { appName } from '../resource-names.ts'
import { capabilitiesCallingApp } from '../capability-catalog/catalog.ts'
import { pauseAllExcept } from '../capabilities/switch/in-account.ts'
import { usableCapabilities } from '../capabilities/switch/products.ts'
import { notifyDeploymentChange } from '../resources/wait.ts'
import type { Deployment } from '../deployments/store.ts'
import { ensureLive } from './workers/live.ts'
import { findProject } from '../projects/store.ts'

/**
 * Disables the address of the production or the preview worker of an archived project. The worker, its versions and the
 * data are kept, so that the next deployment restores everything. Idempotent.
 */
export async function takeOffline(
  platform: PlatformPorts<'accounts' | 'keyring'>,
  deployment: Deployment,
  by: { actor: string; signal: AbortSignal },
): Promise<void> {
  const key = { orgId: deployment.org_id, projectId: deployment.project_id }
  const project = await findProject(platform.db, key)
  if (project === null || project.lifecycle === 'live') return
  // A project that is offline but not archived keeps its preview.
  if (deployment.tier === 'preview' && project.lifecycle !== 'archived') return
  const cloud = await platform.accounts.openCloud({ orgId: deployment.org_id, project, ...by })
  if (deployment.tier === 'production')
    await detachDomain(platform, cloud, { id: project.id, org_id: deployment.org_id })
  const { tier } = deployment
  await pauseAllExcept({ platform, cloud, project }, tier, new Set())
  // Stops timers and webhook messages, which must not call an offline app. The deployment is still stored as live
  // meanwhile, so that archiving again retries a failure.
  const enabled = await usableCapabilities({ platform, cloud, project })
  if (capabilitiesCallingApp(enabled).length > 0)
    await ensureLive({ platform, cloud, project, ...by }, enabled, { [tier]: [] })
  await disableAddress(cloud, appName(project, tier))
  await updateDeployment(platform, deployment, { status: 'superseded', error: null })
}

/** Stores why the address could not be disabled. The deployment stays `live`, so that archiving again retries it. */
export const failOffline = (platform: Core, deployment: Deployment, error: string): Promise<void> =>
  updateDeployment(platform, deployment, { error })

async function updateDeployment(
  platform: Core,
  deployment: Deployment,
  change: { status?: 'superseded'; error: string | null },
): Promise<void> {
  await transact(platform.db, async (trx) => {
    await trx
      .updateTable('deployments')
      .set(change)
      .where('org_id', '=', deployment.org_id)
      .where('id', '=', deployment.id)
      .where('status', '=', 'live')
      .execute()
    await notifyDeploymentChange(trx, deployment.id)
  })
}

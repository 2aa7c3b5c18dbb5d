import { notFound } from '../http/errors.ts'
import { attachDomainAtShip } from '../domain/attach.ts'
import { moveOf } from '../moves/moves.ts'
import { copyProjectData, disableNewAddress } from '../relocation/copy-project-data.ts'
import { finishMove } from '../relocation/leave-hosting.ts'
import { usableCapabilities } from '../capabilities/switch/products.ts'
import { findProject } from '../projects/store.ts'
import { appName } from '../resource-names.ts'
import type { MakingPorts, ResourceWork } from '../resources/work.ts'
import { bundleRelease, readRelease } from './bundle.ts'
import { finishDeployment, keepServing, clearFormerVersions } from './outcome.ts'
import { preparePreview, prepareProduction, publish } from './publish.ts'
import { restorePrevious } from './restore-previous.ts'
import { type Deployment, latestDeployment, recordVersion } from '../deployments/store.ts'

/**
 * Carries out a deployment: creates the resources of the capabilities, uploads the new version beside the old one, switches
 * to the new version and checks its health. A failure after the switch restores the previous version. When the project
 * moves to another account, the app's data is copied before the switch, and the result is `more` when the copy needs
 * another job. Nothing is uploaded for a preview whose content is served already.
 */
export async function runDeployment(
  platform: ResourceWork<MakingPorts | 'jobs'>['platform'],
  deployment: Deployment,
  run: { isContinued: boolean; signal: AbortSignal },
): Promise<'done' | 'more'> {
  const { db } = platform
  const { tier, sha } = deployment
  const actor = deployment.actor ?? 'slipway'
  const { signal } = run
  const project = await findProject(db, { orgId: deployment.org_id, projectId: deployment.project_id })
  if (project === null) throw notFound('project')
  const [cloud, move] = await Promise.all([
    platform.accounts.openCloud({ orgId: project.org_id, actor, project, signal }),
    moveOf(db, deployment),
  ])
  const work = { platform, cloud, project, actor, signal }
  const enabled = await usableCapabilities(work)
  // When the project moves, its previous version is in the former account and cannot be restored in the new one.
  const before = move === null ? await latestDeployment(db, project, tier, ['live']) : null
  const release = await readRelease(platform, { projectId: project.id, sha, enabled })
  const url = cloud.appUrl(appName(project, tier))
  if (tier === 'preview' && before?.content_hash === release.hash && before.url === url) {
    await keepServing(platform, deployment, before)
    return 'done'
  }
  const isUnchanged = before?.content_hash === release.hash && before.sha === sha
  const prepare = tier === 'production' ? prepareProduction : preparePreview
  await Promise.all([isUnchanged ? null : bundleRelease(work, release), prepare(work, enabled)])
  if (move !== null && !(await copyProjectData({ ...work, enabled }, move))) return 'more'
  const address = move !== null ? 'enable' : before === null ? 'restore' : 'keep'
  const versionId = deployment.version_id ?? (isUnchanged ? before.version_id : null)
  const published = await publish(work, {
    tier,
    sha,
    release,
    enabled,
    tag: deployment.id,
    versionId,
    isContinued: run.isContinued,
    onVersion: (id) => recordVersion(db, deployment, id),
    address,
  }).catch(async (error: unknown) => {
    await (move === null ? restorePrevious(work, before) : disableNewAddress(work))
    throw error
  })
  // When the project moves, `leaveHostingJob` attaches the host name after it has detached it in the former account.
  if (tier === 'production' && move === null) await attachDomainAtShip(platform, cloud, project, signal)
  await finishDeployment(
    platform,
    deployment,
    { ...published, projectName: project.name },
    async (trx, at) => {
      if (move === null) return
      await clearFormerVersions(trx, deployment)
      await finishMove(platform, trx, move, { accountId: cloud.accountId, at })
    },
  )
  return 'done'
}

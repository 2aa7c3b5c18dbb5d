import type { Trx } from '../db/database.ts'
import { recordActivity } from '../events/activity.ts'
import { emit } from '../events/emit.ts'
import { conflict, notFound } from '../http/errors.ts'
import { recordHistory } from '../versions/record-history.ts'
import { enabledCapabilities } from '../capabilities/switch/enabled.ts'
import type { AppTier } from './app-worker.ts'
import type { Making } from '../resources/kinds/kind.ts'
import { readResource } from '../resources/registry.ts'
import { serveAgain } from './restore-previous.ts'
import { type Served, serveRelease } from './publish.ts'
import { type Deployment, latestDeployment, previousDeployment, readDeployment } from './store.ts'
import { finishTask, type ResourceTask } from '../resources/task-store.ts'
import { wiringOf } from './bindings-key.ts'

interface Version {
  sha: string
  version: string | null
}

export interface RolledBack {
  resourceId: string
  tier: AppTier
  url: string
  from: Version
  to: Version
}

/** The deployment a resource would go back to; refuses what has nothing to go back to. */
export async function planRollback(
  trx: Trx,
  project: { id: string; org_id: string; lifecycle: 'offline' | 'live' | 'archived' },
  resourceId: string,
): Promise<string> {
  const row = await readResource(trx, project, resourceId)
  if (row === null) throw notFound()
  if (row.kind !== 'worker' || row.tier === 'shared')
    throw conflict(`The ${row.kind.replace('_', ' ')} ${row.name} has no versions to go back to.`)
  const live = await latestDeployment(trx, project, row.tier, ['live'])
  // An archived app that could not be taken off its address is not put back on it.
  const isOff = row.tier === 'production' && project.lifecycle !== 'live'
  if (live === null || isOff)
    throw conflict(`The worker ${row.name} serves nothing that could be rolled back.`)
  const previous = await previousDeployment(trx, live)
  if (previous === null) throw conflict(`There is no version before the one that ${row.name} serves.`)
  return previous.id
}

/**
 * Serves the chosen deployment again: its very version while that is wired as the app is today, else its source
 * anew. When it does not come up, what served before takes over again and nothing has changed.
 */
export async function rollBack(work: Making, task: ResourceTask): Promise<void> {
  const { platform, project } = work
  const { db } = platform
  const [row, target] = await Promise.all([
    readResource(db, project, task.resource_id ?? ''),
    readDeployment(db, project.org_id, task.deployment_id ?? ''),
  ])
  const live = target === null ? null : await latestDeployment(db, project, target.tier, ['live'])
  if (row === null || target === null || live === null)
    throw conflict('What should be rolled back is not there any more.')
  const isWiredAlike = target.wiring === wiringOf(await enabledCapabilities(db, project.id))
  const { tier, sha } = target
  const versionId = isWiredAlike ? target.version_id : null
  const served = await serveRelease(work, { tier, sha, versionId, tag: task.id }).catch(
    async (error: unknown) => {
      await serveAgain(work, live)
      throw error
    },
  )
  const result: RolledBack = {
    resourceId: row.id,
    tier,
    url: served.url,
    from: { sha: live.sha, version: live.version_id },
    to: { sha, version: served.versionId },
  }
  await finishTask(platform, task, result, (trx) => note(work, trx, { task, live, target, served }))
}

/** What the rows say from now on, with the event. */
async function note(
  { platform, project }: Making,
  trx: Trx,
  done: { task: ResourceTask; live: Deployment; target: Deployment; served: Served },
): Promise<void> {
  const { task, live, target, served } = done
  const { id: projectId, org_id: orgId } = project
  const at = platform.clock.now()
  const change = (id: string, to: object) =>
    trx.updateTable('deployments').set(to).where('org_id', '=', orgId).where('id', '=', id).execute()
  await change(live.id, { status: 'rolled_back' })
  await change(target.id, {
    status: 'live',
    version_id: served.versionId,
    content_hash: served.hash,
    wiring: served.wiring,
    live_at: at,
  })
  const isProduction = target.tier === 'production'
  await trx
    .updateTable('projects')
    .set({
      updated_at: at,
      provision_error: null,
      ...(isProduction ? { live_at: at } : { preview_sha: target.sha }),
    })
    .where('org_id', '=', orgId)
    .where('id', '=', projectId)
    .execute()
  const resourceId = task.resource_id ?? ''
  const data = { resourceId, ...(isProduction ? { production: true as const } : {}) }
  await emit(trx, { type: 'project.rolled_back', orgId, projectId, data, at })
  const detail = `from ${live.sha} to ${target.sha}`
  const { actor } = task
  await recordHistory(trx, { orgId, projectId, type: 'rolled_back', actor, sha: target.sha, detail, at })
  await recordActivity(trx, {
    orgId,
    at,
    provider: 'slipway',
    actor,
    action: 'project.rolled_back',
    target: served.url,
    status: 'ok',
    projectId,
    projectName: project.name,
    detail,
  })
}

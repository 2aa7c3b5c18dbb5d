import { recordActivity } from '../activity/log.ts'
import { listStates } from '../capability-state/states.ts'
import { latestDeployment } from '../deployments/store.ts'
import { findOrphans, settleOrphan } from './orphans.ts'
import { RESOURCE_KINDS } from './kinds/table.ts'
import { listResourcesIn } from './list.ts'
import { appName } from '../resource-names.ts'
import { findResource, type ResourceKey } from './registry.ts'
import { tryRepair, recordEmpty, type Reconciliation, repairRegistered, toResourceRef } from './repair.ts'
import { finishTask, type ResourceTask } from './task-store.ts'
import type { MakingPorts, ResourceWork } from './work.ts'

const NO_REASON = { code: '', message: '' }

/**
 * Compares each stored resource with the account and repairs differences. A missing resource that had data is created again without this
 * data, and the activity log says so. A failed repair is listed with its reason and does not stop other repairs.
 */
export async function reconcile(
  work: ResourceWork<MakingPorts | 'capabilities'>,
  task: ResourceTask,
): Promise<void> {
  const done: Reconciliation = { checked: 0, repaired: [], failed: [] }
  await repairRegistered(work, done)
  await repairCapabilities(work, done)
  await settleOrphans(work, done)
  await repairServing(work, done)
  await finishTask(work.platform, task, done, async (trx) => {
    const { platform, project } = work
    await recordActivity(trx, {
      orgId: project.org_id,
      at: platform.clock.now(),
      provider: 'slipway',
      actor: task.actor,
      action: 'project.reconciled',
      target: project.name,
      status: done.failed.length === 0 ? 'ok' : 'failed',
      projectId: project.id,
      projectName: project.name,
      detail: `${done.checked} checked, ${done.repaired.length} repaired, ${done.failed.length} failed`,
    })
  })
}

/** Makes resources that capabilities lack. Their rows are new, so they need no comparison with the account. */
async function repairCapabilities(
  work: ResourceWork<MakingPorts | 'capabilities'>,
  done: Reconciliation,
): Promise<void> {
  const { platform, cloud, project } = work
  const { capabilities } = platform
  const rowsNow = () => listResourcesIn(platform.db, project, cloud.accountId)
  const known = new Set((await rowsNow()).map((row) => row.id))
  const hadLost = (await listFailing(work)).some(({ code }) => code === 'resource_missing')
  await capabilities.provision(work, { repair: true })
  await capabilities.rebindWhenDue(work, { isDeployJob: true })
  for (const { key, message } of await listFailing(work)) done.failed.push({ id: key, reason: message })
  for (const row of await rowsNow()) {
    if (known.has(row.id)) continue
    const isEmptied = hadLost && RESOURCE_KINDS[row.kind].holdsData
    done.checked++
    done.repaired.push({ ...toResourceRef(row), action: isEmptied ? 'made empty' : 'made' })
    if (isEmptied) await recordEmpty(work, row)
  }
}

async function listFailing({ platform, project }: ResourceWork) {
  const states = await listStates(platform.db, project.id)
  return states.flatMap(({ key, state, error }) =>
    state === 'error' ? [{ key, ...(error ?? NO_REASON) }] : [],
  )
}

/** Republishes production and the preview where a deployment is live but the row of its worker is missing. */
async function repairServing(work: ResourceWork<MakingPorts>, done: Reconciliation): Promise<void> {
  const { platform, project } = work
  for (const tier of ['preview', 'production'] as const) {
    const name = appName(project, tier)
    const key = workerKey(work, name)
    if ((await findResource(platform.db, key)) !== null) continue
    const live = await latestDeployment(platform.db, project, tier, ['live'])
    if (live === null) continue
    done.checked++
    await tryRepair(done, name, async () => {
      await platform.makers.app(work, { id: '' }, tier)
      const row = await findResource(platform.db, key)
      if (row !== null) done.repaired.push({ id: row.id, kind: key.kind, name, action: 'made' })
    })
  }
}

async function settleOrphans(work: ResourceWork<MakingPorts>, done: Reconciliation): Promise<void> {
  for (const name of await findOrphans(work)) {
    done.checked++
    await tryRepair(done, name, async () => {
      const row = await settleOrphan(work, name)
      const action = row === null ? 'removed' : 'adopted'
      done.repaired.push({ id: row?.id ?? name, kind: 'worker', name, action })
    })
  }
}

const workerKey = ({ cloud, project }: ResourceWork, name: string): ResourceKey => ({
  orgId: project.org_id,
  projectId: project.id,
  accountId: cloud.accountId,
  kind: 'worker',
  name,
})

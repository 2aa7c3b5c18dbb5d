import { recordActivity } from '../events/activity.ts'
import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import { findOrphans, settleOrphan } from './orphans.ts'
import type { Finding, Registered } from './kinds/kind.ts'
import { KINDS, thingOf } from './kinds/table.ts'
import { listResourcesIn } from './list.ts'
import { inspectAll } from './inspect.ts'
import { appName } from './names.ts'
import { parts } from './parts.ts'
import { probe } from './probe.ts'
import {
  findResource,
  forgetResource,
  keyOf,
  readResource,
  type ResourceKey,
  settleResource,
} from './registry.ts'
import { finishTask, type ResourceTask } from './task-store.ts'
import type { Work } from './work.ts'

const NO_REASON = { code: '', message: '' }

export interface Repaired {
  id: string
  kind: string
  name: string
  /** What was done about it: `made`, `made empty`, `put back`, `adopted`, `forgotten` or `removed`. */
  action: string
}

export interface Reconciled {
  checked: number
  repaired: Repaired[]
  failed: { id: string; reason: string }[]
}

/**
 * Compares each row of the registry with the account and repairs what differs. A resource that holds data comes back
 * empty, and the activity log says so. A failed repair is listed with its reason and does not stop the others.
 */
export async function reconcile(work: Work, task: ResourceTask): Promise<void> {
  const done: Reconciled = { checked: 0, repaired: [], failed: [] }
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

/** Compares every row; a resource that others are bound to is repaired before them. */
async function repairRegistered(work: Work, done: Reconciled): Promise<void> {
  const { platform, cloud, project } = work
  const rows = (await listResourcesIn(platform.db, project, cloud.accountId)).toReversed()
  const findings = await inspectAll(cloud, rows)
  done.checked += rows.length
  const remade = new Set<string>()
  for (const row of rows) {
    await attempt(done, row.id, async () => {
      const finding = findings.get(row.id)
      if (finding === undefined)
        throw new ProviderError('cloudflare', `It belongs to the cloud account ${row.account_id}.`)
      if (finding instanceof ProviderError) throw finding
      if (finding === 'ok' && row.state === 'ok' && (await isHealthy(work, row))) return
      // Making a resource again made its parts too.
      const isBack = remade.has(thingOf(row)) && (await KINDS[row.kind].find(cloud, row)) === 'ok'
      const action = isBack ? actionFor(row, finding) : await repair(work, row, finding)
      done.repaired.push({ ...shown(row), action })
      remade.add(thingOf(row))
    })
  }
}

/** An unchanged worker may still have no address, or fail its health check. */
async function isHealthy({ platform, cloud, project, signal }: Work, row: Registered): Promise<boolean> {
  if (row.kind !== 'worker' || row.tier === 'shared') return true
  const live = await parts().releases.serving(platform.db, project, row.tier)
  if (live === null) return true
  const url = cloud.appUrl(row.name)
  return (await probe(url, live.sha, signal)) === null
}

/** Returns what was done. */
async function repair(work: Work, row: Registered, finding: Finding): Promise<string> {
  const { platform, project } = work
  // The row keeps the finding in case this process dies before the repair.
  await settleResource(platform, keyOf(project, row), { state: 'error', detail: `It is ${finding}.` })
  if (await removeUnserved(work, row)) return 'removed'
  await KINDS[row.kind].make(work, { ...row, state: 'error' })
  if ((await readResource(platform.db, project, row.id)) === null) return 'forgotten'
  const action = actionFor(row, finding)
  if (action === 'made empty') await noteEmpty(work, row)
  return action
}

function actionFor(row: Registered, finding: Finding): string {
  const wasSettled = row.state !== 'creating'
  if (finding === 'ok') return wasSettled ? 'put back' : 'adopted'
  if (finding === 'drifted' && !KINDS[row.kind].holdsData) return 'put back'
  return KINDS[row.kind].holdsData && wasSettled ? 'made empty' : 'made'
}

/** Removes a worker whose first ship failed: its code was never released. */
async function removeUnserved({ platform, cloud, project }: Work, row: Registered): Promise<boolean> {
  if (row.kind !== 'worker' || row.tier === 'shared' || row.state === 'ok') return false
  if (await parts().releases.hasServed(platform.db, project, row.tier)) return false
  await KINDS[row.kind].remove(cloud, row)
  await forgetResource(platform.db, project, row.id)
  return true
}

async function noteEmpty({ platform, project, actor }: Work, row: Registered): Promise<void> {
  await recordActivity(platform.db, {
    orgId: project.org_id,
    at: platform.clock.now(),
    provider: 'slipway',
    actor,
    action: 'resource.recreated',
    target: row.name,
    status: 'ok',
    projectId: project.id,
    projectName: project.name,
    detail: 'It was gone from the cloud account and is empty now.',
  })
}

/** Makes what capabilities lack; the rows are new. */
async function repairCapabilities(work: Work, done: Reconciled): Promise<void> {
  const { platform, cloud, project } = work
  const { capabilities } = parts()
  const rowsNow = () => listResourcesIn(platform.db, project, cloud.accountId)
  const known = new Set((await rowsNow()).map((row) => row.id))
  const hadLost = (await listFailing(work)).some(({ code }) => code === 'resource_missing')
  await capabilities.provision(work, { repair: true })
  await capabilities.rebindWhenDue(work)
  for (const { key, message } of await listFailing(work)) done.failed.push({ id: key, reason: message })
  for (const row of await rowsNow()) {
    if (known.has(row.id)) continue
    const isEmptied = hadLost && KINDS[row.kind].holdsData
    done.checked++
    done.repaired.push({ ...shown(row), action: isEmptied ? 'made empty' : 'made' })
    if (isEmptied) await noteEmpty(work, row)
  }
}

async function listFailing({ platform, project }: Work) {
  const states = await parts().capabilities.states(platform.db, project.id)
  return states.flatMap(({ key, state, error }) =>
    state === 'error' ? [{ key, ...(error ?? NO_REASON) }] : [],
  )
}

/** Publishes a tier again that serves according to the releases and has no row. */
async function repairServing(work: Work, done: Reconciled): Promise<void> {
  const { platform, project } = work
  for (const tier of ['preview', 'production'] as const) {
    const name = appName(project, tier)
    const key = workerKey(work, name)
    if ((await findResource(platform.db, key)) !== null) continue
    const live = await parts().releases.serving(platform.db, project, tier)
    if (live === null) continue
    done.checked++
    await attempt(done, name, async () => {
      await parts().makers.app(work, { id: '' }, tier)
      const row = await findResource(platform.db, key)
      if (row !== null) done.repaired.push({ id: row.id, kind: key.kind, name, action: 'made' })
    })
  }
}

async function settleOrphans(work: Work, done: Reconciled): Promise<void> {
  for (const name of await findOrphans(work)) {
    done.checked++
    await attempt(done, name, async () => {
      const row = await settleOrphan(work, name)
      const action = row === null ? 'removed' : 'adopted'
      done.repaired.push({ id: row?.id ?? name, kind: 'worker', name, action })
    })
  }
}

/** Lists a failed repair with its reason instead of throwing. */
async function attempt(done: Reconciled, id: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ProviderError) && !(error instanceof ApiError)) throw error
    done.failed.push({ id, reason: error.message })
  }
}

const shown = ({ id, kind, name }: Registered) => ({ id, kind, name })

const workerKey = ({ cloud, project }: Work, name: string): ResourceKey => ({
  orgId: project.org_id,
  projectId: project.id,
  accountId: cloud.accountId,
  kind: 'worker',
  name,
})

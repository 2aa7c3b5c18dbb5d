import { splitReason } from '../capabilities/capability.ts'
import { provisionPending } from '../capabilities/switch/provision.ts'
import { carryOutRebind } from '../capabilities/switch/rebind-due.ts'
import { recordActivity } from '../events/activity.ts'
import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import { appName } from '../releases/app-worker.ts'
import { findOrphans, settleOrphan } from './orphans.ts'
import type { Finding, Making, Registered } from './kinds/kind.ts'
import { KINDS, thingOf } from './kinds/table.ts'
import { listResourcesIn } from './list.ts'
import { findAll } from './inspect.ts'
import { probe } from './probe.ts'
import {
  findResource,
  forgetResource,
  keyOf,
  readResource,
  type ResourceKey,
  settleResource,
} from './registry.ts'
import { republishApp } from '../releases/republish.ts'
import { latestDeployment } from '../releases/store.ts'
import { finishTask, type ResourceTask } from './task-store.ts'

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
 * Compares the registry with the account, thing by thing, and repairs what differs. What holds data comes back empty
 * and the activity log says so. What cannot be repaired is named with its reason; the rest is repaired all the same.
 */
export async function reconcile(work: Making, task: ResourceTask): Promise<void> {
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

/** Every row against the account; what others are bound to is repaired before them. */
async function repairRegistered(work: Making, done: Reconciled): Promise<void> {
  const { platform, cloud, project } = work
  const rows = (await listResourcesIn(platform.db, project, cloud.accountId)).toReversed()
  const findings = await findAll(cloud, rows)
  done.checked += rows.length
  const madeAnew = new Set<string>()
  for (const row of rows) {
    await attempt(done, row.id, async () => {
      const finding = findings.get(row.id)
      if (finding === undefined)
        throw new ProviderError('cloudflare', `It belongs to the cloud account ${row.account_id}.`)
      if (finding instanceof ProviderError) throw finding
      if (finding === 'ok' && row.state === 'ok' && (await answers(work, row))) return
      // What was made anew has brought its parts back with it.
      const isBack = madeAnew.has(thingOf(row)) && (await KINDS[row.kind].find(cloud, row)) === 'ok'
      const action = isBack ? actionFor(row, finding) : await repair(work, row, finding)
      done.repaired.push({ ...shown(row), action })
      madeAnew.add(thingOf(row))
    })
  }
}

/** An app that the account holds as we left it may still be off its address, or ill. */
async function answers({ platform, cloud, project, signal }: Making, row: Registered): Promise<boolean> {
  if (row.kind !== 'worker' || row.tier === 'shared') return true
  const live = await latestDeployment(platform.db, project, row.tier, ['live'])
  if (live === null) return true
  const url = cloud.appUrl(row.name)
  return (await probe(url, live.sha, signal)) === null
}

/** Answers what was done. */
async function repair(work: Making, row: Registered, finding: Finding): Promise<string> {
  const { platform, project } = work
  // Until it is repaired the row says so, also when this process dies here.
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

/** What a first ship left behind that never came up serves code nobody has released. */
async function removeUnserved({ platform, cloud, project }: Making, row: Registered): Promise<boolean> {
  if (row.kind !== 'worker' || row.tier === 'shared' || row.state === 'ok') return false
  const served = await latestDeployment(platform.db, project, row.tier, ['live', 'superseded'])
  if (served !== null) return false
  await KINDS[row.kind].remove(cloud, row)
  await forgetResource(platform.db, project, row.id)
  return true
}

async function noteEmpty({ platform, project, actor }: Making, row: Registered): Promise<void> {
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

/** Capabilities that lack something: the rows they make are new. */
async function repairCapabilities(work: Making, done: Reconciled): Promise<void> {
  const { platform, cloud, project, actor, signal } = work
  const rowsNow = () => listResourcesIn(platform.db, project, cloud.accountId)
  const known = new Set((await rowsNow()).map((row) => row.id))
  const hadLost = (await listFailing(work)).some(({ code }) => code === 'resource_missing')
  await provisionPending(platform, project, { actor, signal, repair: true })
  await carryOutRebind(platform, project, { actor, signal })
  for (const { key, message } of await listFailing(work)) done.failed.push({ id: key, reason: message })
  for (const row of await rowsNow()) {
    if (known.has(row.id)) continue
    const isEmptied = hadLost && KINDS[row.kind].holdsData
    done.checked++
    done.repaired.push({ ...shown(row), action: isEmptied ? 'made empty' : 'made' })
    if (isEmptied) await noteEmpty(work, row)
  }
}

async function listFailing({ platform, project }: Making) {
  const rows = await platform.db
    .selectFrom('capabilities')
    .select(['key', 'error'])
    .where('project_id', '=', project.id)
    .where('enabled', '=', true)
    .where('state', '=', 'error')
    .execute()
  return rows.map(({ key, error }) => ({ key, ...splitReason(error ?? '') }))
}

/** A tier that serves although the registry knows no worker of it. */
async function repairServing(work: Making, done: Reconciled): Promise<void> {
  const { platform, project } = work
  for (const tier of ['preview', 'production'] as const) {
    const name = appName(project, tier)
    const key = workerKey(work, name)
    if ((await findResource(platform.db, key)) !== null) continue
    const live = await latestDeployment(platform.db, project, tier, ['live'])
    if (live === null) continue
    done.checked++
    await attempt(done, name, async () => {
      await republishApp(work, { id: '' }, tier)
      const row = await findResource(platform.db, key)
      if (row !== null) done.repaired.push({ id: row.id, kind: key.kind, name, action: 'made' })
    })
  }
}

async function settleOrphans(work: Making, done: Reconciled): Promise<void> {
  for (const name of await findOrphans(work)) {
    done.checked++
    await attempt(done, name, async () => {
      const row = await settleOrphan(work, name)
      const action = row === null ? 'removed' : 'adopted'
      done.repaired.push({ id: row?.id ?? name, kind: 'worker', name, action })
    })
  }
}

/** What cannot be repaired is named with its reason, and the rest goes on. */
async function attempt(done: Reconciled, id: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ProviderError) && !(error instanceof ApiError)) throw error
    done.failed.push({ id, reason: error.message })
  }
}

const shown = ({ id, kind, name }: Registered) => ({ id, kind, name })

const workerKey = ({ cloud, project }: Making, name: string): ResourceKey => ({
  orgId: project.org_id,
  projectId: project.id,
  accountId: cloud.accountId,
  kind: 'worker',
  name,
})

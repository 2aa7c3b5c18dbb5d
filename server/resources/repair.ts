import * as z from 'zod'
import { recordActivity } from '../activity/log.ts'
import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import { hasServed, latestDeployment } from '../deployments/store.ts'
import { inspect, inspectAll, FINDING_CACHE_MS } from './inspect.ts'
import type { Finding, RegisteredResource } from './kinds/kind.ts'
import { RESOURCE_KINDS, resourceIdentity } from './kinds/table.ts'
import { listNewest, listResourcesIn } from './list.ts'
import { liveName } from '../resource-names.ts'
import { probe } from './probe.ts'
import { deleteResourceRow, resourceKey, readResource, settleResource } from './registry.ts'
import type { MakingPorts, ResourceWork } from './work.ts'

const RepairedResource = z.object({
  id: z.string(),
  kind: z.string(),
  name: z.string(),
  /**
   * `made`: it was missing and was created. `made empty`: it was created again, without the data of the earlier one. `put back`: it
   * existed, and was configured or deployed again. `adopted`: it existed, and its row was added or completed. `forgotten`: only its row
   * was deleted, because the project no longer uses it. `removed`: it was a worker that the project does not use, and was deleted.
   */
  action: z.string(),
})

export const Reconciliation = z.object({
  checked: z.number(),
  repaired: z.array(RepairedResource),
  failed: z.array(z.object({ id: z.string(), reason: z.string() })),
})
export type Reconciliation = z.output<typeof Reconciliation>

/** Compares every row with the account and repairs differences. A resource is repaired before the resources that are bound to it. */
export async function repairRegistered(work: ResourceWork<MakingPorts>, done: Reconciliation): Promise<void> {
  const { platform, cloud, project } = work
  await repairRows(work, await listResourcesIn(platform.db, project, cloud.accountId), done)
}

/**
 * Repairs, before a deployment, the resources that the app is bound to, because Cloudflare refuses an upload with a binding to a missing
 * resource. Resources made or inspected within the last minute are trusted. A failed repair is not reported here, because the deployment
 * then fails with an error about the missing resource.
 */
export async function repairShared(work: ResourceWork<MakingPorts>): Promise<void> {
  const { platform, cloud, project, actor } = work
  const madeBefore = platform.clock.now().getTime() - FINDING_CACHE_MS
  const rows = (await listNewest(platform.db, project)).filter(
    ({ account_id, tier, kind, name, ...row }) =>
      account_id === cloud.accountId &&
      tier === 'shared' &&
      // The live worker is skipped, because repairing its Durable Object namespace repairs it, too.
      !(kind === 'worker' && name === liveName(project)) &&
      // A row in the state `creating` is skipped, because its capability makes the resource.
      (row.state === 'error' || (row.state === 'ok' && row.updated_at.getTime() < madeBefore)),
  )
  const looked = await inspect(platform, project, rows, actor)
  const broken = new Set(
    looked.filter(({ state, found }) => state !== 'ok' || (found ?? 'ok') !== 'ok').map(({ id }) => id),
  )
  if (broken.size === 0) return
  const inOrder = await listResourcesIn(platform.db, project, cloud.accountId)
  await repairRows(
    work,
    inOrder.filter(({ id }) => broken.has(id)),
    { checked: 0, repaired: [], failed: [] },
  )
}

async function repairRows(
  work: ResourceWork<MakingPorts>,
  inOrder: RegisteredResource[],
  done: Reconciliation,
): Promise<void> {
  const { cloud } = work
  const rows = inOrder.toReversed()
  const findings = await inspectAll(cloud, rows, work)
  done.checked += rows.length
  const remade = new Set<string>()
  for (const row of rows) {
    await tryRepair(done, row.id, async () => {
      const finding = findings.get(row.id)
      if (finding === undefined)
        throw new ProviderError('cloudflare', `It belongs to the cloud account ${row.account_id}.`)
      if (finding instanceof ProviderError) throw finding
      if (finding === 'ok' && row.state === 'ok' && (await isHealthy(work, row))) return
      // The repair of another resource may have made this resource, too.
      const isBack =
        remade.has(resourceIdentity(row)) && (await RESOURCE_KINDS[row.kind].find(cloud, row, work)) === 'ok'
      const action = isBack ? actionFor(row, finding) : await repairResource(work, row, finding)
      done.repaired.push({ ...toResourceRef(row), action })
      remade.add(resourceIdentity(row))
    })
  }
}

/** A worker whose code is unchanged may still have lost its address or fail its health check. */
async function isHealthy(
  { platform, cloud, project, signal }: ResourceWork,
  row: RegisteredResource,
): Promise<boolean> {
  if (row.kind !== 'worker' || row.tier === 'shared') return true
  const live = await latestDeployment(platform.db, project, row.tier, ['live'])
  if (live === null) return true
  const url = cloud.appUrl(row.name)
  return (await probe(url, live.sha, signal)) === null
}

/** Repairs a resource and returns the action, as explained in `RepairedResource`. */
async function repairResource(
  work: ResourceWork<MakingPorts>,
  row: RegisteredResource,
  finding: Finding,
): Promise<string> {
  const { platform, project } = work
  // Stores the finding first, in case this process dies before the repair is done.
  await settleResource(platform, resourceKey(project, row), { state: 'error', detail: `It is ${finding}.` })
  if (await removeUnserved(work, row)) return 'removed'
  await RESOURCE_KINDS[row.kind].make(work, { ...row, state: 'error' })
  if ((await readResource(platform.db, project, row.id)) === null) return 'forgotten'
  const action = actionFor(row, finding)
  if (action === 'made empty') await recordEmpty(work, row)
  return action
}

function actionFor(row: RegisteredResource, finding: Finding): string {
  const wasSettled = row.state !== 'creating'
  if (finding === 'ok') return wasSettled ? 'put back' : 'adopted'
  if (finding === 'drifted' && !RESOURCE_KINDS[row.kind].holdsData) return 'put back'
  return RESOURCE_KINDS[row.kind].holdsData && wasSettled ? 'made empty' : 'made'
}

/** Removes a worker whose first deployment failed, because its code was never released. */
async function removeUnserved(work: ResourceWork, row: RegisteredResource): Promise<boolean> {
  const { platform, cloud, project } = work
  if (row.kind !== 'worker' || row.tier === 'shared' || row.state === 'ok') return false
  if (await hasServed(platform.db, project, row.tier)) return false
  await RESOURCE_KINDS[row.kind].remove(cloud, row, work)
  await deleteResourceRow(platform.db, project, row.id)
  return true
}

export async function recordEmpty(
  { platform, project, actor }: ResourceWork,
  row: RegisteredResource,
): Promise<void> {
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

/** Lists a failed repair with its reason instead of throwing. */
export async function tryRepair(done: Reconciliation, id: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ProviderError) && !(error instanceof ApiError)) throw error
    done.failed.push({ id, reason: error.message })
  }
}

export const toResourceRef = ({ id, kind, name }: RegisteredResource) => ({ id, kind, name })

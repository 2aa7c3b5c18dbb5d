import type { Cloud } from '../cloudflare/client.ts'
import { transact } from '../db/database.ts'
import type { ProjectIdsAndName } from '../db/tables/projects.ts'
import type { RegisteredResource } from './kinds/kind.ts'
import { RESOURCE_KINDS, resourceIdentity } from './kinds/table.ts'
import { listResources } from './list.ts'
import { deleteResourceRow, deleteResourceRows, recordRefusal } from './registry.ts'
import { recordActivity } from '../activity/log.ts'
import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Core, PlatformPorts } from '../platform.ts'

export interface RemovedResource {
  id: string
  kind: string
  name: string
}

export interface Teardown {
  /** How many resources remain. The project exists until this is 0. */
  remaining: number
  removed: RemovedResource[]
  failed: (RemovedResource & { reason: string })[]
  /** Resources that stay in the account permanently: they could not be removed, and the caller asked to leave them. */
  left: (RemovedResource & { reason: string })[]
}

/**
 * Removes a project's registered resources from their accounts, until none remains or the signal is aborted. A row is deleted only after
 * the provider has confirmed the removal, so the next call continues where an interrupted call ended.
 */
export async function tearDown(
  platform: PlatformPorts<'accounts' | 'buckets'>,
  project: ProjectIdsAndName,
  by: { actor: string; signal: AbortSignal; leaveStuck?: boolean },
): Promise<Teardown> {
  const done: Teardown = { remaining: 0, removed: [], failed: [], left: [] }
  const rows = await listResources(platform.db, project)
  // A project that is moving or was moved has resources in two accounts.
  for (const own of Map.groupBy(rows, (row) => row.account_id).values()) {
    const part = await tearDownIn(platform, project, own, by)
    done.removed.push(...part.removed)
    done.failed.push(...part.failed)
    done.left.push(...part.left)
  }
  return { ...done, remaining: (await listResources(platform.db, project)).length }
}

/** Removes resources of one account, to which all `rows` must belong. */
export async function tearDownIn(
  platform: PlatformPorts<'accounts' | 'buckets'>,
  project: ProjectIdsAndName,
  rows: RegisteredResource[],
  { leaveStuck = false, ...by }: { actor: string; signal: AbortSignal; leaveStuck?: boolean },
): Promise<Omit<Teardown, 'remaining'>> {
  const done: Omit<Teardown, 'remaining'> = { removed: [], failed: [], left: [] }
  const accountId = rows[0]?.account_id
  const use = { orgId: project.org_id, project, accountId, ...by }
  const cloud = await platform.accounts.openCloud(use).catch((error: unknown) => {
    if (error instanceof ApiError) return error
    throw error
  })
  if (cloud instanceof ApiError) {
    const told = rows.map((row) => ({ ...toResourceRef(row), reason: cloud.message }))
    if (!leaveStuck) {
      await recordRefusal(platform, project, idsOf(rows), cloud.message)
      return { ...done, failed: told }
    }
    await unregisterResources(platform, project, by.actor, rows)
    return { ...done, left: told }
  }
  await platform.buckets.empty(platform, project, rows, by)
  for (const group of groupByResource(rows)) {
    if (by.signal.aborted) break
    const reason = await teardownRefusal(by.signal, () => removeGroup(platform, cloud, project, group))
    if (reason === null) done.removed.push(...group.map(toResourceRef))
    else if (leaveStuck && !by.signal.aborted) {
      await unregisterResources(platform, project, by.actor, group)
      done.left.push(...group.map((row) => ({ ...toResourceRef(row), reason })))
    } else if (!by.signal.aborted) {
      await recordRefusal(platform, project, idsOf(group), reason)
      done.failed.push(...group.map((row) => ({ ...toResourceRef(row), reason })))
    }
  }
  return done
}

/** Groups an object namespace with the worker of its name, because one call creates or removes both. */
const groupByResource = (rows: RegisteredResource[]): RegisteredResource[][] => [
  ...Map.groupBy(rows, resourceIdentity).values(),
]

async function removeGroup(
  platform: PlatformPorts<'accounts'>,
  cloud: Cloud,
  project: ProjectIdsAndName,
  group: RegisteredResource[],
): Promise<void> {
  const [first] = group
  if (first === undefined) return
  const kind = RESOURCE_KINDS[first.kind]
  if ((await kind.handOver?.(platform.db, project, first)) === true) return
  await kind.remove(cloud, first, { platform, project })
  await deleteResourceRows(platform.db, project, idsOf(group))
}

/** Deletes the rows of resources that stay in the account, and names these resources in the activity log. */
async function unregisterResources(
  platform: Core,
  project: ProjectIdsAndName,
  actor: string,
  rows: RegisteredResource[],
): Promise<void> {
  await transact(platform.db, async (trx) => {
    for (const row of rows) {
      // Another call may have deleted and recorded the row already, for example because a client repeated its request.
      if (!(await deleteResourceRow(trx, project, row.id))) continue
      await recordActivity(trx, {
        orgId: project.org_id,
        at: platform.clock.now(),
        provider: 'slipway',
        actor,
        action: 'resource.left',
        target: row.name,
        status: 'ok',
        projectId: project.id,
        projectName: project.name,
        detail: `The ${row.kind.replace('_', ' ')} stays in the cloud account ${row.account_id}. Remove it there.`,
      })
    }
  })
}

/** Returns why the provider refused, or null when it did not. Rethrows the error when the signal was aborted. */
async function teardownRefusal(signal: AbortSignal, work: () => Promise<void>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (signal.aborted) return 'The time limit was reached.'
    if (error instanceof ProviderError) return error.message
    throw error
  }
}

const toResourceRef = ({ id, kind, name }: RegisteredResource): RemovedResource => ({ id, kind, name })

const idsOf = (rows: RegisteredResource[]): string[] => rows.map(({ id }) => id)

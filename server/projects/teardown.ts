import type { Cloud } from '../cloudflare/client.ts'
import { deleteBucket } from '../cloudflare/r2.ts'
import { deleteWorker } from '../cloudflare/workers.ts'
import { openCloud } from '../connections/cloud.ts'
import type { Db, Trx } from '../db/database.ts'
import type { ResourcesTable } from '../db/tables/projects.ts'
import type { ResourceKey } from '../deployments/registry.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Platform } from '../platform.ts'

/** One thing that stood in the connected account. */
export interface Removed {
  id: string
  kind: string
  name: string
}

export interface Teardown {
  /** What is still there; the project stands until it is 0. */
  remaining: number
  removed: Removed[]
  failed: (Removed & { reason: string })[]
}

type Resource = Pick<ResourcesTable, 'id' | 'name' | 'account_id' | 'tier' | 'updated_at'> & {
  kind: ResourceKey['kind']
}

// What is bound to another thing goes before it, and what serves goes first.
const TIERS: readonly ResourcesTable['tier'][] = ['production', 'preview', 'shared']

// How each kind goes: one that is added to the registry is added here too, or this does not compile.
const REMOVED_AS: Record<ResourceKey['kind'], keyof typeof REMOVE> = {
  worker: 'script',
  object_namespace: 'script',
  bucket: 'bucket',
}
const REMOVE = { script: deleteWorker, bucket: deleteBucket }
// A bucket goes after the worker that could still write to it.
const KINDS: readonly ResourceKey['kind'][] = ['worker', 'object_namespace', 'bucket']

/**
 * Removes what the registry holds for a project from the connected account, until all is gone or the signal says
 * stop. A row goes only after the provider confirmed it, so the next call takes up wherever this one ended.
 */
export async function tearDown(
  platform: Platform,
  project: { id: string; org_id: string; name: string },
  by: { actor: string; signal: AbortSignal },
): Promise<Teardown> {
  const done: Teardown = { remaining: 0, removed: [], failed: [] }
  const rows = await listResources(platform.db, project)
  if (rows.length === 0) return done
  const cloud = await openCloud(platform, { orgId: project.org_id, project, ...by })
  for (const group of groupByThing(rows)) {
    if (by.signal.aborted) break
    const reason = await refusalOf(by.signal, () => removeThing(platform, cloud, project, group))
    if (reason === null) done.removed.push(...group.map(shown))
    else if (!by.signal.aborted) {
      await noteRefusal(platform, project, group, reason)
      done.failed.push(...group.map((row) => ({ ...shown(row), reason })))
    }
  }
  return { ...done, remaining: (await listResources(platform.db, project)).length }
}

/** What the registry still holds, in the order in which it may go; what was refused comes after its peers. */
export async function listResources(
  db: Db | Trx,
  project: { id: string; org_id: string },
): Promise<Resource[]> {
  const rows = await db
    .selectFrom('resources')
    .select(['id', 'kind', 'name', 'account_id', 'tier', 'updated_at'])
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .execute()
  return (rows as Resource[]).toSorted(
    (a, b) =>
      TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier) ||
      KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
      a.updated_at.getTime() - b.updated_at.getTime(),
  )
}

/** A namespace of objects lives and dies with the script of its name: one call removes both. */
const groupByThing = (rows: Resource[]): Resource[][] => [
  ...Map.groupBy(rows, ({ kind, account_id, name }) =>
    [REMOVED_AS[kind], account_id, name].join(' '),
  ).values(),
]

async function removeThing(
  platform: Platform,
  cloud: Cloud,
  project: { id: string; org_id: string },
  group: Resource[],
): Promise<void> {
  const [first] = group
  if (first === undefined) return
  // Asking the wrong account would be told "no such thing" and forget what stands elsewhere.
  if (first.account_id !== cloud.accountId)
    throw new ProviderError(
      'cloudflare',
      `It belongs to the cloud account ${first.account_id}, which is not the connected one.`,
    )
  await REMOVE[REMOVED_AS[first.kind]](cloud, first.name)
  await platform.db
    .deleteFrom('resources')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where(
      'id',
      'in',
      group.map((row) => row.id),
    )
    .execute()
}

/** Why the provider did not do it, or null when it did. Stopping half way is neither. */
async function refusalOf(signal: AbortSignal, work: () => Promise<void>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (signal.aborted) return 'There was no time left.'
    if (error instanceof ProviderError) return error.message
    throw error
  }
}

async function noteRefusal(
  platform: Platform,
  project: { id: string; org_id: string },
  group: Resource[],
  reason: string,
): Promise<void> {
  await platform.db
    .updateTable('resources')
    .set({ state: 'error', detail: reason, updated_at: platform.clock.now() })
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where(
      'id',
      'in',
      group.map((row) => row.id),
    )
    .execute()
}

const shown = ({ id, kind, name }: Resource): Removed => ({ id, kind, name })

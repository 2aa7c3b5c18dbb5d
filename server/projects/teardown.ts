import { emptyBuckets } from '../assets/empty-bucket.ts'
import type { Cloud } from '../cloudflare/client.ts'
import { openCloud } from '../connections/cloud.ts'
import type { Registered } from '../deployments/kinds/kind.ts'
import { KINDS, thingOf } from '../deployments/kinds/table.ts'
import { listResources } from '../deployments/list-resources.ts'
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
  await emptyBuckets(platform, project, rows, by)
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

/** A namespace of objects lives and dies with the script of its name: one call removes both. */
const groupByThing = (rows: Registered[]): Registered[][] => [...Map.groupBy(rows, thingOf).values()]

async function removeThing(
  platform: Platform,
  cloud: Cloud,
  project: { id: string; org_id: string },
  group: Registered[],
): Promise<void> {
  const [first] = group
  if (first === undefined) return
  // Asking the wrong account would be told "no such thing" and forget what stands elsewhere.
  if (first.account_id !== cloud.accountId)
    throw new ProviderError(
      'cloudflare',
      `It belongs to the cloud account ${first.account_id}, which is not the connected one.`,
    )
  await KINDS[first.kind].remove(cloud, first)
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
  group: Registered[],
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

const shown = ({ id, kind, name }: Registered): Removed => ({ id, kind, name })

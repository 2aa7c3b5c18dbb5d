import * as z from 'zod'
import { findUploadStorage } from '../../attachments/upload-storage.ts'
import { callUploadWorker, withRetries, refused } from '../../attachments/upload-worker.ts'
import { CloudflareError, unreachable } from '../../cloudflare/errors.ts'
import type { CloudResponse } from '../../cloudflare/fetch.ts'
import type { ProjectIdsAndName } from '../../db/tables/projects.ts'
import { callOperator } from './call.ts'
import { recordActivity } from '../../activity/log.ts'
import { ApiError } from '../../http/errors.ts'
import { parseJson } from '../../lib/json.ts'
import { ProviderError } from '../../lib/provider-error.ts'
import type { Core, PlatformPorts } from '../../platform.ts'
import { type AppTier, workerOfBucket } from '../../resource-names.ts'

const EmptiedObjects = z.object({ removed: z.int().min(0), isEmpty: z.boolean() })
const EmptyBucketResponse = z.object({ data: EmptiedObjects })
type EmptiedObjects = z.output<typeof EmptiedObjects>

/**
 * Empties a project's buckets through the workers that are bound to them. Deletes 1,000 objects per call, because one object per call
 * would take hours. Call it before the workers are removed. After a failure the removal of the bucket deletes the remaining objects.
 * `rows` are the resources of the project in one account. Returns the number of removed objects.
 */
export async function emptyBuckets(
  platform: PlatformPorts<'accounts'>,
  project: ProjectIdsAndName,
  rows: readonly { kind: string; name: string; account_id: string }[],
  by: { actor: string; signal: AbortSignal },
): Promise<number> {
  let all = 0
  for (const { name, account_id: accountId } of rows.filter(({ kind }) => kind === 'bucket')) {
    const worker = workerOfBucket(name)
    if (worker === null) continue
    if (!rows.some((row) => row.kind === 'worker' && row.name === worker.name)) continue
    const { slug } = worker
    const some =
      worker.role === 'uploads'
        ? () => emptyUploads(platform, project, { name, accountId }, by.signal)
        : () => emptyOwnBucket(platform, { ...project, slug, accountId }, worker, by.signal)
    const removed = await emptyAll(some, by.signal)
    if (removed > 0) await recordRemoval(platform, project, { name, removed, actor: by.actor })
    all += removed
  }
  return all
}

/**
 * Calls `some` until the bucket is empty, a call removes nothing, the signal aborts or a call fails. Returns the number of removed objects.
 */
async function emptyAll(some: () => Promise<EmptiedObjects>, signal: AbortSignal): Promise<number> {
  let removed = 0
  try {
    for (let isEmpty = false; !isEmpty && !signal.aborted;) {
      const done = await some()
      removed += done.removed
      // A worker that removes nothing would otherwise be called without end.
      isEmpty = done.isEmpty || done.removed === 0
    }
  } catch (error) {
    if (!signal.aborted && !(error instanceof ProviderError) && !(error instanceof ApiError)) throw error
  }
  return removed
}

async function emptyUploads(
  platform: PlatformPorts<'accounts'>,
  project: ProjectIdsAndName,
  { name, accountId }: { name: string; accountId: string },
  signal: AbortSignal,
): Promise<EmptiedObjects> {
  const storage = await findUploadStorage(platform, project, accountId)
  if (storage?.name !== name) return { removed: 0, isEmpty: true }
  return await withRetries(async () => {
    const task = { use: 'empty', key: '' } as const
    const response = await callUploadWorker(platform.clock, storage, task, { method: 'DELETE', signal })
    if (response.status === 200) return await readEmptiedObjects(response)
    await response.body?.cancel()
    throw refused(response.status)
  })
}

async function readEmptiedObjects(response: CloudResponse): Promise<EmptiedObjects> {
  const text = await response.text().catch((cause: unknown) => {
    throw unreachable(cause)
  })
  const read = EmptyBucketResponse.safeParse(parseJson(text))
  if (read.success) return read.data.data
  throw new CloudflareError('upstream', 'The upload worker returned an unexpected response.', {
    status: response.status,
    cause: read.error,
  })
}

/** Deletes objects of a capability's bucket through the admin worker. */
const emptyOwnBucket = (
  platform: PlatformPorts<'accounts'>,
  { id, org_id, slug, accountId }: ProjectIdsAndName & { slug: string; accountId: string },
  { capability, tier }: { capability: string; tier: AppTier },
  signal: AbortSignal,
): Promise<EmptiedObjects> =>
  callOperator(
    platform,
    { id, org_id, slug, accountId },
    {
      tier,
      method: 'DELETE',
      path: `/${capability}/objects`,
      repeatable: true,
      signal,
      result: EmptiedObjects,
    },
  )

const recordRemoval = (
  platform: Core,
  project: ProjectIdsAndName,
  { name, removed, actor }: { name: string; removed: number; actor: string },
) =>
  recordActivity(platform.db, {
    orgId: project.org_id,
    at: platform.clock.now(),
    provider: 'cloudflare',
    actor,
    action: 'bucket.empty',
    target: name,
    status: 'ok',
    projectId: project.id,
    projectName: project.name,
    detail: `${removed} objects`,
  })

import * as z from 'zod'
import { findUploadPlace } from '../attachments/upload-place.ts'
import { askUploadWorker, patiently, refused } from '../attachments/upload-worker.ts'
import type { Tier } from '../capabilities/capability.ts'
import { callOperator } from '../capabilities/operator/call.ts'
import { recordActivity } from '../events/activity.ts'
import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Platform } from '../platform.ts'

const Emptied = z.object({ removed: z.int().min(0), isEmpty: z.boolean() })
const Answer = z.object({ data: Emptied })
type Emptied = z.output<typeof Emptied>

interface Owned {
  id: string
  org_id: string
  name: string
}

/** A bucket and the worker that is bound to it: their names differ in the end only. */
const BOUND_TO = { assets: 'assets', files: 'admin', 'files-pv': 'admin' } as const

/**
 * Empties a project's buckets through the workers that are bound to them, a thousand objects a call: one by one it
 * would take hours. For before the workers go; what cannot be done this way is left to whoever removes the bucket.
 * Answers how many objects went. All rows are of one account.
 */
export async function emptyBuckets(
  platform: Platform,
  project: Owned,
  rows: readonly { kind: string; name: string; account_id: string }[],
  by: { actor: string; signal: AbortSignal },
): Promise<number> {
  let all = 0
  for (const { name, account_id: accountId } of rows.filter(({ kind }) => kind === 'bucket')) {
    const [, slug, end] = /^(.+)-(assets|files|files-pv)$/.exec(name) ?? []
    if (slug === undefined) continue
    const worker = `${slug}-${BOUND_TO[end as keyof typeof BOUND_TO]}`
    if (!rows.some((row) => row.kind === 'worker' && row.name === worker)) continue
    const some =
      end === 'assets'
        ? () => emptyUploads(platform, project, { name, accountId }, by.signal)
        : () =>
            emptyFiles(
              platform,
              { ...project, slug, accountId },
              end === 'files' ? 'production' : 'preview',
              by.signal,
            )
    const removed = await emptyAll(some, by.signal)
    if (removed > 0) await note(platform, project, { name, removed, actor: by.actor })
    all += removed
  }
  return all
}

/** Answers how many objects went. */
async function emptyAll(some: () => Promise<Emptied>, signal: AbortSignal): Promise<number> {
  let removed = 0
  try {
    for (let isEmpty = false; !isEmpty && !signal.aborted;) {
      const done = await some()
      removed += done.removed
      ;({ isEmpty } = done)
    }
  } catch (error) {
    if (!signal.aborted && !(error instanceof ProviderError) && !(error instanceof ApiError)) throw error
  }
  return removed
}

async function emptyUploads(
  platform: Platform,
  project: Owned,
  { name, accountId }: { name: string; accountId: string },
  signal: AbortSignal,
): Promise<Emptied> {
  const place = await findUploadPlace(platform, project, accountId)
  if (place?.name !== name) return { removed: 0, isEmpty: true }
  return await patiently(async () => {
    const task = { use: 'empty', key: '' } as const
    const answer = await askUploadWorker(platform.clock, place, task, { method: 'DELETE', signal })
    if (answer.status === 200) return Answer.parse(await answer.json()).data
    await answer.body?.cancel()
    throw refused(answer.status)
  })
}

const emptyFiles = (
  platform: Platform,
  { id, org_id, slug, accountId }: Owned & { slug: string; accountId: string },
  tier: Tier,
  signal: AbortSignal,
): Promise<Emptied> =>
  callOperator(
    platform,
    { id, org_id, slug, accountId },
    {
      tier,
      method: 'DELETE',
      path: '/files/objects',
      repeatable: true,
      signal,
      result: Emptied,
    },
  )

const note = (
  platform: Platform,
  project: Owned,
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

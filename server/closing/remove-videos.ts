import { readStoredSettings } from '../capability-state/variables.ts'
import { deleteVideosOf } from '../cloudflare/products/stream.ts'
import type { Trx } from '../db/database.ts'
import type { ProjectIdsAndName } from '../db/tables/projects.ts'
import { recordActivity } from '../activity/log.ts'
import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { PlatformPorts } from '../platform.ts'
import type { Teardown } from '../resources/teardown.ts'

const VIDEOS_KIND = 'videos'
const nameOfVideos = ({ name }: ProjectIdsAndName): string => `Videos of ${name}`

/**
 * Deletes a project's videos at Cloudflare Stream. They have no rows in `resources` and are found by their
 * `meta.project`. When `signal` is aborted, the next call deletes the videos that are left. Returns `done`, the result of
 * the teardown so far, with the result for the videos added.
 */
export async function removeVideos(
  platform: PlatformPorts<'accounts'>,
  project: ProjectIdsAndName,
  done: Teardown,
  { actor, signal, leaveStuck }: { actor: string; signal: AbortSignal; leaveStuck: boolean },
): Promise<Teardown> {
  // The stored settings remain when the video capability is disabled, so they show that it was enabled at some time.
  const wasEverOn = (await readStoredSettings(platform.db, project.id, 'video')) !== undefined
  if (!wasEverOn) return done
  const what = { id: project.id, kind: VIDEOS_KIND, name: nameOfVideos(project) }
  try {
    const cloud = await platform.accounts.openCloud({ orgId: project.org_id, project, actor, signal })
    const count = await deleteVideosOf(cloud, project.id)
    return count === 0 ? done : { ...done, removed: [...done.removed, { ...what, name: `${count} videos` }] }
  } catch (error) {
    if (signal.aborted) return { ...done, remaining: 1 }
    if (!(error instanceof ProviderError) && !(error instanceof ApiError)) throw error
    const told = { ...what, reason: error.message }
    if (!leaveStuck) return { ...done, remaining: 1, failed: [...done.failed, told] }
    return { ...done, left: [...done.left, told] }
  }
}

/**
 * Records that the project's videos stay in the account, if they do. Call it in the transaction that deletes the project, because a
 * deletion takes several calls, and each tries again to remove the videos.
 */
export async function recordVideosLeft(
  trx: Trx,
  project: ProjectIdsAndName,
  { left, actor, at }: { left: Teardown['left']; actor: string; at: Date },
): Promise<void> {
  if (!left.some(({ kind }) => kind === VIDEOS_KIND)) return
  await recordActivity(trx, {
    orgId: project.org_id,
    at,
    provider: 'slipway',
    actor,
    action: 'resource.left',
    target: nameOfVideos(project),
    status: 'ok',
    projectId: project.id,
    projectName: project.name,
    detail: `They stay at Stream, with ${project.id} in their meta.project. Remove them there.`,
  })
}

import { readStoredSettings } from '../capability-state/variables.ts'
import { deleteVideosOf } from '../cloudflare/products/stream.ts'
import type { ProjectIdsAndName } from '../db/tables/projects.ts'
import { recordActivity } from '../activity/log.ts'
import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { PlatformPorts } from '../platform.ts'
import type { Teardown } from '../resources/teardown.ts'

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
  const what = { id: project.id, kind: 'videos', name: `Videos of ${project.name}` }
  try {
    const cloud = await platform.accounts.openCloud({ orgId: project.org_id, project, actor, signal })
    const count = await deleteVideosOf(cloud, project.id)
    return count === 0 ? done : { ...done, removed: [...done.removed, { ...what, name: `${count} videos` }] }
  } catch (error) {
    if (signal.aborted) return { ...done, remaining: 1 }
    if (!(error instanceof ProviderError) && !(error instanceof ApiError)) throw error
    const told = { ...what, reason: error.message }
    if (!leaveStuck) return { ...done, remaining: 1, failed: [...done.failed, told] }
    await recordActivity(platform.db, {
      orgId: project.org_id,
      at: platform.clock.now(),
      provider: 'slipway',
      actor,
      action: 'resource.left',
      target: what.name,
      status: 'ok',
      projectId: project.id,
      projectName: project.name,
      detail: `They stay at Stream, with ${project.id} in their meta.project. Remove them there.`,
    })
    return { ...done, left: [...done.left, told] }
  }
}

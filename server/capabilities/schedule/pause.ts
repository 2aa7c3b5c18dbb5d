import * as z from 'zod'
import { ApiError } from '../../http/errors.ts'
import type { AppTier } from '../../resource-names.ts'
import type { ResourceWork } from '../../resources/work.ts'
import { callOperator } from '../operator/call.ts'
import { readStoredSettings } from '../../capability-state/variables.ts'

/**
 * Stops the schedules of a tier until its next release. Does not call the app when the project's schedule capability
 * was never enabled.
 */
export async function pauseSchedules(
  { platform, project }: Pick<ResourceWork, 'platform' | 'project'>,
  tier: AppTier,
): Promise<void> {
  if ((await readStoredSettings(platform.db, project.id, 'schedule')) === undefined) return
  try {
    const result = z.null()
    await callOperator(platform, project, {
      tier,
      method: 'POST',
      path: '/schedule/rest',
      repeatable: true,
      result,
    })
  } catch (error) {
    // An admin worker without this path has no schedules to stop.
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
  }
}

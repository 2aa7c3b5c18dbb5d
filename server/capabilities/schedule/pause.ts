import * as z from 'zod'
import { ApiError } from '../../http/errors.ts'
import type { AppTier } from '../../resources/names.ts'
import type { Work } from '../../resources/work.ts'
import { callOperator } from '../operator/call.ts'
import { readStoredSettings } from '../switch/variables.ts'

/** Starts no schedule of a tier until its next release. Projects that never had the capability cost no call. */
export async function pauseSchedules(
  { platform, project }: Pick<Work, 'platform' | 'project'>,
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
    // A version that does not know schedules runs none.
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
  }
}

import type { CapabilityKey } from '@slipway/runtime/capabilities.ts'
import { ApiError } from '../../http/errors.ts'
import type { Context } from '../../http/context.ts'
import { loadProject } from '../../projects/projects.ts'
import { capabilityOf } from '../catalog.ts'

/** Throws what the read of a capability returns that this version does not have: 404 as if it were disabled. */
export async function refuseUnbuilt(
  ctx: Context,
  { projectId }: { projectId: string },
  key: CapabilityKey,
): Promise<never> {
  await loadProject(ctx, projectId)
  throw new ApiError('not_enabled', `${capabilityOf(key).title} is not available in this version yet.`)
}

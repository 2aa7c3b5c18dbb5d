import { ApiError, type ErrorCode } from '../../http/errors.ts'
import { requireNotMoving } from '../../moves/moves.ts'
import { loadProject } from '../../projects/projects.ts'
import type { CapabilityKey } from '@slipway/runtime/capabilities.ts'
import type { CallerContext } from '../../endpoint.ts'
import { capabilityOf } from '../../capability-catalog/catalog.ts'

/** Error codes of a route that reads from the deployed app, besides the error codes of every route. */
export const APP_READ_ERRORS = ['not_enabled', 'conflict', 'upstream_error'] as const satisfies ErrorCode[]

/**
 * Returns the project when the capability is enabled and deployed. Throws `not_enabled` otherwise, and
 * `conflict` while the project is being moved to another account.
 */
export async function requireServing(ctx: CallerContext<'db'>, projectId: string, key: CapabilityKey) {
  const project = await loadProject(ctx, projectId)
  await requireNotMoving(ctx.db, project)
  const row = await ctx.db
    .selectFrom('capabilities')
    .select(['enabled', 'deployed_at'])
    .where('project_id', '=', project.id)
    .where('key', '=', key)
    .executeTakeFirst()
  const { title } = capabilityOf(key)
  if (row?.enabled !== true) throw new ApiError('not_enabled', `${title} is off in this project.`)
  if (row.deployed_at === null)
    throw new ApiError('not_enabled', `${title} is on, but not deployed yet. Ship the project.`)
  return project
}

export type ServingProject = Awaited<ReturnType<typeof requireServing>>

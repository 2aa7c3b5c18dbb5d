import { ApiError, type ErrorCode } from '../../http/errors.ts'
import { requireAtRest } from '../../moves/moves.ts'
import type { Context } from '../../platform.ts'
import { loadProject } from '../../projects/projects.ts'
import type { CapabilityKey } from '@slipway/runtime/capabilities.ts'
import { capabilityOf } from '../catalog.ts'

/** What a read that reaches the deployed app may fail with, beside what every route may. */
export const READER_FAILS = ['not_enabled', 'conflict', 'upstream_error'] as const satisfies ErrorCode[]

/**
 * The project, if what it serves has the capability: enabled and deployed. Else 404 `not_enabled`, and 409 while a ship
 * takes it to another account.
 */
export async function requireServing(ctx: Context, projectId: string, key: CapabilityKey) {
  const project = await loadProject(ctx, projectId)
  await requireAtRest(ctx.db, project)
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

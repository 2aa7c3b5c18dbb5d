import { actorOf } from '../../connections/cloud.ts'
import type { CallerContext, Context } from '../../endpoint.ts'
import { ApiError, conflict } from '../../http/errors.ts'
import { requireNotMoving } from '../../moves/moves.ts'
import { loadProject } from '../../projects/projects.ts'
import { capabilityOf } from '../../capability-catalog/catalog.ts'

/** Returns the project when payments are enabled. The project need not be deployed. */
export async function requirePay(ctx: CallerContext<'db'>, projectId: string) {
  const project = await loadProject(ctx, projectId)
  await requireNotMoving(ctx.db, project)
  const row = await ctx.db
    .selectFrom('capabilities')
    .select('enabled')
    .where('project_id', '=', project.id)
    .where('key', '=', 'pay')
    .executeTakeFirst()
  if (row?.enabled !== true)
    throw new ApiError('not_enabled', `${capabilityOf('pay').title} is off in this project.`)
  return project
}

/**
 * Returns the project and a Stripe client for each stored key. `selling` is the live app's client. Throws `conflict`
 * when no key is stored.
 */
export async function requireSelling(ctx: Context<'accounts'>, projectId: string) {
  const project = await requirePay(ctx, projectId)
  // Without the signal of the request: a client that disconnects must not leave a change half made.
  const modes = await ctx.accounts.openStripeModes({ project, actor: actorOf(ctx.caller) })
  const [selling] = modes
  if (selling === undefined)
    throw conflict(
      'No Stripe key is stored. Enter one in the settings of Payments: stripeKey or stripeTestKey.',
    )
  return { project, selling, modes }
}

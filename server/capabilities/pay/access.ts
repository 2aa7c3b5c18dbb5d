import { actorOf } from '../../connections/cloud.ts'
import type { Context } from '../../endpoint.ts'
import { recordActivity } from '../../activity/log.ts'
import { ApiError, conflict } from '../../http/errors.ts'
import { requireNotMoving } from '../../moves/moves.ts'
import type { Needs } from '../../platform.ts'
import { loadProject } from '../../projects/projects.ts'
import type { ProjectRef } from '../../resources/work.ts'
import { modeOfKey, stripeBase, type StripeAccess, type StripeMode } from '../../stripe/client.ts'
import { StripeError } from '../../stripe/errors.ts'
import { capabilityOf } from '../catalog.ts'
import { readSecret } from '../switch/secrets.ts'

type Owner = Pick<ProjectRef, 'id' | 'org_id' | 'name'>

export interface StripeUse {
  platform: Needs<'config' | 'keyring'>
  project: Owner
  actor: string
  signal?: AbortSignal | undefined
}

/** The secret that holds the key of each mode. */
export const KEY_NAMES: Record<StripeMode, string> = { live: 'stripeKey', test: 'stripeTestKey' }

/** Returns the access to Stripe that a key gives. Throws for a key of the local stand-in while the stand-in is disabled. */
export function openStripe({ platform, project, actor, signal }: StripeUse, key: string): StripeAccess {
  const base = stripeBase(platform.config, key)
  if (base === null)
    throw new StripeError(
      'bad_secret',
      'The stored key is one of the local Stripe, which is off here. Give a key of your Stripe account.',
      { status: null },
    )
  return {
    base,
    key,
    mode: modeOfKey(key),
    signal,
    record: (change) =>
      recordActivity(platform.db, {
        orgId: project.org_id,
        at: platform.clock.now(),
        provider: 'stripe',
        actor,
        ...change,
        projectId: project.id,
        projectName: project.name,
      }),
  }
}

/** Returns one access for each mode whose key is stored. The first is for the mode in which the live app sells. */
export async function openModes(use: StripeUse): Promise<StripeAccess[]> {
  const { platform, project } = use
  const found: StripeAccess[] = []
  for (const name of [KEY_NAMES.live, KEY_NAMES.test]) {
    const key = await readSecret(platform, project, 'pay', name)
    if (key !== null) found.push(openStripe(use, key))
  }
  return found
}

/** Returns the project when payments are enabled. The project need not be deployed. */
export async function requirePay(ctx: Context, projectId: string) {
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

/** Returns the project with an access for each mode, first the live app's. Throws `conflict` when no key is stored. */
export async function requireSelling(ctx: Context<'config' | 'keyring'>, projectId: string) {
  const project = await requirePay(ctx, projectId)
  const modes = await openModes({
    platform: ctx,
    project,
    actor: actorOf(ctx.caller),
    signal: ctx.signal,
  })
  const [selling] = modes
  if (selling === undefined)
    throw conflict(
      'No Stripe key is stored. Give one in the settings of Payments: stripeKey or stripeTestKey.',
    )
  return { project, selling, modes }
}
